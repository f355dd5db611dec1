/** Outreach steps and lease loss: a long look-up keeps its lease and ends (docs/decisions/0010). */
import { openBlockList } from '../../src/modules/network/index.ts'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { outreachWork, type OutreachDeps } from '../../src/modules/outreach/index.ts'
import { openFaults } from '../../src/platform/faults.ts'
import { openLog } from '../../src/platform/log.ts'
import { OutreachFailure } from '../../src/providers/outreach/port.ts'
import { useWorld, type Team } from '../world/world.ts'
import { capture, connect, fans, noAgents, ok, storeKey } from './outreach-stage.ts'

// Without workers: only this file's steps look anybody up.
const world = useWorld({ config: { roles: ['http'] } })
const minuteMs = 60_000

/** A hand-moved system clock; `ring` runs the periodic callbacks, `late` expires all timeouts. */
function manualClock() {
  let nowMs = Date.now()
  const [repeated, bounds] = [new Set<() => void>(), new Map<() => void, number>()]
  return {
    system: {
      nowMs: () => nowMs,
      sleep: async () => {},
      expire: (ms: number) => new Promise<void>((resolve) => bounds.set(resolve, ms)),
      every: (_ms: number, work: () => void) => {
        repeated.add(work)
        return () => void repeated.delete(work)
      },
    },
    move: (ms: number) => void (nowMs += ms),
    ring: () => {
      for (const work of repeated) work()
    },
    repeated,
    late: () => {
      const lengths = [...bounds.values()]
      for (const resolve of bounds.keys()) resolve()
      bounds.clear()
      return lengths
    },
  }
}

type FindMembers = OutreachDeps['platform']['findMembers']

const stepOf = (
  team: Team,
  clock: ReturnType<typeof manualClock>,
  findMembers: FindMembers,
  more: Partial<OutreachDeps> = {},
) => {
  const step = outreachWork.step({
    db: world.database.root,
    unitOfWork: world.service.unitOfWork,
    platform: { findMembers } as OutreachDeps['platform'],
    vault: world.service.vault,
    blockList: openBlockList(world.service.vault),
    scores: noAgents,
    system: clock.system,
    faultPoint: openFaults(undefined).faultPoint,
    log: openLog('silent'),
    processId: randomUUID(),
    ...more,
  })
  return () => world.inShardOf(team, () => step())
}

async function uncertain() {
  const stage = await connect(world)
  const people = Array.from({ length: 3 }, () => ({
    profileUrl: `https://www.linkedin.com/in/${world.handle('long')}`,
  }))
  world.network.fault({ vendor: 'heyreach', operation: 'AddLeadsToCampaignV2', kind: 'lost_reply', times: 1 })
  const { campaignId } = stage
  expect((await stage.team.post('/integrations/outreach/send', { campaignId, people })).status).toBe(502)
  await world.move('11m')
  const read = async (text: string) => (await world.database.pool.query(text, [stage.team.id])).rows
  return {
    team: stage.team,
    states: async () =>
      (await read('select distinct state from outreach_send where team_id = $1')).map(({ state }) => state as string),
    batch: async () =>
      (await read('select state, checks, lease_until_ms as lease from outreach_batch where team_id = $1'))[0],
  }
}

const unavailable = () => new OutreachFailure({ kind: 'unavailable', message: 'given up' })

describe('a look-up that takes long', () => {
  it('longer than a lease is not begun anew by another, and what it finds is written [OUT-13]', async () => {
    const stage = await uncertain()
    const clock = manualClock()
    const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const looking = stepOf(stage.team, clock, async (_key, _campaign, profileUrls) => {
      begun.resolve()
      await answered.promise
      return new Set(profileUrls)
    })()
    await begun.promise
    const another = stepOf(stage.team, clock, () => Promise.reject(unavailable()))
    for (let at = 0; at < 8; at += 1) {
      clock.move(minuteMs / 2)
      await world.inShardOf(stage.team, async () => clock.ring())
      await expect
        .poll(async () => Number((await stage.batch()).lease))
        .toBeGreaterThan(clock.system.nowMs() + minuteMs)
      expect(await another()).toBe('idle')
    }
    answered.resolve()
    expect([await looking, await stage.states(), await stage.batch()]).toEqual([
      'worked',
      ['sent'],
      { state: 'settled', checks: 1, lease: null },
    ])
    expect(clock.repeated.size).toBe(0)
  })

  it('is given up after five minutes and counts: after ten its people stay as they are, for good [OUT-13]', async () => {
    const stage = await uncertain()
    const clock = manualClock()
    const bounds: number[][] = []
    const step = stepOf(
      stage.team,
      clock,
      (_key, _campaign, _people, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal!.addEventListener('abort', () => reject(unavailable()))
          bounds.push(clock.late())
        }),
    )
    for (let look = 1; look <= 10; look += 1) {
      expect([await step(), (await stage.batch()).checks]).toEqual(['worked', look])
      await world.move('7h')
    }
    expect([bounds, await step()]).toEqual([Array(10).fill([5 * minuteMs]), 'idle'])
    expect([await stage.states(), (await stage.batch()).state]).toEqual([['uncertain'], 'settled'])
  })
})

it('a key that is stored while a rule is being found without one does not leave the rule paused [OUT-23]', async () => {
  const { team, key, campaignId } = await connect(world)
  const source = await capture(world, team, fans(1))
  await ok(team.put(`/sources/${source.id}/outreach`, { campaignId, pushHistoric: true }))
  await storeKey(world, team, null)
  let units = 0
  const unitOfWork: OutreachDeps['unitOfWork'] = async (work) => {
    if ((units += 1) === 2) await storeKey(world, team, key)
    return world.service.unitOfWork(work)
  }
  await stepOf(team, manualClock(), () => Promise.reject(unavailable()), { unitOfWork })()
  expect(units).toBe(2)
  expect((await ok(team.get(`/sources/${source.id}/outreach`))).outreach).toMatchObject({ state: 'active' })
})
