/**
 * Removes a person from texts that stay: each mention becomes `[erased]`. One list names the columns, and
 * `test/trust/privacy-doc.test.ts` compares it with the schema, so that none is forgotten.
 *
 * An exception to one module per table, like the end of a team: one rule covers the texts of all modules, and changes nothing
 * their own rules depend on.
 */
import { sql, type RawBuilder } from 'kysely'
import { countAffected } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { windowsOf } from '../../platform/db/windows.ts'
import type { ErasedPerson } from '../accounts/index.ts'
import { rewriteBodies } from '../delivery/index.ts'
import { deleteTitlesNaming, renewTexts } from '../leads/index.ts'
import { listPagesWithPosts } from '../network/index.ts'
import { erasedMention, mentionPatterns, type MentionPatterns } from './mention-pattern.ts'

type MentionCounts = Record<'facts' | 'posts' | 'deliveries' | 'scores' | 'verdicts' | 'jobs', number>

/** Columns of a table, how they store text, and the receipt's count for their rows. */
type Searched = {
  readonly table: string
  readonly kind: 'text' | 'json' | 'prompt' | 'bytes'
  readonly columns: readonly string[]
  /** The column that follows `team_id` in an index, by which a large table is processed in windows. */
  readonly key?: string
  readonly count: keyof MentionCounts
  /** SQL of a replacement for the whole text, where a rewritten text could equal another row's. */
  readonly instead?: string
  /** Written by members, who call a person by their handle alone as well. */
  readonly byMembers?: true
}

/** Every column that keeps, after an erasure, a text someone else wrote. */
export const searchedForMentions: readonly Searched[] = [
  { table: 'source', kind: 'text', columns: ['post_url'], count: 'facts' },
  { table: 'keyword_search', kind: 'text', columns: ['name', 'ai_prompt'], count: 'facts', byMembers: true },
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
  { table: 'icp', kind: 'json', columns: ['rules'], count: 'facts', byMembers: true },
  { table: 'webhook', kind: 'json', columns: ['filters'], count: 'facts', byMembers: true },
  { table: 'destination', kind: 'json', columns: ['filters'], count: 'facts', byMembers: true },
  { table: 'destination', kind: 'text', columns: ['name'], count: 'facts', byMembers: true },
  { table: 'outreach_rule', kind: 'json', columns: ['filters'], count: 'facts', byMembers: true },
  { table: 'outreach_rule', kind: 'text', columns: ['campaign_name'], count: 'facts', byMembers: true },
  { table: 'team_default', kind: 'json', columns: ['criteria', 'outreach'], count: 'facts', byMembers: true },
  // Exports of the team are deleted once one of them names the person.
  { table: 'lead_export', kind: 'json', columns: ['filters'], count: 'facts', byMembers: true },
  { table: 'delivery', kind: 'bytes', columns: ['body'], count: 'deliveries' },
  { table: 'delivery_attempt', kind: 'text', columns: ['response'], key: 'delivery_id', count: 'deliveries' },
  { table: 'destination_delivery', kind: 'json', columns: ['error'], count: 'deliveries' },
  { table: 'erasure', kind: 'text', columns: ['reason'], count: 'facts' },
  // Texts of members and vendors; those that name the person plainly have been emptied before.
  { table: 'sync', kind: 'text', columns: ['error_text'], count: 'facts' },
  { table: 'sync', kind: 'prompt', columns: ['settings'], count: 'facts', byMembers: true },
  { table: 'discover_run', kind: 'text', columns: ['error_text'], count: 'facts' },
  { table: 'agent', kind: 'json', columns: ['profile', 'pending', 'webhook_filters'], count: 'facts', byMembers: true },
  { table: 'result', kind: 'text', columns: ['note'], key: 'id', count: 'facts' },
  { table: 'result_inbox', kind: 'text', columns: ['body'], count: 'facts' },
  { table: 'dispute', kind: 'text', columns: ['note', 'decision_note'], count: 'facts' },
  { table: 'exclusion', kind: 'text', columns: ['reason'], count: 'facts' },
  { table: 'planned_send', kind: 'text', columns: ['label'], count: 'facts' },
  { table: 'planned_send_part', kind: 'json', columns: ['how'], count: 'facts' },
  { table: 'saved_view', kind: 'json', columns: ['query'], count: 'facts' },
  { table: 'saved_view', kind: 'text', columns: ['name'], count: 'facts', instead: "'View ' || id" },
]

/** The logs. Searched last and separately, because writers wait for their lock. */
export const searchedLogs: readonly Searched[] = [
  { table: 'audit_entry', kind: 'json', columns: ['details'], key: 'id', count: 'facts' },
  { table: 'audit_entry', kind: 'text', columns: ['target'], key: 'id', count: 'facts' },
  { table: 'request_log', kind: 'text', columns: ['path', 'query', 'body'], key: 'id', count: 'facts' },
]

/** Conversion of a column to text and back. */
const kinds = {
  text: (column: RawBuilder<unknown>) => ({ read: column, written: (text: RawBuilder<unknown>) => text }),
  json: (column: RawBuilder<unknown>) => ({
    read: sql`${column}::text`,
    written: (text: RawBuilder<unknown>) => sql`${text}::jsonb`,
  }),
  // Only the AI prompt of a search's settings; its search words stay.
  prompt: (column: RawBuilder<unknown>) => ({
    // As JSON text, since Citus refuses `to_jsonb` over a column in an update.
    read: sql`(${column} #> '{search,ai,prompt}')::text`,
    written: (text: RawBuilder<unknown>) => sql`jsonb_set(${column}, '{search,ai,prompt}', ${text}::jsonb)`,
  }),
}

/** Replaces every mention of a person in texts of others; returns how many rows had one, by the receipt's counts. */
export async function eraseMentions(tx: Tx, teamId: string, person: ErasedPerson): Promise<MentionCounts> {
  const counts = { facts: 0, posts: 0, deliveries: 0, scores: 0, verdicts: 0, jobs: 0 }
  const pages = await listPagesWithPosts(tx.db, teamId, person.handles)
  const patterns = mentionPatterns(person, { pages })
  if (patterns === null) return counts
  const ofMembers = mentionPatterns(person, { pages, byMembers: true })!
  await rewrite(tx, teamId, { patterns, ofMembers, searched: searchedForMentions, counts })
  await renewTexts(tx, teamId, patterns)
  // The rewritten titles of leads match these entries no longer.
  counts.facts += await deleteTitlesNaming(tx, teamId, patterns)
  return counts
}

/** Does the same in the logs; the caller holds their lock. */
export async function eraseMentionsInLogs(tx: Tx, teamId: string, person: ErasedPerson): Promise<void> {
  const patterns = mentionPatterns(person)
  const counts = { facts: 0, posts: 0, deliveries: 0, scores: 0, verdicts: 0, jobs: 0 }
  if (patterns !== null) await rewrite(tx, teamId, { patterns, ofMembers: patterns, searched: searchedLogs, counts })
}

async function rewrite(
  tx: Tx,
  teamId: string,
  {
    patterns,
    ofMembers,
    searched,
    counts,
  }: {
    readonly patterns: MentionPatterns
    readonly ofMembers: MentionPatterns
    readonly searched: readonly Searched[]
    readonly counts: MentionCounts
  },
): Promise<void> {
  for (const { table, kind, columns, key, count, instead, byMembers } of searched) {
    const { named, mention } = byMembers ? ofMembers : patterns
    if (kind === 'bytes') {
      counts[count] += await rewriteBodies(tx, teamId, { ...patterns, written: erasedMention })
      continue
    }
    const each = columns.map((name) => ({ column: sql.ref(name), ...kinds[kind](sql.ref(name)) }))
    const changes = each.map(({ column, read, written }) => {
      const rewritten = sql`regexp_replace(${read}, ${mention}, ${erasedMention}, 'g')`
      return sql`${column} = ${written(instead === undefined ? rewritten : sql.raw(instead))}`
    })
    // Not `concat_ws`, which Citus treats as non-deterministic.
    const said = sql`(${sql.join(
      each.map(({ read }) => sql`coalesce(${read}, '')`),
      sql` || ' ' || `,
    )})`
    const found = each.map(({ read }) => sql`${read} ~ ${mention}`)
    const windows = key === undefined ? [sql<unknown>`true`] : windowsOf(tx, teamId, { table, key, size: 20_000 })
    for await (const window of windows) {
      // `case` runs the short expression first, which takes a fifth of the time; the planner would run the long one first.
      counts[count] += await countAffected(tx.db)`
        update ${sql.table(table)} set ${sql.join(changes)}
        where team_id = ${teamId} and ${window}
          and case when ${said} ~ ${named} then (${sql.join(found, sql` or `)}) else false end`
    }
  }
}
