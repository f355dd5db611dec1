/** Removes a person from stored answers, the audit log, the request log and saved views. */
import { sql, type RawBuilder } from 'kysely'
import { likeText } from '../../platform/db/like-text.ts'
import { countAffected } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { replayMs } from './idempotency.ts'
import { erasedPath, lockLog } from './request-log/store.ts'
import {
  clauseDashes,
  namerOf,
  namesOf,
  partsNaming,
  withoutPerson,
  wordsNaming,
  type ErasedPerson,
} from './rules/erased-person.ts'

const names = (text: RawBuilder<unknown>, person: ErasedPerson, expression: string): RawBuilder<boolean> =>
  sql<boolean>`(case when text_fold(${text}) like any(${namesOf(person).map(likeText)}::text[])
    then text_fold(translate(${text}, ${clauseDashes}, '  ')) ~ ${expression} else false end)`

/** SQL: whether a folded text names the person by whole words; tests for parts first, which is quicker. */
export const namesPerson = (text: RawBuilder<unknown>, person: ErasedPerson): RawBuilder<boolean> =>
  names(text, person, wordsNaming(person))

/** SQL: an id that a caller chose, in which the person is named. */
export const namesPersonInId = (id: RawBuilder<unknown>, person: ErasedPerson): RawBuilder<boolean> =>
  names(id, person, partsNaming(person))

/** Longer than any process takes to log a call after its answer is stored. */
const justGivenMs = 5 * 60_000

/** Counts for the erasure's receipt. */
type ErasedFromAccounts = { readonly answers: number; readonly logEntries: number }

/**
 * Removes a person. Stored answers are sealed, so which of them name the person is unknown: if the team holds anything of the
 * person (`isHeld`, or found here) all are cleared, else only those of the last minutes.
 */
export async function erasePersonFromAccounts(
  tx: Tx,
  teamId: string,
  { person, isHeld }: { person: ErasedPerson; isHeld: boolean },
): Promise<ErasedFromAccounts> {
  await sql`delete from agent_ranking_due
    where team_id = ${teamId} and about = 'person' and urn = any(${[...person.urns]}::text[])`.execute(tx.db)
  await lockLog(tx, teamId)
  const entry = sql`coalesce(target, '') || ' ' || details::text`
  const entries = await listEncoded(tx.db, teamId, { person, table: 'audit_entry', text: entry })
  const entriesErased = await countAffected(tx.db)`
    update audit_entry set target = null, details = '{}'::jsonb
    where team_id = ${teamId} and (id = any(${entries}::uuid[]) or ${namesPerson(entry, person)})`
  const line = sql`path || ' ' || query || ' ' || coalesce(body, '')`
  const lines = await listEncoded(tx.db, teamId, { person, table: 'request_log', text: line })
  const callsErased = await countAffected(tx.db)`
    update request_log set path = ${erasedPath}, query = '[]', body = null,
      request_id = case when ${namesPersonInId(sql`request_id`, person)} then id::text else request_id end
    where team_id = ${teamId} and (id = any(${lines}::uuid[]) or ${namesPerson(line, person)}
      or ${namesPersonInId(sql`request_id`, person)})`
  const logEntries = entriesErased + callsErased
  const all = isHeld || logEntries > 0
  // A call that has just ended may not be logged yet, and its answer may be the only trace of the person. The rows stay, so that
  // a retry is not executed and charged again.
  const since = new Date(tx.now.getTime() + replayMs - justGivenMs)
  const answers = await countAffected(tx.db)`
    update idempotency_answer set sealed = null
    where team_id = ${teamId} and sealed is not null and (${all} or expires_at > ${since})`
  return { answers: all ? answers : 0, logEntries }
}

/** Words are decoded one by one, because decoding fails for a long text as a whole. */
const encodedWords = /[^\s"<>]+/g

async function listEncoded(
  db: Reader,
  teamId: string,
  { person, table, text }: { person: ErasedPerson; table: 'audit_entry' | 'request_log'; text: RawBuilder<unknown> },
): Promise<string[]> {
  const { rows } = await sql<{ id: string; text: string }>`
    select id, ${text} as text from ${sql.table(table)}
    where team_id = ${teamId} and ${text} ~ '%[0-9A-Fa-f]{2}'`.execute(db)
  const isNamed = namerOf(person)
  return rows.flatMap((row) => ([row.text, ...(row.text.match(encodedWords) ?? [])].some(isNamed) ? [row.id] : []))
}

/** Removes the person from the filters of saved views, and renames views named after them; answers how many views. */
export async function erasePersonFromViews(tx: Tx, teamId: string, person: ErasedPerson): Promise<number> {
  const { rows } = await sql<{ id: string; query: Record<string, unknown>; named: boolean }>`
    select id, query, ${namesPerson(sql`name`, person)} as named from saved_view
    where team_id = ${teamId} and (query::text ~ '%[0-9A-Fa-f]{2}' or ${namesPerson(sql`name || ' ' || query::text`, person)})
    order by id for update`.execute(tx.db)
  const isNamed = namerOf(person)
  const views = rows.filter(({ query, named }) => named || isNamed([query, Object.keys(query)]))
  for (const { id, query, named } of views) {
    const left = Object.entries(withoutPerson(query, person) as object).filter(
      ([field, value]) => value !== null && !isNamed(field),
    )
    await sql`
      update saved_view set query = ${JSON.stringify(Object.fromEntries(left))}::jsonb,
        name = case when ${named} then ${`View ${id}`} else name end
      where team_id = ${teamId} and id = ${id}`.execute(tx.db)
  }
  return views.length
}
