/** Which posts the first sync reads. Every seeded post has one reaction, so leads count the posts that were read. */
import { describe, expect, it } from 'vitest'
import { kinds, leadsOf, syncOf, track } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })
const hour = 3_600_000
const day = 24 * hour

/** Seeds an author with one post at each age in milliseconds (null: undated), one reaction each; answers the posts' numbers. */
async function seedPosts(ages: readonly (number | null)[], author: string | { company: string }): Promise<string[]> {
  const now = (await world.now()).getTime()
  return ages.map(
    (age) =>
      world.network.seedPost({
        author,
        postedAt: age === null ? null : new Date(now - age).toISOString(),
        reactions: 1,
      }).id,
  )
}

/** The numbers of the posts whose engagement was captured, sorted. */
const postsRead = async (team: Team, username: string): Promise<string[]> =>
  [...new Set((await leadsOf(team, username)).map((lead) => lead.postUrn.replace('urn:li:activity:', '')))].sort()

const hourly = (count: number): number[] => Array.from({ length: count }, (_, index) => (index + 1) * hour)

/** Tracks with settings, works everything, and answers which of the seeded posts were read, as indexes. */
async function readIndexes(ages: readonly (number | null)[], settings: Record<string, unknown>): Promise<number[]> {
  const team = await world.team()
  const author = world.handle('author')
  const ids = await seedPosts(ages, author)
  await track(team, author, settings)
  await world.drain()
  expect((await syncOf(team, author)).state).toBe('completed')
  return (await postsRead(team, author)).map((id) => ids.indexOf(id)).sort((a, b) => a - b)
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

describe('the first sync', () => {
  it.each([
    ['the latest 15 when nothing is said', {}, 15],
    ['the latest 15 when firstSyncPosts is null', { firstSyncPosts: null }, 15],
    ['one', { firstSyncPosts: 1 }, 1],
    ['as many as firstSyncPosts says', { firstSyncPosts: 7 }, 7],
    ['more than the default', { firstSyncPosts: 18 }, 18],
  ])('reads %s: %j [ENR-35]', async (_title, settings, count) => {
    expect(await readIndexes(hourly(20), settings)).toEqual(upTo(count))
  })

  it('of a company page is bound alike [ENR-35]', async () => {
    const team = await world.team()
    const slug = world.handle('acme')
    const ids = await seedPosts(hourly(6), { company: slug })
    await track(team, slug, { firstSyncPosts: 4 }, kinds[1].route)
    await world.drain()
    expect(await postsRead(team, slug)).toEqual(ids.slice(0, 4).sort())
  })

  it('alone is governed by firstSyncPosts: a later one reads the 4 newest [ENR-35]', async () => {
    const team = await world.team()
    const author = world.handle('author')
    await seedPosts(hourly(12), author)
    await track(team, author, { firstSyncPosts: 2 })
    await world.drain()
    expect((await syncOf(team, author)).progress.postsTotal).toBe(2)
    await world.advance('24h')
    expect((await syncOf(team, author)).progress.postsTotal).toBe(4)
    expect(await postsRead(team, author)).toHaveLength(4)
  })

  it('with firstSyncDays reads the posts of those days and no older one [ENR-38]', async () => {
    expect(await readIndexes([hour, day, 6.9 * day, 7.1 * day, 30 * day], { firstSyncDays: 7 })).toEqual([0, 1, 2])
    expect(await readIndexes([89 * day, 91 * day], { firstSyncDays: 90 })).toEqual([0])
  })

  it('with firstSyncDays reads at most 50 posts of 60, more than the default 15 [ENR-38]', async () => {
    expect(await readIndexes(hourly(60), { firstSyncDays: 30 })).toEqual(upTo(50))
  })

  it('with firstSyncDays and firstSyncPosts reads at most that many of those days [ENR-38]', async () => {
    expect(await readIndexes([...hourly(20), 40 * day], { firstSyncDays: 30, firstSyncPosts: 12 })).toEqual(upTo(12))
    expect(await readIndexes([hour, 2 * hour, 40 * day], { firstSyncDays: 30, firstSyncPosts: 12 })).toEqual([0, 1])
  })

  it('leaves undated posts out with firstSyncDays, and reads them without [ENR-39]', async () => {
    expect(await readIndexes([hour, null, 2 * hour], { firstSyncDays: 30 })).toEqual([0, 2])
    expect(await readIndexes([hour, null, 2 * hour], {})).toEqual([0, 1, 2])
  })

  it.each([[{ firstSyncDays: null }], [{}]])(
    'without a limit of days (%j) reads old posts too [ENR-40]',
    async (settings) => {
      expect(await readIndexes([hour, 200 * day, 700 * day], settings)).toEqual([0, 1, 2])
    },
  )
})
