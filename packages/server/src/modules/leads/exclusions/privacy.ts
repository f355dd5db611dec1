/** Exclusions as the privacy desk needs them: entries for objections, and removing an erased person from all entries. */
import { foldText } from '@les/contract'
import { sql } from 'kysely'
import { countAffected } from '../../../platform/db/query.ts'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { namesPerson, type ErasedPerson } from '../../accounts/index.ts'
import { addOptOuts, findEntry, rekeyById, type EntryRow, type ExclusionOrigin } from './store.ts'
import { entriesOfPeople } from './values.ts'

/** A person who objects, by their known names, and who entered it. */
type Objection = {
  readonly teamId: string
  readonly urn: string | null
  readonly handle: string | null
  readonly origin: ExclusionOrigin
  readonly createdBy: string
}

/** Lists a person as not to be contacted; `repeated` when they already were. */
export async function addObjection(
  tx: Tx,
  { teamId, urn, handle, origin, createdBy }: Objection,
): Promise<{ readonly entry: EntryRow; readonly repeated: boolean }> {
  // An entry made by handle before the member id was known is keyed by the id: the person may have leads under another handle.
  if (urn !== null && handle !== null) {
    await rekeyById(tx, teamId, { people: [{ urn, handle }], companyUrns: [] })
    tx.judgeAgain()
  }
  const entries = await entriesOfPeople(tx.db, teamId, [{ urn, handle, reason: 'objection' }])
  const added = await addOptOuts(tx, { teamId, origin, createdBy, entries })
  return { entry: (await findEntry(tx.db, teamId, entries[0]!))!, repeated: added === 0 }
}

/**
 * Deletes entries that are the person, or an email address known as theirs or beginning with their handle, and reasons that name
 * them; returns how many entries. `max.mueller@firm.example` and `info@max.example` may be other people, so `max` removes neither.
 */
export async function erasePersonFromExclusions(tx: Tx, teamId: string, person: ErasedPerson): Promise<number> {
  const names = [...person.urns, ...person.handles]
  const [mails, handles] = [person.mails ?? [], person.handles].map((texts) => texts.map(foldText))
  const { numAffectedRows } = await sql`
    delete from exclusion where team_id = ${teamId} and (
      (kind = 'person' and (key = any(${names}::text[]) or value = any(${names}::text[])))
      or (kind = 'email' and (text_fold(value) = any(${mails}::text[])
        or split_part(text_fold(value), '@', 1) = any(${handles}::text[]))))`.execute(tx.db)
  await sql`update exclusion set reason = null
    where team_id = ${teamId} and ${namesPerson(sql`coalesce(reason, '')`, person)}`.execute(tx.db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes title entries that name a person (`named`, `mention`: regular expressions of PostgreSQL); returns how many. */
export const deleteTitlesNaming = (
  tx: Tx,
  teamId: string,
  { named, mention }: { readonly named: string; readonly mention: string },
) =>
  countAffected(tx.db)`
    delete from exclusion
    where team_id = ${teamId} and kind = 'title' and value ~ ${named} and value ~ ${mention}`
