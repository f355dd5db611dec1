/** Three-page searches whose vendor fails repeatedly or pages wrongly: everybody is found in the end and paid for once. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { onlySeeded, rowOf, rowsOf, runAgain, search, topic } from './keyword-run-stage.ts'
import { people } from './sync-stage.ts'

// Many people and days take long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })
const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => onlySeeded(world))

const authors = 105
const settings = { captureEngagers: false, capturePostAuthors: true } as const

function seedTopic(): string {
  const word = topic(world)
  for (const author of people(world, authors, 'author'))
    world.network.seedPost({ author, text: word, reactions: [], comments: [] })
  return word
}
async function untilEnded(team: Team, id: string) {
  for (let turns = 0; turns < 12 && !(await rowOf(team, id)).lastRun; turns += 1) await world.advance('20m')
  return rowOf(team, id)
}
const peopleOf = async (team: Team, id: string): Promise<number> =>
  new Set((await rowsOf(world, team, id)).map((row) => row.person_urn)).size

describe('a search whose vendor fails on its second page and again on its third', () => {
  it.each([{ kind: 'status_429', retryAfterS: 40 }, { kind: 'error_in_200' }, { kind: 'reset' }] as const)(
    '$kind: the one run finds everything, and nobody else is asked for the rest [KRN-02, KRN-12, CRD-19]',
    async (fault) => {
      const [team, word] = [await world.team(), seedTopic()]
      const page = (number: string) => ({
        vendor: 'harvestapi',
        operation: 'post-search',
        match: { page: number, search: word },
      })
      world.network.clearCalls()
      world.network.fault({ kind: 'status_503', vendor: 'linkdapi' })
      for (const number of ['2', '3']) world.network.fault({ ...fault, ...page(number), times: 4 })
      const { id } = await search(team, { keyword: word, ...settings })
      await world.drain()
      expect([(await rowOf(team, id)).lastRun, await peopleOf(team, id)]).toEqual([undefined, 0])
      const { lastRun, schedule } = await untilEnded(team, id)
      expect([lastRun, schedule]).toMatchObject([
        {
          stoppedBy: 'exhausted',
          creditsSpent: authors,
          postsScanned: authors,
          postsKept: authors,
          postAuthorsCaptured: authors,
        },
        { runsCompleted: 1 },
      ])
      expect([await peopleOf(team, id), await team.balance()]).toEqual([authors, 10_000 - authors])
      for (const number of ['2', '3'])
        expect(world.network.calls(page(number)).map((call) => call.fault === fault.kind)).toEqual([
          true,
          true,
          true,
          true,
          false,
        ])
      const asked = world.network.calls()
      expect(
        asked
          .slice(asked.findIndex((call) => call.query.page === '2'))
          .filter((call) => call.operation === 'search/posts'),
      ).toEqual([])
    },
  )

  it('and stays away ends it error, which is not counted; the next run finds everything [KRN-10, KRN-16, CRD-19]', async () => {
    const [team, word] = [await world.team(), seedTopic()]
    world.network.fault({ kind: 'html_200', vendor: 'harvestapi', match: { page: '2', search: word }, times: 4 })
    world.network.fault({ kind: 'html_200', vendor: 'harvestapi', match: { page: '3', search: word } })
    const { id } = await search(team, { keyword: word, ...settings })
    await world.drain()
    const failed = await untilEnded(team, id)
    expect([failed.lastRun, failed.schedule.runsCompleted]).toMatchObject([
      { stoppedBy: 'error', creditsSpent: 0, postsScanned: 100 },
      0,
    ])
    world.network.clearFaults()
    expect((await runAgain(world, team, id)).lastRun).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: authors })
  })
})

describe('a search whose vendor pages wrongly', () => {
  it.each(['duplicate_page', 'empty_more'] as const)(
    '%s on the second page: the run ends with what it was shown, the next one has the rest, each paid for once [KRN-02, CRD-19, KRN-12]',
    async (kind) => {
      const [team, word] = [await world.team(), seedTopic()]
      world.network.fault({ kind: 'status_503', vendor: 'linkdapi' })
      world.network.fault({ kind, vendor: 'harvestapi', operation: 'post-search', match: { page: '2', search: word } })
      const { id } = await search(team, { keyword: word, ...settings })
      await world.drain()
      const first = (await untilEnded(team, id)).lastRun
      expect(first).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: await peopleOf(team, id) })
      expect(first.creditsSpent).toBeGreaterThanOrEqual(50)
      expect(first.creditsSpent).toBeLessThan(authors)
      world.network.clearFaults()
      const second = (await runAgain(world, team, id)).lastRun
      expect(second).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: authors - first.creditsSpent })
      expect([await peopleOf(team, id), await team.balance()]).toEqual([authors, 10_000 - authors])
    },
  )
})
