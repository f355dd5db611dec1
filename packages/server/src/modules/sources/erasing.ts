import { sql } from 'kysely'
import { queryColumn } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { namesPerson, withoutPerson, writeUntracked, type ErasedPerson } from '../accounts/index.ts'
import { isByPerson, type DeletedLead } from '../leads/index.ts'
import type { PersonNamed } from '../network/index.ts'
import { untrack, type EndDeliveries } from './actions.ts'
import { identityOf, lockSource } from './find.ts'
import type { PageRest } from './runs/run.ts'
import { moveCounts } from './store.ts'

/** Adjusts the counters of locked sources for deleted leads. */
export async function countDeleted(tx: Tx, teamId: string, deleted: readonly DeletedLead[]): Promise<void> {
  for (const [sourceId, theirs] of Map.groupBy(deleted, (lead) => lead.sourceId)) {
    if (sourceId === null) continue
    const less = (...states: readonly DeletedLead['enrichment'][]) =>
      0 - theirs.filter(({ enrichment }) => states.includes(enrichment)).length
    await moveCounts(
      tx,
      { teamId, id: sourceId },
      {
        raw: less('raw'),
        pending: less('pending', 'processing'),
        completed: less('completed'),
        failed: less('failed'),
        skipped: less('skipped'),
      },
    )
  }
}

/** All source ids of a team, tracked or not. */
export const listSourceIds = (db: Reader, teamId: string) =>
  queryColumn<string>(db)`select id from source where team_id = ${teamId}`

/** Ids of the sources that are the person, tracked or not. */
export async function listSourcesOf(db: Reader, teamId: string, { urns, handles }: ErasedPerson): Promise<string[]> {
  const identities = [...urns, ...handles].map(identityOf)
  return queryColumn<string>(db)`
    select id from source where team_id = ${teamId} and type = 'person'
      and (identity = any(${identities}::bytea[]) or network_urn = any(${[...urns]}::text[])) order by id`
}

/** Untracks locked sources; an erasure overrides the rule that a trial keeps its sources. */
export async function untrackAll(
  tx: Tx,
  teamId: string,
  { ids, endDeliveries }: { ids: readonly string[]; endDeliveries: EndDeliveries },
): Promise<void> {
  for (const id of ids) {
    const source = await lockSource(tx, teamId, { id })
    if (source?.status !== 'active') continue
    await untrack(tx, source, { endDeliveries })
    await writeUntracked(tx, source)
  }
}

/** Replaces the names of the person's sources, and the addresses of tracked posts that the person wrote. */
export async function eraseSourceNames(
  tx: Tx,
  teamId: string,
  { sourceIds, postUrns }: { sourceIds: readonly string[]; postUrns: readonly string[] },
): Promise<void> {
  for (const id of sourceIds) {
    const username = `erased-${id}`
    await sql`update source set username = ${username}, identity = ${identityOf(username)}, network_urn = null, post_url = null
      where team_id = ${teamId} and id = ${id}`.execute(tx.db)
  }
  await sql`update source set post_url = 'https://www.linkedin.com/feed/update/' || username
    where team_id = ${teamId} and type = 'post' and post_url is not null and username = any(${[...postUrns]}::text[])`.execute(
    tx.db,
  )
}

/**
 * The settings without the person, whom filters have by member id. All words stay, those of `authorKeyword` as well, since they
 * decide what is found and paid for; what an AI is asked loses mentions alone.
 */
function settingsWithout(settings: Record<string, unknown>, { urns }: ErasedPerson): unknown {
  const search = settings.search as Record<string, unknown> | undefined
  if (search === undefined) return settings
  const filters = withoutPerson(search.filters, { urns, handles: [], names: [] })
  return { ...settings, search: { ...search, filters } }
}

/** The cursor without the person. Only `left` is searched: the service's own words elsewhere may equal the person's handle. */
const cursorWithout = (cursor: Record<string, unknown>, person: ErasedPerson): unknown => ({
  ...cursor,
  ...('left' in cursor ? { left: withoutPerson(cursor.left, person) } : {}),
})

/**
 * Removes a person from runs. Raises the fence of open runs, so that their workers write nothing they have already fetched and
 * the page is fetched again.
 */
export async function erasePersonFromRuns(
  tx: Tx,
  teamId: string,
  { person, postUrns }: { person: ErasedPerson; postUrns: readonly string[] },
): Promise<void> {
  await sql`
    update sync set fence = fence + 1, lease_owner = null, lease_until_ms = null
    where team_id = ${teamId} and id = any(array(
      select id from sync where team_id = ${teamId} and finished_at is null order by id for update))`.execute(tx.db)
  tx.mark('capture', teamId)
  tx.mark('keyword', teamId)
  const { rows } = await sql<{
    id: string
    settings: Record<string, unknown>
    cursor: Record<string, unknown>
    error: string | null
  }>`
    select id, settings, cursor, error_text as error from sync where team_id = ${teamId}
      and ${namesPerson(sql`settings::text || cursor::text || coalesce(error_text, '')`, person)}
    order by id for update`.execute(tx.db)
  for (const { id, settings, cursor, error } of rows)
    await sql`
      update sync set settings = ${JSON.stringify(settingsWithout(settings, person))}::jsonb,
        cursor = ${JSON.stringify(cursorWithout(cursor, person))}::jsonb, error_text = ${withoutPerson(error, person)}::text
      where team_id = ${teamId} and id = ${id}`.execute(tx.db)
  await sql`
    update sync_post set post_url = 'https://www.linkedin.com/feed/update/' || post_urn, author_urn = null
    where team_id = ${teamId} and post_urn = any(${[...postUrns]}::text[])`.execute(tx.db)
  const { rows: cut } = await sql<{ run: string; position: number; rest: PageRest }>`
    select sync_id as run, position, page_rest as rest from sync_post
    where team_id = ${teamId} and page_rest is not null and ${namesPerson(sql`page_rest::text`, person)}`.execute(tx.db)
  // Only the person's own engagements go; other people's texts that name the person are rewritten like all texts.
  const isTheirs = ({ urn, otherUrns = [], handle }: PersonNamed) =>
    [urn, ...otherUrns].some((id) => id !== null && person.urns.includes(id)) ||
    (handle !== null && person.handles.includes(handle))
  for (const { run, position, rest } of cut) {
    const engagements = rest.engagements.filter((each) => !isByPerson(each) || !isTheirs(each.person))
    await sql`update sync_post set page_rest = ${JSON.stringify({ ...rest, engagements })}::jsonb
      where team_id = ${teamId} and sync_id = ${run} and position = ${position}`.execute(tx.db)
  }
}
