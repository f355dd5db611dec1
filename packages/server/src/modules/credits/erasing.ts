/** Taking a person out of the ledger: the keys of its lines name whom a line is about; amounts and sums stay. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'

/** A lead row that goes, as a charge for its enrichment names it. */
type ErasedLead = { readonly id: string; readonly sourceId: string | null }

/**
 * Gives the charges for people, and for the enrichment of their leads, keys that name nobody. `owners`: every source and Discover run that
 * may have charged for them. Answers how many lines.
 */
export async function eraseFromLedger(
  tx: Tx,
  teamId: string,
  {
    urns,
    owners,
    leads,
  }: { readonly urns: readonly string[]; readonly owners: readonly string[]; readonly leads: readonly ErasedLead[] },
): Promise<number> {
  const keys = [
    ...owners.flatMap((owner) =>
      urns.flatMap((urn) => [`source:${owner}:person:${urn}`, `discover:${owner}:person:${urn}`]),
    ),
    ...leads.map(({ id, sourceId }) => `enrich:${sourceId ?? 'discover'}:${id}`),
  ]
  const { rows } = await sql<{ id: string }>`
    select e.id from unnest(${keys}::text[]) as named (key) join credit_entry e on e.team_id = ${teamId} and e.key = named.key
    order by e.id for update of e`.execute(tx.db)
  if (rows.length === 0) return 0
  await sql`
    update credit_entry e set key = 'erased:' || named.fresh
    from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map(() => tx.newId())}::text[]) as named (id, fresh)
    where e.team_id = ${teamId} and e.id = named.id`.execute(tx.db)
  return rows.length
}
