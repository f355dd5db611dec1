/** Taking a person out of what `accounts` keeps: answers of safe retries, the audit log, the log of calls, saved views. */
import { sql, type RawBuilder } from 'kysely'
import { likeText } from '../../platform/db/like-text.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { erasedPath } from './erased-lines.ts'
import { replayMs } from './idempotency.ts'
import { lockLog } from './request-log/store.ts'
import { namerOf, namesOf, withoutPerson, wordsNaming, type ErasedPerson } from './rules/erased-person.ts'

/** SQL: a text in which the person is named by whole words, as texts are compared; looked for as a part first, which is quicker. */
export const namesPerson = (text: RawBuilder<unknown>, person: ErasedPerson): RawBuilder<boolean> =>
  sql<boolean>`(case when text_fold(${text}) like any(${namesOf(person).map(likeText)}::text[])
    then text_fold(${text}) ~ ${wordsNaming(person)} else false end)`

/** A call is written down a few seconds after its answer is stored, in whichever process. */
const justGivenMs = 5 * 60_000

/** What was taken out, for the receipt. */
export type ErasedFromAccounts = { readonly answers: number; readonly logEntries: number; readonly views: number }

/**
 * Takes a person out. Stored answers are sealed, so that nobody can say which of them holds somebody: where the team holds anything of the
 * person (`isHeld`, or found here) all of them go, else those of the last minutes; a retry of an earlier call is a call of its own then.
 */
export async function erasePersonFromAccounts(
  tx: Tx,
  teamId: string,
  { person, isHeld }: { person: ErasedPerson; isHeld: boolean },
): Promise<ErasedFromAccounts> {
  await sql`delete from agent_ranking_due
    where team_id = ${teamId} and about = 'person' and urn = any(${[...person.urns]}::text[])`.execute(tx.db)
  const views = await eraseFromViews(tx, teamId, person)
  await lockLog(tx, teamId)
  const entry = sql`coalesce(target, '') || ' ' || details::text`
  const entries = await listEncoded(tx.db, teamId, { person, table: 'audit_entry', text: entry })
  const audit = await sql`
    update audit_entry set target = null, details = '{}'::jsonb
    where team_id = ${teamId} and (id = any(${entries}::uuid[]) or ${namesPerson(entry, person)})`.execute(tx.db)
  const line = sql`path || ' ' || query || ' ' || coalesce(body, '') || ' ' || request_id`
  const lines = await listEncoded(tx.db, teamId, { person, table: 'request_log', text: line })
  const calls = await sql`
    update request_log set path = ${erasedPath}, query = '[]', body = null,
      request_id = case when ${namesPerson(sql`request_id`, person)} then id::text else request_id end
    where team_id = ${teamId} and (id = any(${lines}::uuid[]) or ${namesPerson(line, person)})`.execute(tx.db)
  const logEntries = Number(audit.numAffectedRows ?? 0) + Number(calls.numAffectedRows ?? 0)
  const all = isHeld || logEntries + views > 0
  // A call that is just ending is in no log yet, and what it answered may be all that there is of the person. The rows stay: what was asked
  // and charged under a key is not done again.
  const since = new Date(tx.now.getTime() + replayMs - justGivenMs)
  const answers = await sql`
    update idempotency_answer set sealed = null
    where team_id = ${teamId} and sealed is not null and (${all} or expires_at > ${since})`.execute(tx.db)
  return { answers: all ? Number(answers.numAffectedRows ?? 0) : 0, logEntries, views }
}

/** What may be percent-encoded, word by word: of a long text as a whole nothing is decoded. */
const encodedWords = /[^\s"<>]+/g

/** Lines of a log in which the person is named in percent-encoding, as in the paths of all calls. */
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

/** A view that looks for the person shows the list without that filter from then on; one that is called by them gets another name. */
async function eraseFromViews(tx: Tx, teamId: string, person: ErasedPerson): Promise<number> {
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
