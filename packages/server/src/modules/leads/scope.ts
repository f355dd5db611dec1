/** Which source a lead list is about; leads lie below sources, so this reads the table without its module. */
import { companyUrnNamed, foldText, type SourceNaming } from '@les/contract'
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'

/** A source as lists need it. */
export type LeadOwner = { readonly id: string; readonly active: boolean; readonly type: string }

/** How a request names the source that it is about: by id (null: a malformed one), or by a name. */
export interface Scope {
  readonly profileId?: string | null | undefined
  readonly username?: SourceNaming | undefined
}

type Row = { id: string; status: string; type: string }

/** The source of a name: of that very one, or of the person or page it is a name of (G146, G153); one that is tracked goes first. */
async function findNamed(db: Reader, teamId: string, { name, terms }: SourceNaming): Promise<Row | undefined> {
  const page = companyUrnNamed(name)
  const { rows } = await sql<Row>`
    select s.id, s.status, s.type from source s
    where s.team_id = ${teamId} and (s.username = ${name}
        or (s.type in ('post', 'keyword') and text_fold(s.username) = any(${[foldText(name), terms]}::text[]))
        or (s.type = 'person' and (s.network_urn = ${name}
      or s.network_urn = (select urn from person where team_id = ${teamId} and handle = ${name}
        order by enriched_at desc nulls last, urn limit 1)
      or (s.network_urn is null and s.username = (select handle from person
          where team_id = ${teamId} and urn = ${name}))))
        or (s.type = 'company' and (s.network_urn = ${page}
      or s.network_urn = (select urn from company where slug = ${name} order by fetched_at desc limit 1)
      or (s.network_urn is null and s.username = any(select slug from company where urn = ${page}
          union all select substring(urn from '[0-9]+$') from company where slug = ${name})))))
    order by s.status, s.username = ${name} desc, s.created_at, s.id limit 1`.execute(db)
  return rows[0]
}

/** Finds the source named by id, or by handle, member id or joined terms in any case; a malformed id names nothing. */
export async function findOwner(db: Reader, teamId: string, by: Scope): Promise<LeadOwner | null> {
  if (by.profileId === null) return null
  const row =
    by.username === undefined
      ? await db
          .selectFrom('source')
          .select(['id', 'status', 'type'])
          .where('team_id', '=', teamId)
          .where('id', '=', by.profileId ?? '')
          .executeTakeFirst()
      : await findNamed(db, teamId, by.username)
  return row ? { id: row.id, active: row.status === 'active', type: row.type } : null
}

/**
 * The source a list is narrowed to, null for the whole team; refuses an unknown one, and an untracked one unless it was
 * asked for (a keyword search stays readable, C3).
 */
export async function readScope(
  db: Reader,
  teamId: string,
  input: Scope & { readonly includeInactive?: boolean | undefined },
): Promise<string | null> {
  if (input.profileId === undefined && input.username === undefined) return null
  const owner =
    (await findOwner(db, teamId, input)) ?? refuse('not_found', {}, 'No such source: it is not tracked by this team')
  if (!owner.active && owner.type !== 'keyword' && input.includeInactive !== true)
    refuse('not_found', {}, 'That source is no longer tracked: send includeInactive=true to read its retained leads')
  return owner.id
}
