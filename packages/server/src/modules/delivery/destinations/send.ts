/** Sending a batch through its adapter: what may have been written already is looked up first, where it could be written twice. */
import { DestinationFailure, type RecordOutcome } from '../../../providers/destinations/port.ts'
import type { Begun, Ready } from './batch.ts'
import { pauseOf } from './rules.ts'
import type { Session } from './store.ts'

/**
 * What came of a batch: outcomes by delivery, and the failure of the platform as a whole, if it failed. `unaskable`: deliveries whose
 * answer is lost for good.
 */
export type Sent = {
  readonly outcomes: ReadonlyMap<string, RecordOutcome>
  readonly unaskable: ReadonlySet<string>
  readonly failure: DestinationFailure | null
}

/** Looks up what may have been written already; answers what is known of it, the rest is to be sent. */
async function lookUp(
  { adapter, connection, parts }: Session,
  lost: readonly Ready[],
): Promise<{ outcomes: Map<string, RecordOutcome>; unaskable: ReadonlySet<string>; unsent: Ready[] }> {
  const outcomes = new Map<string, RecordOutcome>()
  if (lost.length === 0) return { outcomes, unaskable: new Set(), unsent: [] }
  const keyOf = ({ document }: Ready) => (adapter.limits.per === 'lead' ? document.leadId : document.personKey)
  const found = await adapter.find(parts, connection, lost.map(keyOf))
  for (const one of lost) {
    const { id } = one.waiting
    const remote = found?.get(keyOf(one))
    if (found === null)
      outcomes.set(id, { id, state: 'unknown', message: 'The answer was lost, and the platform cannot be asked.' })
    else if (remote) outcomes.set(id, { id, state: 'written', how: 'updated', remote })
  }
  return {
    outcomes,
    unaskable: new Set(found === null ? outcomes.keys() : []),
    unsent: lost.filter(({ waiting }) => !outcomes.has(waiting.id)),
  }
}

/** The trouble of the platform as a whole that outcomes tell of; one record that it cannot take for now is none. */
function failureIn(outcomes: readonly RecordOutcome[]): DestinationFailure | null {
  const [lost] = outcomes.filter((outcome) => outcome.state === 'unknown')
  if (lost && outcomes.every(({ state }) => state === 'unknown'))
    return new DestinationFailure('answer_lost', lost.message)
  const later = outcomes.filter((outcome) => outcome.state === 'later')
  const whole = later.find(({ trouble }) => trouble === 'rate' || pauseOf(trouble) !== null)
  const first = whole ?? (later.length === outcomes.length ? later[0] : undefined)
  return first ? new DestinationFailure(first.trouble, first.message, { retryAt: first.at }) : null
}

/** Sends a batch; the failure of the platform as a whole is an answer too. */
export async function sendBatch(session: Session, { ready, lost }: Begun): Promise<Sent> {
  const outcomes = new Map<string, RecordOutcome>()
  let unaskable: ReadonlySet<string> = new Set()
  let isLookedUp = false
  try {
    const looked = await lookUp(session, lost)
    isLookedUp = true
    unaskable = looked.unaskable
    for (const [id, outcome] of looked.outcomes) outcomes.set(id, outcome)
    const records = [...looked.unsent, ...ready].map(({ waiting: { id, remote }, document }) => ({
      id,
      document,
      remote,
      isSample: false,
    }))
    if (records.length > 0)
      for (const outcome of await session.adapter.deliver(session.parts, session.connection, records))
        outcomes.set(outcome.id, outcome)
    const said = [...outcomes.values()].filter(({ id }) => !unaskable.has(id))
    return { outcomes, unaskable, failure: failureIn(said) }
  } catch (error) {
    if (!(error instanceof DestinationFailure)) throw error
    // Still nobody knows: they are looked up again before they are sent.
    if (!isLookedUp)
      for (const { waiting } of lost)
        outcomes.set(waiting.id, { id: waiting.id, state: 'unknown', message: error.message })
    return { outcomes, unaskable, failure: error }
  }
}
