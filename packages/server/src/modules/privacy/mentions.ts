/**
 * Taking a person out of what others wrote: wherever a text that stays names them, `[erased]` stands there instead. One list of columns,
 * held against the schema by `test/trust/privacy-doc.test.ts`, so that none is forgotten.
 *
 * One module writes a table; this is an exception like the end of a team, since one rule goes over the texts of all modules and changes
 * nothing that a rule of theirs is about.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { windowsOf } from '../../platform/db/windows.ts'
import type { ErasedPerson } from '../accounts/index.ts'
import { rewriteBodies } from '../delivery/index.ts'
import { deleteTitlesNaming, renewTexts } from '../leads/index.ts'
import { erasedMention, mentionPatterns, type MentionPatterns } from './mention-pattern.ts'

type MentionCounts = Record<'facts' | 'posts' | 'deliveries' | 'scores' | 'verdicts' | 'jobs', number>

/** Columns of a table, what they hold, and which count of the receipt their rows are in. */
type Searched = {
  readonly table: string
  readonly kind: 'text' | 'json' | 'prompt' | 'bytes'
  readonly columns: readonly string[]
  /** The column behind the team by which a table of many rows is gone through. */
  readonly key?: string
  readonly count: keyof MentionCounts
  /** What stands there instead, where a rewritten text could be one that there is. */
  readonly instead?: string
}

/** Every column of which something is left after an erasure that somebody else wrote. */
export const searchedForMentions: readonly Searched[] = [
  { table: 'source', kind: 'text', columns: ['post_url'], count: 'facts' },
  { table: 'keyword_search', kind: 'text', columns: ['name', 'ai_prompt'], count: 'facts' },
  { table: 'keyword_post', kind: 'text', columns: ['reason'], count: 'verdicts' },
  { table: 'sync_post', kind: 'text', columns: ['post_url'], count: 'facts' },
  { table: 'sync_post', kind: 'json', columns: ['page_rest'], count: 'facts' },
  { table: 'job', kind: 'json', columns: ['result', 'error'], count: 'jobs' },
  { table: 'discover_person', kind: 'json', columns: ['post'], count: 'facts' },
  { table: 'discover_post', kind: 'json', columns: ['post'], count: 'facts' },
  {
    table: 'lead',
    kind: 'text',
    columns: ['comment_text', 'post_url', 'headline', 'job_title', 'company_name'],
    key: 'id',
    count: 'facts',
  },
  { table: 'person', kind: 'text', columns: ['headline', 'job_title', 'company_name'], key: 'urn', count: 'facts' },
  { table: 'post', kind: 'text', columns: ['url', 'text', 'author_headline'], key: 'urn', count: 'posts' },
  { table: 'agent_person', kind: 'json', columns: ['judged'], count: 'scores' },
  { table: 'icp', kind: 'json', columns: ['rules'], count: 'facts' },
  { table: 'webhook', kind: 'json', columns: ['filters'], count: 'facts' },
  { table: 'destination', kind: 'json', columns: ['filters'], count: 'facts' },
  { table: 'destination', kind: 'text', columns: ['name'], count: 'facts' },
  { table: 'outreach_rule', kind: 'json', columns: ['filters'], count: 'facts' },
  { table: 'outreach_rule', kind: 'text', columns: ['campaign_name'], count: 'facts' },
  { table: 'team_default', kind: 'json', columns: ['webhook', 'criteria', 'outreach'], count: 'facts' },
  { table: 'delivery', kind: 'bytes', columns: ['body'], count: 'deliveries' },
  { table: 'delivery_attempt', kind: 'text', columns: ['response'], key: 'delivery_id', count: 'deliveries' },
  { table: 'destination_delivery', kind: 'json', columns: ['error'], count: 'deliveries' },
  { table: 'erasure', kind: 'text', columns: ['reason'], count: 'facts' },
  // Texts of members and vendors: those that name the person plainly are emptied before.
  { table: 'sync', kind: 'text', columns: ['error_text'], count: 'facts' },
  { table: 'sync', kind: 'prompt', columns: ['settings'], count: 'facts' },
  { table: 'discover_run', kind: 'text', columns: ['error_text'], count: 'facts' },
  { table: 'agent', kind: 'json', columns: ['profile', 'pending', 'webhook_filters'], count: 'facts' },
  { table: 'result', kind: 'text', columns: ['note'], key: 'id', count: 'facts' },
  { table: 'result_inbox', kind: 'text', columns: ['body'], count: 'facts' },
  { table: 'dispute', kind: 'text', columns: ['note', 'decision_note'], count: 'facts' },
  { table: 'exclusion', kind: 'text', columns: ['reason'], count: 'facts' },
  { table: 'planned_send', kind: 'text', columns: ['label'], count: 'facts' },
  { table: 'planned_send_part', kind: 'json', columns: ['how'], count: 'facts' },
  { table: 'saved_view', kind: 'json', columns: ['query'], count: 'facts' },
  { table: 'saved_view', kind: 'text', columns: ['name'], count: 'facts', instead: "'View ' || id" },
]

/** The logs, which are locked against what is being written: nothing else waits for these while the texts above are gone through. */
export const searchedLogs: readonly Searched[] = [
  { table: 'audit_entry', kind: 'json', columns: ['details'], key: 'id', count: 'facts' },
  { table: 'audit_entry', kind: 'text', columns: ['target'], key: 'id', count: 'facts' },
  { table: 'request_log', kind: 'text', columns: ['path', 'query', 'body'], key: 'id', count: 'facts' },
]

/** How a column is read as text, and written from it. */
const kinds = {
  text: (column: RawBuilder<unknown>) => ({ read: column, written: (text: RawBuilder<unknown>) => text }),
  json: (column: RawBuilder<unknown>) => ({
    read: sql`${column}::text`,
    written: (text: RawBuilder<unknown>) => sql`${text}::jsonb`,
  }),
  // What the run of a search asks an AI: its words stay.
  prompt: (column: RawBuilder<unknown>) => ({
    read: sql`(${column} #>> '{search,ai,prompt}')`,
    written: (text: RawBuilder<unknown>) => sql`jsonb_set(${column}, '{search,ai,prompt}', to_jsonb(${text}))`,
  }),
}

/**
 * Replaces every mention of a person in what a team keeps of others; answers how many rows held one, by the counts of the receipt. Texts
 * are looked through for names alone first, which takes a fifth of the time.
 */
export async function eraseMentions(tx: Tx, teamId: string, person: ErasedPerson): Promise<MentionCounts> {
  const counts = { facts: 0, posts: 0, deliveries: 0, scores: 0, verdicts: 0, jobs: 0 }
  const patterns = mentionPatterns(person)
  if (patterns === null) return counts
  await rewrite(tx, teamId, { patterns, searched: searchedForMentions, counts })
  await renewTexts(tx, teamId, patterns)
  // No title names them any more.
  counts.facts += await deleteTitlesNaming(tx, teamId, patterns)
  return counts
}

/** Does the same in the logs, once nothing more is written there. */
export async function eraseMentionsInLogs(tx: Tx, teamId: string, person: ErasedPerson): Promise<void> {
  const patterns = mentionPatterns(person)
  const counts = { facts: 0, posts: 0, deliveries: 0, scores: 0, verdicts: 0, jobs: 0 }
  if (patterns !== null) await rewrite(tx, teamId, { patterns, searched: searchedLogs, counts })
}

/** Rewrites the texts of one list. */
async function rewrite(
  tx: Tx,
  teamId: string,
  {
    patterns,
    searched,
    counts,
  }: { readonly patterns: MentionPatterns; readonly searched: readonly Searched[]; readonly counts: MentionCounts },
): Promise<void> {
  const { named, mention } = patterns
  for (const { table, kind, columns, key, count, instead } of searched) {
    if (kind === 'bytes') {
      counts[count] += await rewriteBodies(tx, teamId, { ...patterns, written: erasedMention })
      continue
    }
    const each = columns.map((name) => ({ column: sql.ref(name), ...kinds[kind](sql.ref(name)) }))
    const changes = each.map(({ column, read, written }) => {
      const rewritten = sql`regexp_replace(${read}, ${mention}, ${erasedMention}, 'g')`
      return sql`${column} = ${written(instead === undefined ? rewritten : sql.raw(instead))}`
    })
    // No `concat_ws`, which Citus takes for a function that may answer differently at every call.
    const said = sql`(${sql.join(
      each.map(({ read }) => sql`coalesce(${read}, '')`),
      sql` || ' ' || `,
    )})`
    const found = each.map(({ read }) => sql`${read} ~ ${mention}`)
    const windows = key === undefined ? [sql<unknown>`true`] : windowsOf(tx, teamId, { table, key, size: 20_000 })
    for await (const window of windows) {
      // A case keeps the order: to the planner, the long expression over each column looks cheaper than the short one over their texts joined.
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set ${sql.join(changes)}
        where team_id = ${teamId} and ${window}
          and case when ${said} ~ ${named} then (${sql.join(found, sql` or `)}) else false end`.execute(tx.db)
      counts[count] += Number(numAffectedRows ?? 0)
    }
  }
}
