import { initialSettings } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { dayAfter, laterOf } from './schedule.ts'
import { dailyMax, runSettings } from './settings.ts'

describe('when a source runs next', () => {
  const at = new Date('2026-03-28T12:00:00Z')
  it('is 24 hours after, whatever the calendar does [G140]', () => {
    expect(dayAfter(at).toISOString()).toBe('2026-03-29T12:00:00.000Z')
  })
  it('is the later of two instants, and the only one there is', () => {
    const after = new Date(at.getTime() + 1)
    expect([laterOf(at, after), laterOf(after, at), laterOf(at, null)]).toEqual([after, after, at])
    expect(laterOf(at, new Date(at))).toBe(at)
  })
})

describe('what a run is bound by', () => {
  const settings = { ...initialSettings, creditCapPerSync: 50, captureReplies: false }
  it('are, of a posts-only watch, its posts, the first time as later', () => {
    const watch = { ...settings, mode: 'posts_only' as const, postsPerSync: 7, firstSyncPosts: 40, firstSyncDays: 9 }
    for (const isFirst of [true, false])
      expect(runSettings(watch, isFirst)).toEqual({
        mode: 'posts_only',
        rowCap: 50,
        captureReplies: false,
        enrichLeads: true,
        maxPosts: 7,
        sinceDays: null,
      })
  })
  it('a day costs the posts of a watch up to its cap, the cap of others [G154]', () => {
    expect([
      dailyMax({ ...settings, mode: 'posts_only', postsPerSync: 7 }),
      dailyMax({ ...settings, mode: 'posts_only', postsPerSync: 7, creditCapPerSync: 3 }),
      dailyMax(settings),
      dailyMax(initialSettings),
    ]).toEqual([7, 3, 50, null])
  })
})
