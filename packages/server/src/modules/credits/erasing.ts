/** Removes a person from ledger keys, free lines and disputes; amounts and sums stay. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { namesPerson, type ErasedPerson } from '../accounts/index.ts'
import { chargeKeysOfPerson, type ChargedFor } from './rules/keys.ts'

/**
 * Replaces the keys of charges for people and for their leads' enrichment by anonymous ones; returns how many. Discover runs may
 * be deleted by age, so their ids are unknown: their charges are found by the member id at the end of the key.
 */
export async function eraseFromLedger(tx: Tx, teamId: string, charged: ChargedFor): Promise<number> {
  const keys = chargeKeysOfPerson(charged)
  const { rows } = await sql<{ id: string }>`
    select e.id from credit_entry e where e.team_id = ${teamId} and (e.key = any(${keys}::text[])
      or (e.key like 'discover:%' and split_part(e.key, ':', 4) = any(${[...charged.urns]}::text[])))
    order by e.id for update`.execute(tx.db)
  if (rows.length === 0) return 0
  await sql`
    update credit_entry e set key = 'erased:' || named.fresh
    from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map(() => tx.newId())}::text[]) as named (id, fresh)
    where e.team_id = ${teamId} and e.id = named.id`.execute(tx.db)
  return rows.length
}

/**
 * Removes the hashes by which a run recognises a person's reactions whose leads are deleted; they are not keyed. Lines older than
 * a week and lines of blocked people have no hashes.
 */
export async function eraseFromFreeLines(tx: Tx, teamId: string, urns: readonly string[]): Promise<void> {
  await sql`
    with theirs as materialized (
      select substring(encode(sha256(convert_to('reaction:' || p.urn || ':' || given.urn, 'UTF8')), 'hex') for 32)::uuid as id
      from post p cross join unnest(${[...urns]}::text[]) as given (urn) where p.team_id = ${teamId})
    update free_line f set engagements = array(
      select case when theirs.id is null then each.id end
      from unnest(f.engagements) with ordinality as each (id, nth) left join theirs on theirs.id = each.id order by each.nth)
    where f.team_id = ${teamId} and f.engagements is not null
      and exists (select 1 from unnest(f.engagements) as each (id) join theirs on theirs.id = each.id)`.execute(tx.db)
}

/** Clears dispute notes that name the person. */
export async function erasePersonFromDisputes(tx: Tx, teamId: string, person: ErasedPerson): Promise<void> {
  await sql`
    update dispute set note = case when ${namesPerson(sql`coalesce(note, '')`, person)} then null else note end,
      decision_note = case when ${namesPerson(sql`coalesce(decision_note, '')`, person)} then null else decision_note end
    where team_id = ${teamId}
      and ${namesPerson(sql`coalesce(note, '') || ' ' || coalesce(decision_note, '')`, person)}`.execute(tx.db)
}
