/** What the privacy desk asks of exclusions: an entry for somebody who objects, and taking somebody erased out of all entries. */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { namesPerson, type ErasedPerson } from '../../accounts/index.ts'
import { findEntry, holdById, insertEntries, type EntryRow, type ExclusionOrigin } from './store.ts'
import { listPersonNames } from './values.ts'

/** Who objects, by every name that is known of them, and who says so. */
export type Objection = {
  readonly teamId: string
  readonly urn: string | null
  readonly handle: string | null
  readonly origin: ExclusionOrigin
  readonly createdBy: string
}

/**
 * Stores that a person is not to be contacted. One who is listed already is so by the objection from then on, since a team may clear its
 * other lists; who has asked for it before, by an objection or a result, stays as they are.
 */
export async function addObjection(
  tx: Tx,
  { teamId, urn, handle, origin, createdBy }: Objection,
): Promise<{ readonly entry: EntryRow; readonly repeated: boolean }> {
  const given = [urn, handle].flatMap((name) => name ?? [])
  const known = await listPersonNames(tx.db, teamId, given)
  const names = [...new Set([...given, ...[...known.values()].flat()])]
  // One that is listed by a handle whose id was not known yet is so by the id from now on: they may have leads under another handle.
  if (urn !== null && handle !== null) {
    await holdById(tx, teamId, { people: [{ urn, handle }], companyUrns: [] })
    tx.judgeAgain()
  }
  const key = names[0]!
  const { numAffectedRows: renamed = 0n } = await sql`
    update exclusion set list = 'do_not_contact', reason = 'objection', origin = ${origin}, created_by = ${createdBy}
    where team_id = ${teamId} and kind = 'person' and key = any(${names}::text[]) and origin <> 'result'
      and reason is distinct from 'objection'`.execute(tx.db)
  if (renamed > 0n) tx.judgeAgain()
  const entry = { index: 0, kind: 'person', value: handle ?? key, key, names, reason: 'objection' } as const
  const added = await insertEntries(tx, { teamId, list: 'do_not_contact', origin, createdBy, entries: [entry] })
  return {
    entry: (await findEntry(tx.db, teamId, { kind: 'person', names }))!,
    repeated: added === 0 && renamed === 0n,
  }
}

/**
 * Deletes the entries that are a person, or a mail address with their name in it, and reasons that name them; answers how many. Somebody
 * else whose handle begins like theirs stays on their list.
 */
export async function erasePersonFromExclusions(tx: Tx, teamId: string, person: ErasedPerson): Promise<number> {
  const names = [...person.urns, ...person.handles]
  const { numAffectedRows } = await sql`
    delete from exclusion where team_id = ${teamId} and (
      (kind = 'person' and (key = any(${names}::text[]) or value = any(${names}::text[])))
      or (kind = 'email' and ${namesPerson(sql`value`, person)}))`.execute(tx.db)
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
