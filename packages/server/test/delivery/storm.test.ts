import { expect, test } from 'vitest'
import { deliverStep } from '../../src/modules/delivery/index.ts'
import { recordedAtOnce } from '../../src/modules/delivery/sending/recorder.ts'
import { ArmedFault, type FaultPoint } from '../../src/platform/faults.ts'
import { answer, openInbox, useStage, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
useStage((opened) => ({ stage, inbox } = opened))

/** Chance that is the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test(
  'with a receiver that fails and resets, and workers that die at every crash point, no lead is lost and every ' +
    'repeat has its first id [WHK-16, WHK-17, WHK-27]',
  async () => {
    const random = seeded(20261102)
    const leads: string[] = []
    for (let source = 0; source < 6; source++) {
      const id = await stage.makeSource(`storm-${source}`)
      await stage.put(id, { webhookUrl: `${inbox.url}/${source}` })
      for (let count = 0; count < 40; count++) leads.push(await stage.detect(id))
    }
    const accepted = new Map<string, Set<string>>()
    let acceptances = 0
    inbox.reply = (response) => {
      const roll = random()
      if (roll < 0.02) return void response.socket?.resetAndDestroy()
      if (roll < 0.12) return answer(503)(response)
      const received = inbox.received.at(-1)!
      const { lead } = JSON.parse(received.body.toString()) as { lead: { id: string } }
      accepted.set(lead.id, (accepted.get(lead.id) ?? new Set()).add(String(received.headers['webhook-id'])))
      acceptances += 1
      response.end()
    }
    let deaths = 0
    const mortal = async (point: FaultPoint) => {
      if (random() > 0.03) return
      deaths += point === 'delivery.leased' ? 0 : 1
      throw new ArmedFault(`died at ${point}`)
    }
    const worker = async () => {
      const step = deliverStep({ ...stage.deps, faultPoint: mortal })
      for (;;) {
        try {
          if ((await step()) === 'idle') return
        } catch (error) {
          if (!(error instanceof ArmedFault)) throw error
        }
      }
    }
    for (let round = 0; round < 40 && (await open()) > 0; round++) {
      await Promise.all([worker(), worker(), worker(), worker()])
      stage.state.skewMs += 60_000
      stage.advance(3_600_000)
    }
    expect(await open()).toBe(0)
    expect(accepted.size).toBe(leads.length)
    for (const ids of accepted.values()) expect(ids.size).toBe(1)
    const { rows } = await stage.database.pool.query(
      `select count(*) filter (where l.webhook_status = 'sent' and d.state = 'sent') as sent, count(*) as total
     from delivery d
     join lead l on l.team_id = d.team_id and l.id = d.lead_id`,
    )
    expect(rows[0]).toEqual({ sent: leads.length, total: leads.length })
    expect(deaths).toBeGreaterThan(0)
    // A repeat is only ever the price of a worker that died with answers that were not recorded yet.
    expect(acceptances - leads.length).toBeLessThanOrEqual(deaths * 2 * recordedAtOnce)
  },
)

async function open(): Promise<number> {
  return (
    await stage.database.pool.query(
      `select count(*) as open from delivery where state not in ('sent', 'failed', 'cancelled')`,
    )
  ).rows[0].open as number
}

test('what is longest due at an endpoint goes first [WHK-17]', async () => {
  const id = await stage.makeSource('in-order')
  const own = await openInbox()
  await stage.put(id, { webhookUrl: own.url })
  const leads: string[] = []
  for (let count = 0; count < 4; count++) {
    leads.push(await stage.detect(id))
    stage.advance(1_000)
  }
  await stage.drain()
  const arrived = own.received.map(({ body }) => (JSON.parse(body.toString()) as { lead: { id: string } }).lead.id)
  await own.close()
  expect(arrived).toEqual(leads)
})
