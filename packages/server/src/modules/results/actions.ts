import { optOutOutcomes, readExclusionValue, type Outcome } from '@les/contract'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { addOptOuts, entriesOfPeople } from '../leads/index.ts'
import { findPeople, nameIn, type PersonRef } from './people.ts'
import type { ReportedResult } from './rules/repeats.ts'
import { withoutRepeats } from './rules/repeats.ts'
import type { Origin } from './schema.ts'
import { findKnown, insertResults, listReported, type NewResult } from './store.ts'

/** A result whose person is still to be found. */
export type UnmatchedResult = Omit<NewResult, 'person'> & { readonly named: PersonRef }

/** The outcome of recording; `notFound` holds list indexes. */
export type Recorded = { readonly recorded: number; readonly duplicates: number; readonly notFound: readonly number[] }

/** Records results of people the team captured or sent; known results change nothing. */
export async function recordReported(
  tx: Tx,
  teamId: string,
  { origin, reported }: { readonly origin: Origin; readonly reported: readonly UnmatchedResult[] },
): Promise<Recorded> {
  const people = await findPeople(
    tx.db,
    teamId,
    reported.map((one) => one.named),
  )
  const found = reported.flatMap(({ named: _named, ...result }, place) => {
    const person = people.get(place)
    return person ? [{ ...result, person }] : []
  })
  const fresh = origin === 'heyreach' ? await withoutReportedBefore(tx, teamId, found) : found
  const known = fresh.some(isUnwilling) ? await findKnown(tx.db, teamId, fresh) : new Set<number>()
  const written = await insertResults(tx, { teamId, origin, results: fresh })
  await excludeUnwilling(tx, teamId, [
    // A new outcome under an external id that is known counts as a duplicate, but must still exclude the person.
    ...fresh.flatMap(({ person, outcome }, place) =>
      written.has(place) || !known.has(place) ? [{ urn: person.personUrn, handle: person.handle, outcome }] : [],
    ),
    // People the team does not know are excluded too: they may be captured one day.
    ...reported.flatMap(({ named, outcome }, place) => {
      const { urn, handle } = nameIn(named)
      const isSomebody = 'key' in readExclusionValue('person', urn ?? handle ?? '')
      return people.has(place) || !isSomebody ? [] : [{ urn, handle, outcome }]
    }),
  ])
  return {
    recorded: written.size,
    duplicates: found.length - written.size,
    notFound: reported.flatMap((_one, place) => (people.has(place) ? [] : [place])),
  }
}

const isUnwilling = ({ outcome }: { readonly outcome: Outcome }): boolean => optOutOutcomes.includes(outcome)

/** An exclusion for good, for manual sends too; an entry that a person removed is not added again. */
async function excludeUnwilling(
  tx: Tx,
  teamId: string,
  reported: readonly { readonly urn: string | null; readonly handle: string | null; readonly outcome: Outcome }[],
): Promise<void> {
  const unwilling = reported.filter(isUnwilling)
  if (unwilling.length === 0) return
  const people = unwilling.map(({ outcome, ...person }) => ({ ...person, reason: outcome }))
  const entries = await entriesOfPeople(tx.db, teamId, people)
  await addOptOuts(tx, { teamId, origin: 'result', createdBy: 'Results', entries })
}

async function withoutReportedBefore(tx: Tx, teamId: string, found: readonly NewResult[]): Promise<NewResult[]> {
  const known = await listReported(
    tx.db,
    teamId,
    found.map(({ person }) => person),
  )
  const reportedOf = (result: NewResult): ReportedResult & { readonly result: NewResult } => ({
    personUrn: result.person.personUrn,
    handle: result.person.handle,
    outcome: result.outcome,
    campaignId: result.campaignId ?? null,
    result,
  })
  return withoutRepeats(found.map(reportedOf), known).map(({ result }) => result)
}

/** A stage of a CRM record. `externalId` identifies the change there, so that reading it again counts once. */
type CrmStage = ({ readonly personUrn: string } | { readonly handle: string }) & {
  readonly outcome: Outcome
  readonly at: Date
  readonly externalId: string
  readonly amount?: number | null
  readonly currency?: string | null
}

/** Records stages in the unit of work of the CRM poller (RSL-06). */
export const recordStages = (tx: Tx, teamId: string, stages: readonly CrmStage[]): Promise<Recorded> =>
  recordReported(tx, teamId, {
    origin: 'crm',
    reported: stages.map(({ outcome, at, externalId, amount, currency, ...person }) => ({
      named: 'personUrn' in person ? { urn: person.personUrn } : { handle: person.handle },
      outcome,
      at,
      externalId,
      amount,
      currency,
    })),
  })
