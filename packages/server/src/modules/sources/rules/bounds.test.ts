import { initialSettings } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { dailyMax } from './settings.ts'

describe('what a run is bound by', () => {
  const settings = { ...initialSettings, creditCapPerSync: 50, captureReplies: false }
  it('a day costs the posts of a watch up to its cap, the cap of others [G154]', () => {
    expect([
      dailyMax({ ...settings, mode: 'posts_only', postsPerSync: 7 }),
      dailyMax({ ...settings, mode: 'posts_only', postsPerSync: 7, creditCapPerSync: 3 }),
      dailyMax(settings),
      dailyMax(initialSettings),
    ]).toEqual([7, 3, 50, null])
  })
})
