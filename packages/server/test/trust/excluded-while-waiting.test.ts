/** People excluded while a campaign batch waits for the platform's rate budget are not sent (EXC-07, EXC-08, EXC-10). */
import { expect, it } from 'vitest'
import { outreachAccount } from '../../src/providers/outreach/index.ts'
import { capture, connect, fans, handlesIn, ok, queuedFor, timesSent } from '../scenarios/outreach-stage.ts'
import { useWorld, drainOnly, type Team } from '../world/world.ts'
import { exclude } from './exclusions-stage.ts'

const world = useWorld({ config: drainOnly })

/** Starts something that reads a campaign and then sends to it; returns a function that releases the waiting batch. */
async function untilWaiting(team: Team, key: string, begin: () => void): Promise<() => Promise<void>> {
  const { pool } = world.database
  const look = { vendor: 'heyreach', operation: 'GetById' }
  world.network.hold(look)
  begin()
  await world.network.untilWaiting(1, look)
  const account = outreachAccount(key)
  await pool.query("update vendor_slot set owner = 'others', leased_until_ms = $2 where vendor = $1", [
    account,
    Date.now() + 80_000,
  ])
  world.network.release()
  const claimed = async () =>
    (await pool.query('select count(*)::integer as count from outreach_batch where team_id = $1', [team.id])).rows[0]
      .count
  await expect.poll(claimed, { timeout: 20_000 }).toBe(1)
  return async () => void (await pool.query('update vendor_slot set leased_until_ms = 0 where vendor = $1', [account]))
}

const batchesOf = async (team: Team) =>
  (await world.database.pool.query('select state from outreach_batch where team_id = $1', [team.id])).rows

it('a send by hand goes without who is excluded meanwhile, and counts them [EXC-08]', async () => {
  const { team, key, campaignId } = await connect(world)
  const { handles, leadIds } = await capture(world, team, fans(3))
  let sending: Promise<unknown> | undefined
  const go = await untilWaiting(team, key, () => {
    sending = ok(team.post('/integrations/outreach/send', { campaignId, leadIds }))
  })
  await exclude(team, [{ kind: 'person', value: handles[1]! }])
  await go()
  expect(await sending).toMatchObject({ sent: 2, added: 2, skippedExcluded: 1, alreadyInCampaign: 0 })
  expect(handlesIn(world, key, campaignId)).toEqual([handles[0], handles[2]].toSorted())
  expect(await batchesOf(team)).toEqual([{ state: 'settled' }])
})

it('a send by hand goes without who is excluded after their lead was deleted by its age meanwhile [EXC-08, PRV-12]', async () => {
  const { team, key, campaignId } = await connect(world)
  const { handles, leadIds } = await capture(world, team, fans(2))
  await ok(team.put('/privacy/retention', { keepLeadsDays: 30 }))
  await world.move('31d')
  let sending: Promise<unknown> | undefined
  const go = await untilWaiting(team, key, () => {
    sending = ok(team.post('/integrations/outreach/send', { campaignId, leadIds }))
  })
  await world.runTask('purge old rows of teams')
  await exclude(team, [{ kind: 'person', value: handles[1]! }])
  await go()
  expect(await sending).toMatchObject({ sent: 0, skippedExcluded: 2 })
  expect(handlesIn(world, key, campaignId)).toEqual([])
})

it('a send by hand of those who are excluded too goes once, and the audit log says who they are [EXC-08]', async () => {
  const { team, key, campaignId } = await connect(world)
  const { handles, leadIds } = await capture(world, team, fans(2))
  let sending: Promise<unknown> | undefined
  const go = await untilWaiting(team, key, () => {
    sending = ok(team.post('/integrations/outreach/send', { campaignId, leadIds, includeExcluded: true }))
  })
  await exclude(team, [{ kind: 'person', value: handles[0]! }])
  await go()
  expect(await sending).toMatchObject({ sent: 2, skippedExcluded: 0 })
  expect([handlesIn(world, key, campaignId), timesSent(world, key, campaignId)]).toEqual([handles.toSorted(), 2])
  const { rows } = await world.database.pool.query(
    "select jsonb_array_length(details -> 'excludedSent') as people from audit_entry where team_id = $1 and operation = 'sendLeads'",
    [team.id],
  )
  expect(rows).toEqual([{ people: 1 }])
})

it('an auto-push goes without who is excluded meanwhile, takes them off its queue, and sends the others [EXC-07]', async () => {
  const { team, key, campaignId } = await connect(world)
  const { id, handles } = await capture(world, team, fans(3))
  await ok(team.put(`/sources/${id}/outreach`, { campaignId, pushHistoric: true }))
  const go = await untilWaiting(team, key, () => world.beginDrain())
  await exclude(team, [{ kind: 'person', value: handles[2]! }])
  await go()
  await world.settle()
  await world.drain()
  expect(handlesIn(world, key, campaignId)).toEqual(handles.slice(0, 2).toSorted())
  expect(await queuedFor(world, id)).toBe(0)
  expect(await batchesOf(team)).toEqual([{ state: 'settled' }])
})
