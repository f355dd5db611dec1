/** Recording results: callers, the outreach platform and CRMs all come through here. */
import { readExclusionValue, type Outcome } from '@les/contract'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { addOptOuts, entriesOfPeople } from '../leads/index.ts'
import { findPeople, nameIn, type Named } from './people.ts'
import type { Told } from './rules/told.ts'
import { withoutRepeats } from './rules/told.ts'
import type { Origin } from './schema.ts'
import { findKnown, insertResults, listTold, type NewResult } from './store.ts'

/** A result of somebody who is still to be found. */
export type ToldResult = Omit<NewResult, 'person'> & { readonly named: Named }

/** What became of a list of results; `notFound` holds places in it. */
export type Recorded = { readonly recorded: number; readonly duplicates: number; readonly notFound: readonly number[] }

/** Records results of people whom the team has captured or sent; what is known already changes nothing. */
export async function recordTold(
  tx: Tx,
  teamId: string,
  { origin, told }: { readonly origin: Origin; readonly told: readonly ToldResult[] },
): Promise<Recorded> {
  const people = await findPeople(
    tx.db,
    teamId,
    told.map((one) => one.named),
  )
  const found = told.flatMap(({ named: _named, ...result }, place) => {
    const person = people.get(place)
    return person ? [{ ...result, person }] : []
  })
  const fresh = origin === 'heyreach' ? await withoutToldBefore(tx, teamId, found) : found
  const known = fresh.some(isUnwilling) ? await findKnown(tx.db, teamId, fresh) : new Set<number>()
  const written = await insertResults(tx, { teamId, origin, results: fresh })
  await excludeUnwilling(tx, teamId, [
    // Also by an external id that was given for another outcome before, which is a duplicate: of a record of a CRM, for instance.
    ...fresh.flatMap(({ person, outcome }, place) =>
      written.has(place) || !known.has(place) ? [{ urn: person.personUrn, handle: person.handle, outcome }] : [],
    ),
    // Nobody the team knows: there is nobody to record a result of, but they may be captured one day.
    ...told.flatMap(({ named, outcome }, place) => {
      const { urn, handle } = nameIn(named)
      const isSomebody = 'key' in readExclusionValue('person', urn ?? handle ?? '')
      return people.has(place) || !isSomebody ? [] : [{ urn, handle, outcome }]
    }),
  ])
  return {
    recorded: written.size,
    duplicates: found.length - written.size,
    notFound: told.flatMap((_one, place) => (people.has(place) ? [] : [place])),
  }
}

/** True of a result that says that somebody wants to hear no more. */
const isUnwilling = ({ outcome }: { readonly outcome: Outcome }): boolean =>
  outcome === 'unsubscribed' || outcome === 'not_interested'

/** A person who wants to hear no more is excluded for good, also from what a person sends by hand; an entry that was removed stays away. */
async function excludeUnwilling(
  tx: Tx,
  teamId: string,
  told: readonly { readonly urn: string | null; readonly handle: string | null; readonly outcome: Outcome }[],
): Promise<void> {
  const unwilling = told.filter(isUnwilling)
  if (unwilling.length === 0) return
  const people = unwilling.map(({ outcome, ...person }) => ({ ...person, reason: outcome }))
  const entries = await entriesOfPeople(tx.db, teamId, people)
  await addOptOuts(tx, { teamId, origin: 'result', createdBy: 'Results', entries })
}

async function withoutToldBefore(tx: Tx, teamId: string, found: readonly NewResult[]): Promise<NewResult[]> {
  const known = await listTold(
    tx.db,
    teamId,
    found.map(({ person }) => person),
  )
  const toldOf = (result: NewResult): Told & { readonly result: NewResult } => ({
    personUrn: result.person.personUrn,
    handle: result.person.handle,
    outcome: result.outcome,
    campaignId: result.campaignId ?? null,
    result,
  })
  return withoutRepeats(found.map(toldOf), known).map(({ result }) => result)
}

/** A stage that a record of a CRM has reached. `externalId` names the change there, so that reading it again counts once. */
export type CrmStage = ({ readonly personUrn: string } | { readonly handle: string }) & {
  readonly outcome: Outcome
  readonly at: Date
  readonly externalId: string
  readonly amount?: number | null
  readonly currency?: string | null
}

/** Records stages that a poller of a CRM has read, in its unit of work (RSL-06). */
export const recordStages = (tx: Tx, teamId: string, stages: readonly CrmStage[]): Promise<Recorded> =>
  recordTold(tx, teamId, {
    origin: 'crm',
    told: stages.map(({ outcome, at, externalId, amount, currency, ...person }) => ({
      named: 'personUrn' in person ? { urn: person.personUrn } : { handle: person.handle },
      outcome,
      at,
      externalId,
      amount,
      currency,
    })),
  })
