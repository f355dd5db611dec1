import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { activityOfShare, readActivityId, shareIdOf } from './activity-id.ts'
import { memberIdOfHandle, memberIdOfIndex, readMemberId } from './member-id.ts'
import { createWorld, type World } from './world.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const DAY = 86_400_000
const at = (ms: number, seed = 'test'): World => createWorld({ seed, now: () => new Date(ms) }).world

it('no picture of an invented person or company is asked of a real host [FIX-12]', () => {
  const world = at(NOW)
  const people = Array.from({ length: 300 }, (_, index) => world.personAt(index))
  const companies = people.flatMap(({ positions }) => positions.flatMap(({ company }) => company?.logo ?? []))
  const pictures = [...people.flatMap(({ picture }) => picture ?? []), ...companies]
  expect(pictures.length).toBeGreaterThan(200)
  expect(pictures.filter((address) => !new URL(address).hostname.endsWith('.example'))).toEqual([])
})

describe('member ids', () => {
  it('look like real ones and carry their person', () => {
    for (const handle of ['a', 'jane-doe', '0-leading', 'thirty-characters-long-handle0']) {
      const id = memberIdOfHandle(handle)
      expect(id).toMatch(/^ACoAA[A-Za-z0-9_-]{34}$/)
      expect(readMemberId(id)).toEqual({ handle })
    }
    for (const index of [0, 1, 199_999]) expect(readMemberId(memberIdOfIndex(index))).toEqual({ index })
    expect(readMemberId(memberIdOfHandle('x'.repeat(31)))).toEqual({ hashed: true })
    expect(readMemberId('ACoAAFsE9LEBl7BKtsoGeoDZz0IvKfmiGgiEtX8')).toBeUndefined()
  })

  it('find the same person in a restarted world, by id and by handle', () => {
    const before = at(NOW)
    const long = 'a-very-long-handle-with-more-than-thirty-characters'
    const people = ['jane-doe', 'x9', ...[3, 77, 199_999].map((index) => before.personAt(index).handle)].map((handle) =>
      before.person(handle),
    )
    const after = at(NOW)
    for (const person of people) {
      expect(after.person(person?.id ?? '')).toEqual(person)
      expect(after.person(person?.handle ?? '')).toEqual(person)
    }
    const unseen = after.person(before.person(long)?.id ?? '')
    expect(unseen).toMatchObject({ headline: before.person(long)?.headline, positions: before.person(long)?.positions })
    expect(before.person(before.person(long)?.id ?? '')?.handle).toBe(long)
  })
})

describe('the generated world', () => {
  it('is the same for the same seed and another for another seed', () => {
    const shown = (world: World): string =>
      JSON.stringify(['anna-b', 'viral-c'].map((handle) => [world.person(handle), world.postsOf(handle)])) +
      JSON.stringify(world.postsOf({ company: 'acme' }))
    expect(shown(at(NOW))).toBe(shown(at(NOW)))
    expect(shown(at(NOW))).not.toBe(shown(at(NOW, 'other')))
  })

  it('grows with the clock: old posts keep their ids, engagement only gets more', () => {
    const early = at(NOW)
    const late = at(NOW + 3 * DAY)
    const earlyPosts = early.postsOf('anna-b')
    const lateIds = late.postsOf('anna-b').map((post) => post.id)
    expect(earlyPosts.length).toBeGreaterThan(25)
    expect(lateIds.length - lateIds.indexOf(earlyPosts[0]?.id ?? '')).toBeGreaterThan(20)
    for (const post of earlyPosts.slice(0, 20)) {
      const later = late.post(post.id)
      expect(later?.text).toBe(post.text)
      expect(later?.reactions.slice(-post.reactions.length || undefined)).toEqual(
        post.reactions.length ? post.reactions : later?.reactions,
      )
      expect(later?.declared.comments).toBeGreaterThanOrEqual(post.declared.comments)
    }
    const fresh = earlyPosts[0]
    expect(late.post(fresh?.id ?? '')?.reactions.length).toBeGreaterThan(fresh?.reactions.length ?? 0)
  })

  it('numbers posts by time with 19 digits, finds them again after a restart, and knows no posts of the future', () => {
    const posts = at(NOW).postsOf('anna-b')
    const ids = posts.map((post) => post.id)
    expect(ids.every((id) => /^\d{19}$/.test(id))).toBe(true)
    expect([...ids].sort().reverse()).toEqual(ids)
    const restarted = at(NOW)
    restarted.person('anna-b')
    restarted.postsOf('anna-b')
    expect(restarted.post(ids[4] ?? '')).toEqual(posts[4])
    const blank = at(NOW).post(ids[4] ?? '')
    expect(blank).toMatchObject({ text: posts[4]?.text, declared: { reactions: posts[4]?.declared.reactions } })
    expect(at(NOW - 89 * DAY).post(ids[0] ?? '')).toBeUndefined()
    expect(readActivityId(ids[0] ?? '').postedAtMs).toBe(posts[0]?.postedAtMs)
    expect(activityOfShare(shareIdOf(ids[0] ?? ''))).toBe(ids[0])
  })
})

describe('a restarted world with a memory file', () => {
  it('knows posts by their number alone, with their author, and people of long handles by id', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
    const start = (): World =>
      createWorld({ seed: 'test', now: () => new Date(NOW), memoryFile: join(folder, 'authors') }).world
    const long = 'a-very-long-handle-with-more-than-thirty-characters'
    const before = start()
    const shown = [before.postsOf('anna-b')[7], before.postsOf(long)[7], before.postsOf({ company: 'acme' })[7]]
    const after = start()
    expect(shown.map((post) => after.post(post?.id ?? ''))).toEqual(shown)
    expect(after.person(before.person(long)?.id ?? '')?.handle).toBe(long)
    rmSync(folder, { recursive: true })
  })

  it('keeps nothing of people who are to be forgotten, and all of the others [PRV-04]', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
    const memoryFile = join(folder, 'authors')
    const start = (): World => createWorld({ seed: 'test', now: () => new Date(NOW), memoryFile }).world
    const world = start()
    for (const author of ['anna-b', { company: 'anna-b' }, 'bob-c', { company: 'acme' }]) world.postsOf(author)
    world.forget(['anna-b', 'never-seen'])
    expect(readFileSync(memoryFile, 'utf8')).toBe('"bob-c"\n{"company":"acme"}\n')
    world.postsOf('anna-c')
    expect(readFileSync(memoryFile, 'utf8')).toBe('"bob-c"\n{"company":"acme"}\n"anna-c"\n')
    // Another process on the same file forgets them too.
    start().forget(['bob-c'])
    world.forget(['anna-c'])
    world.postsOf('dan-d')
    start().postsOf('eve-e')
    world.forget(['eve-e'])
    expect(readFileSync(memoryFile, 'utf8')).toBe('{"company":"acme"}\n"dan-d"\n')
    rmSync(folder, { recursive: true })
  })
})
