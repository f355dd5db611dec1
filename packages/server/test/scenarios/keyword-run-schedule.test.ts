import { beforeAll, describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import {
  onlySeeded,
  rowOf,
  rowsOf,
  run,
  runAgain,
  runsOf,
  search,
  seedFans,
  statusOf,
  topic,
} from './keyword-run-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => onlySeeded(world))

const inHours = async (hours: number): Promise<string> =>
  new Date((await world.now()).getTime() + hours * 3_600_000).toISOString()

describe('the schedule of a search', () => {
  it('runs it a day after its last run began, not earlier, and once however many days have passed [KRN-01, SYN-28]', async () => {
    const [team, word] = [await world.team(), topic(world)]
    seedFans(world, word, 1)
    const { id } = await run(world, team, { keyword: word })
    await world.advance('23h')
    expect(await runsOf(world, id)).toBe(1)
    await world.advance('1h')
    expect(await runsOf(world, id)).toBe(2)
    await world.advance('5d')
    expect([await runsOf(world, id), (await rowOf(team, id)).schedule.runsCompleted]).toEqual([3, 3])
  })

  it('maxRuns stops it after so many counted runs: a failed one does not count, leads are kept [KRN-16, KRN-17]', async () => {
    const [team, word] = [await world.team(), topic(world)]
    seedFans(world, word, 2)
    const { id } = await run(world, team, { keyword: word, maxRuns: 2 })
    world.network.fault({ kind: 'status_503', operation: 'post-search', match: { search: word } })
    world.network.fault({ kind: 'status_503', operation: 'search/posts', match: { keyword: word } })
    for (const wait of ['24h', '15s', '60s', '5m', '20m']) await world.advance(wait)
    expect(await rowOf(team, id)).toMatchObject({
      lastRun: { stoppedBy: 'error' },
      schedule: { runsCompleted: 1, stoppedAt: null },
    })
    world.network.clearFaults()
    const stopped = await runAgain(world, team, id)
    expect(stopped).toMatchObject({
      status: 'active',
      lastRun: { stoppedBy: 'exhausted' },
      schedule: {
        runsCompleted: 2,
        stoppedAt: (await world.now()).toISOString(),
        stoppedReason: 'max_runs',
        nextRunAt: null,
      },
    })
    await world.advance('3d')
    expect([
      await runsOf(world, id),
      (await rowsOf(world, team, id)).length,
      (await statusOf(team, id)).nextSyncAt,
    ]).toEqual([3, 2, null])
  })

  it('runOnce stops it after one counted run, and is maxRuns 1 [KRN-18, KEY-38]', async () => {
    const [team, once, one] = [await world.team(), topic(world), topic(world)]
    expect((await run(world, team, { keyword: once, runOnce: true })).schedule).toMatchObject({
      runsCompleted: 1,
      maxRuns: 1,
      stoppedAt: expect.any(String),
      stoppedReason: 'run_once',
    })
    expect((await run(world, team, { keyword: one, maxRuns: 1 })).schedule).toMatchObject({
      runsCompleted: 1,
      stoppedAt: expect.any(String),
      stoppedReason: 'max_runs',
    })
    await world.advance('2d')
    expect(
      (await team.get('/sources?type=keyword')).body.sources.map(
        (row: { schedule: { runsCompleted: number } }) => row.schedule.runsCompleted,
      ),
    ).toEqual([1, 1])
  })

  it('endAt stops it by the clock, without a run; a run under way goes on to its end [KRN-19]', async () => {
    const [team, idle, busy] = [await world.team(), topic(world), topic(world)]
    seedFans(world, busy, 2)
    const still = await run(world, team, { keyword: idle, endAt: await inHours(2) })
    expect(still.schedule.stoppedAt).toBeNull()
    world.network.hold({ operation: 'post-search', match: { search: busy } })
    const { id } = await search(team, { keyword: busy, endAt: await inHours(1) })
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'post-search' })
    await world.move('2h')
    await world.tick()
    world.network.release()
    await world.drain()
    expect((await rowOf(team, still.id)).schedule).toMatchObject({
      runsCompleted: 1,
      stoppedAt: (await world.now()).toISOString(),
      stoppedReason: 'end_at',
      nextRunAt: null,
    })
    expect(await rowOf(team, id)).toMatchObject({
      lastRun: { stoppedBy: 'exhausted', creditsSpent: 2 },
      schedule: { runsCompleted: 1, stoppedReason: 'end_at', nextRunAt: null },
    })
    await world.advance('2d')
    expect([await runsOf(world, still.id), await runsOf(world, id)]).toEqual([1, 1])
  })

  it('a stopped search runs again within a minute of the edit that lifts its stop, unless another holds [KRN-20..KRN-22]', async () => {
    const [team, word] = [await world.team(), topic(world)]
    seedFans(world, word, 1)
    const { id } = await run(world, team, { keyword: word, maxRuns: 1, endAt: await inHours(1) })
    await world.advance('90m')
    const edit = (body: Record<string, unknown>) => team.call('PATCH', `/keyword/${id}`, body)
    expect((await edit({ maxRuns: 5 })).body.schedule).toMatchObject({
      stoppedAt: expect.any(String),
      stoppedReason: 'end_at',
    })
    await world.drain()
    expect(await runsOf(world, id)).toBe(1)
    seedFans(world, word, 1)
    expect((await edit({ endAt: await inHours(48) })).body.schedule).toMatchObject({
      stoppedAt: null,
      stoppedReason: null,
    })
    await world.advance('59s')
    expect(await rowOf(team, id)).toMatchObject({
      lastRun: { creditsSpent: 1, stoppedBy: 'exhausted' },
      schedule: { runsCompleted: 2, stoppedAt: null },
    })
  })
})
