/** What the privacy desk asks of exclusions: an entry for somebody who objects, and taking somebody erased out of all entries. */
import { foldText } from '@les/contract'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { namesPerson, type ErasedPerson } from '../../accounts/index.ts'
import { addOptOuts, findEntry, holdById, type EntryRow, type ExclusionOrigin } from './store.ts'
import { entriesOfPeople } from './values.ts'

/** Who objects, by every name that is known of them, and who says so. */
export type Objection = {
  readonly teamId: string
  readonly urn: string | null
  readonly handle: string | null
  readonly origin: ExclusionOrigin
  readonly createdBy: string
}

/** Stores that a person is not to be contacted. */
export async function addObjection(
  tx: Tx,
  { teamId, urn, handle, origin, createdBy }: Objection,
): Promise<{ readonly entry: EntryRow; readonly repeated: boolean }> {
  // One that is listed by a handle whose id was not known yet is so by the id from now on: they may have leads under another handle.
  if (urn !== null && handle !== null) {
    await holdById(tx, teamId, { people: [{ urn, handle }], companyUrns: [] })
    tx.judgeAgain()
  }
  const entries = await entriesOfPeople(tx.db, teamId, [{ urn, handle, reason: 'objection' }])
  const added = await addOptOuts(tx, { teamId, origin, createdBy, entries })
  return { entry: (await findEntry(tx.db, teamId, entries[0]!))!, repeated: added === 0 }
}

/**
 * Deletes the entries that are a person, or a mail address that is known as theirs or begins with their handle, and reasons that name
 * them; answers how many. `max.mueller@firm.example` and `info@max.example` may be somebody else who objected, so `max` takes neither.
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

/** Deletes entries of titles that name somebody (expressions of PostgreSQL); answers how many. */
export async function deleteTitlesNaming(
  tx: Tx,
  teamId: string,
  { named, mention }: { readonly named: string; readonly mention: string },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from exclusion
    where team_id = ${teamId} and kind = 'title' and value ~ ${named} and value ~ ${mention}`.execute(tx.db)
  return Number(numAffectedRows ?? 0)
}
