/** Tasks of the clock that die before their commit: what they did is undone, and the next clock does it once. */
import { expect, it } from 'vitest'
import { capture, fans } from '../scenarios/outreach-stage.ts'
import { drainOnly, useWorld, type Team } from '../world/world.ts'
import type { FaultPoint } from '../../src/platform/faults.ts'

const world = useWorld({ config: { ...drainOnly, shards: 1 } })
const rowsOf = async (team: Team, text: string) => (await world.database.pool.query(text, [team.id])).rows

async function diesAt(point: FaultPoint, task: string): Promise<void> {
  await world.arm(point)
  await expect(world.runTask(task)).rejects.toThrow(point)
  await world.runTask(task)
}

it('what waited for a cleared webhook is given up: none of it goes to a URL that is set again [WHK-20]', async () => {
  const team = await world.team()
  const inbox = await world.inbox()
  await capture(world, team, fans(3), {
    before: async (id) => void (await team.put(`/sources/${id}/webhook`, { webhookUrl: inbox.url })),
  })
  await rowsOf(
    team,
    `with waiting as (update lead set webhook_status = 'pending' where team_id = $1),
      queued as (update delivery set state = 'pending', finished_at = null where team_id = $1 and lead_id is not null)
      update webhook set cancelled_below_generation = generation + 1, generation = generation + 2,
        clearing_unfinished = true where team_id = $1`,
  )
  await diesAt('webhook.clearing', 'settle what waited for cleared webhooks')
  expect(await rowsOf(team, 'select 1 from webhook where team_id = $1 and clearing_unfinished')).toEqual([])
  expect(await rowsOf(team, 'select state from delivery where team_id = $1 and lead_id is not null')).toEqual(
    Array(3).fill({ state: 'cancelled' }),
  )
  expect(await rowsOf(team, 'select webhook_status as status from lead where team_id = $1')).toEqual(
    Array(3).fill({ status: 'no_webhook' }),
  )
})

it('past leads are queued for outreach: each person is queued, and counted, once [OUT-20]', async () => {
  const team = await world.team()
  await capture(world, team, fans(3))
  await rowsOf(
    team,
    `with source as (select * from source where team_id = $1),
      rule as (insert into outreach_rule (team_id, owner_id, owner_kind, campaign_id, campaign_name, auto_send, auto_send_since,
          filters, state, paused_reason, updated_at, due_at)
        select team_id, id, 'source', '1', 'One', false, created_at, '[]', 'paused', 'campaign_closed', created_at, created_at
        from source)
      insert into outreach_history (team_id, owner_id, asked_at, considered)
      select team_id, id, created_at + interval '30 days', 6 from source`,
  )
  await diesAt('outreach.history-queued', 'queue past leads for outreach')
  expect(await rowsOf(team, 'select queueing, matched from outreach_history where team_id = $1')).toEqual([
    { queueing: false, matched: 3 },
  ])
  expect(await rowsOf(team, 'select 1 from outreach_queue where team_id = $1')).toHaveLength(3)
})

it('a due sync is opened: it is opened once and charges nobody again [SYN-01, CRD-14]', async () => {
  const team = await world.team()
  await capture(world, team, fans(3))
  await world.move('24h')
  await diesAt('clock.sync-opened', 'open due syncs')
  await world.drain()
  expect(await rowsOf(team, 'select state, credits_spent from sync where team_id = $1 order by created_at')).toEqual([
    { state: 'captured', credits_spent: 3 },
    { state: 'captured', credits_spent: 0 },
  ])
})
