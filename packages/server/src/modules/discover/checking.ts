/** Looking up where people are, before anyone is added (specification «Discover» 4; DIS-17..DIS-25). */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { matchCountry, personIsFresh } from '../network/index.ts'
import { listUnchecked, rankPeople, saveMatches } from './people-store.ts'
import { mostWeighed } from './rules/people.ts'
import { saveDiscoverCheckpoint, type DiscoverRun } from './store.ts'

/** Whether a profile's country is in the run's list; a profile without a country is in none. */
export const isWanted = (run: Pick<DiscoverRun, 'countries'>, country: string | null): boolean =>
  country !== null && matchCountry(run.countries, country) !== null

/** Ranks the people of a run that has read its posts. Of those whose profile the team has met lately the country is known already. */
export async function rank(tx: Tx, run: DiscoverRun): Promise<void> {
  const reached = await rankPeople(tx, run, mostWeighed(run))
  if (run.countries.length === 0)
    return void (await saveDiscoverCheckpoint(tx, run, { phase: 'add', qualified: reached }))
  const known = (await listUnchecked(tx.db, run, mostWeighed(run))).filter((person) =>
    personIsFresh(person.enrichedAt, tx.now),
  )
  await saveCountries(tx, { ...run, phase: 'check' }, known)
}

/** Notes people's countries and goes on; with a list, those in it are the people who met the criteria. */
export async function saveCountries(
  tx: Tx,
  run: DiscoverRun,
  people: readonly { readonly position: number; readonly country: string | null }[],
): Promise<void> {
  const matches = people.map(({ position, country }) => ({ position, matched: isWanted(run, country) }))
  await saveMatches(tx, run, matches)
  const countryMatched = run.countryMatched + matches.filter((match) => match.matched).length
  await saveDiscoverCheckpoint(tx, run, {
    phase: run.phase,
    countryChecked: run.countryChecked + matches.length,
    countryMatched,
    qualified: countryMatched,
  })
}
