import { DestinationFailure, type RecordOutcome } from '../../../providers/destinations/port.ts'
import type { Begun, Ready } from './batch.ts'
import { pauseOf } from './rules.ts'
import type { Session } from './store.ts'

/** Outcomes by delivery id and the platform's failure, if any; `unverifiable`: lost answers that cannot be looked up. */
export type BatchResult = {
  readonly outcomes: ReadonlyMap<string, RecordOutcome>
  readonly unverifiable: ReadonlySet<string>
  readonly failure: DestinationFailure | null
}

async function lookUp(
  { adapter, connection, parts }: Session,
  unconfirmed: readonly Ready[],
): Promise<{ outcomes: Map<string, RecordOutcome>; unverifiable: ReadonlySet<string>; unsent: Ready[] }> {
  const outcomes = new Map<string, RecordOutcome>()
  if (unconfirmed.length === 0) return { outcomes, unverifiable: new Set(), unsent: [] }
  const keyOf = ({ document }: Ready) => (adapter.limits.per === 'lead' ? document.leadId : document.personKey)
  const found = await adapter.find(parts, connection, unconfirmed.map(keyOf))
  for (const one of unconfirmed) {
    const { id } = one.waiting
    const remote = found?.get(keyOf(one))
    if (found === null)
      outcomes.set(id, { id, state: 'unknown', message: 'The answer was lost, and the platform cannot be asked.' })
    else if (remote) outcomes.set(id, { id, state: 'written', how: 'updated', remote })
  }
  return {
    outcomes,
    unverifiable: new Set(found === null ? outcomes.keys() : []),
    unsent: unconfirmed.filter(({ waiting }) => !outcomes.has(waiting.id)),
  }
}

/** The failure of the whole platform that the outcomes imply; one record put off implies none. */
function failureIn(outcomes: readonly RecordOutcome[]): DestinationFailure | null {
  const [lost] = outcomes.filter((outcome) => outcome.state === 'unknown')
  if (lost && outcomes.every(({ state }) => state === 'unknown'))
    return new DestinationFailure('answer_lost', lost.message)
  const later = outcomes.filter((outcome) => outcome.state === 'later')
  const whole = later.find(({ trouble }) => trouble === 'rate' || pauseOf(trouble) !== null)
  const first = whole ?? (later.length === outcomes.length ? later[0] : undefined)
  return first ? new DestinationFailure(first.trouble, first.message, { retryAt: first.at }) : null
}

/** Sends a batch after looking up `unconfirmed`; a failure of the whole platform is returned, not thrown. */
export async function sendBatch(session: Session, { ready, unconfirmed }: Begun): Promise<BatchResult> {
  const outcomes = new Map<string, RecordOutcome>()
  let unverifiable: ReadonlySet<string> = new Set()
  let isLookedUp = false
  try {
    const looked = await lookUp(session, unconfirmed)
    isLookedUp = true
    unverifiable = looked.unverifiable
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
    const said = [...outcomes.values()].filter(({ id }) => !unverifiable.has(id))
    return { outcomes, unverifiable, failure: failureIn(said) }
  } catch (error) {
    if (!(error instanceof DestinationFailure)) throw error
    // The lookup failed, so these stay unknown and are looked up again before they are sent.
    if (!isLookedUp)
      for (const { waiting } of unconfirmed)
        outcomes.set(waiting.id, { id: waiting.id, state: 'unknown', message: error.message })
    return { outcomes, unverifiable, failure: error }
  }
}
