/**
 * Named places where a fault can be armed (design §9): a test arms one through the operator API, the next pass through the
 * place fails or kills the process. Off unless LES_FAULTS=1; then a pass costs one statement.
 */
/** Every place, with what it lies between. */
export const faultPoints = {
  handler: 'after the work of a write request, before its commit',
  mode_read: 'reading the current mode of a source in an edit',
  agent_save: 'saving the agent in a start',
  'agent.prepared': 'what a start sets up is written, not committed',
  'agent.set-up': 'what a start sets up stands, the agent is not saved',
  'agent.person-watched': 'some of the people found are watched, not committed',
  'track.before-commit': 'source and first sync written, not committed',
  'clock.sync-opened': 'a due source has its sync row, not committed',
  'capture.leased': 'a run was leased, nothing fetched',
  'capture.page-fetched': 'a vendor page is here, nothing written',
  'capture.people-written': 'people and leads of a page written, not charged, not committed',
  'capture.charged': 'a page charged, cursor not moved, not committed',
  'capture.before-commit': 'a page complete, not committed',
  'capture.after-commit': 'a page committed, the next not begun',
  'capture.posts-written': 'the posts of a run listed, not committed',
  'capture.before-close': 'a run at its end, not closed',
  'capture.closed': 'a run closed, not committed',
  'keyword.leased': 'a run that searches was leased, nothing fetched',
  'keyword.page-fetched': 'a page of found posts is here, nothing written',
  'keyword.posts-written': 'found posts judged and written, not taken into the run, not charged, not committed',
  'keyword.judged': 'the verdicts of an AI are here, nothing written',
  'keyword.verdicts-written': 'the verdicts of an AI written, the posts not taken into the run, not committed',
  'keyword.before-commit': 'a page of found posts or the verdicts on some complete, not committed',
  'keyword.after-commit': 'a unit of a search committed, the next not begun',
  'keyword.handed-over': 'a run handed over to capture, or closed, not committed',
  'enrichment.leased': 'a person was leased, nothing fetched',
  'enrichment.profile-fetched': 'a profile is here, nothing written',
  'enrichment.company-fetched': 'a company record is here, nothing written',
  'enrichment.written': 'facts written, deliveries not offered, not committed',
  'enrichment.before-commit': 'facts and deliveries written, not committed',
  'enrich-job.fetched': 'an asked-for profile is here, nothing written',
  'enrich-job.charged': 'an asked-for enrichment charged, job not closed, not committed',
  'delivery.leased': 'a delivery was leased, nothing sent',
  'delivery.sent': 'the receiver has answered, nothing recorded',
  'delivery.before-commit': 'the outcome of an attempt written, not committed',
  'outreach.saved': 'an auto-push and what it queues written, not committed',
  'outreach.leased': 'an auto-push or an open batch was leased, nothing asked',
  'outreach.claimed': 'people noted as being sent, nothing sent',
  'outreach.answered': 'the outreach platform has answered, nothing recorded',
  'outreach.before-commit': 'the outcome of a batch written, not committed',
  'outreach.looked-up': 'an open batch was looked up, nothing recorded',
  'posts-read.fetched': 'an untracked read is here and its credits are held, nothing charged',
  'send.claimed': 'a part of a send of a person is claimed, nothing is queued or asked',
  'send.before-commit': 'a part of a send is queued and noted, not committed',
  'send.answered': 'people of a send are in the campaign, the part is not noted',
  'rescore.saved': 'criteria saved, no lead judged again yet',
  'rescore.batch': 'a batch of leads judged again, not committed',
  'push.queued': 'the leads of a push claimed, not committed',
  'discover.leased': 'a search for people was leased, nothing fetched',
  'discover.page-fetched': 'a page of a search for people is here, nothing written',
  'discover.profile-fetched': 'a profile looked up for its country is here, nothing written',
  'discover.people-written': 'people found are leads, not charged, not committed',
  'discover.charged': 'people found are charged, not marked as added, not committed',
  'discover.before-commit': 'a step of a search for people complete, not committed',
  'discover.after-commit': 'a step of a search for people committed, the next not begun',
  'credits.renewed': 'a period was renewed, not committed',
  'retention.purged': 'a batch of old rows removed, not committed',
} as const

/** The name of a place. */
export type FaultPoint = keyof typeof faultPoints

/** What an armed place throws. It stands for a process that dies there, so nobody records it as a failure of the work. */
export class ArmedFault extends Error {
  override readonly name: string = 'ArmedFault'
}

/** Passes a place; throws when a failure is armed there, ends the process when a crash is. */
export type FaultPointHook = (point: FaultPoint) => Promise<void>

/** Arms a place for its next `times` passes; 0 disarms it. */
export type ArmFault = (point: FaultPoint, times: number, action: 'fail' | 'crash') => Promise<void>

/** The places of a process; what is armed is kept in a table, so that it reaches every process and outlives the one that dies of it. */
export type Faults = { readonly faultPoint: FaultPointHook; readonly arm: ArmFault }

type Queries = { query(text: string, values: unknown[]): Promise<{ rows: { action: string }[] }> }

/**
 * Opens the places. Without a pool nothing is ever armed. The pool is not the one of units of work, so that the count survives a
 * rollback. `alone`: no other process arms anything, so that a pass through a place that was not armed here asks nobody.
 */
export function openFaults(
  pool: Queries | undefined,
  options: { readonly kill?: () => never; readonly alone?: boolean } = {},
): Faults {
  if (!pool) return { faultPoint: async () => {}, arm: async () => {} }
  const armedHere = new Set<FaultPoint>()
  return {
    faultPoint: async (point) => {
      if (options.alone && !armedHere.has(point)) return
      const { rows } = await pool.query(
        'update armed_fault set times = times - 1 where name = $1 and times > 0 returning action',
        [point],
      )
      if (rows.length === 0) {
        armedHere.delete(point)
        return
      }
      if (rows[0]!.action === 'crash') options.kill?.()
      throw new ArmedFault(`armed fault: ${point}`)
    },
    arm: async (point, times, action) => {
      armedHere.add(point)
      await pool.query(
        'insert into armed_fault (name, times, action) values ($1, $2, $3) on conflict (name) do update set times = excluded.times, action = excluded.action',
        [point, times, action],
      )
    },
  }
}
