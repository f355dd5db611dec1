/** Compares docs/privacy.md with the schema: every new column must be declared as holding personal data or not. */
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { searchedForMentions, searchedLogs } from '../../src/modules/privacy/mentions.ts'
import { tableRetention } from '../../src/worker/retention/tables.ts'
import { eachTableOnce } from '../world/shards.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

const read = (name: string) => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8')
const page = read('privacy')
const architecture = read('ARCHITECTURE')

/** A row of the page's table: tables, their columns with and without personal data, and the remaining text. */
type Row = {
  readonly tables: readonly string[]
  readonly somebody: readonly string[]
  readonly nobody: readonly string[]
  readonly erased: string
  readonly kept: string
}

const named = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
const rows: Row[] = page
  .slice(page.indexOf('## Every table'))
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, tables, somebody, nobody, erased, kept]) => ({
    tables: named(tables!),
    somebody: named(somebody!),
    nobody: named(nobody!),
    erased: erased!,
    kept: kept!,
  }))
const rowOf = (table: string) => rows.find(({ tables }) => tables.includes(table))

const matches = (names: readonly string[], column: string) =>
  names.some((name) => name === column || (name.startsWith('*') && column.endsWith(name.slice(1))))

let database: TestDatabase
let columns: { readonly table: string; readonly column: string }[]
beforeAll(async () => {
  database = await freshDatabase()
  // Excludes only types that cannot hold personal data, so that columns of new types are checked, too.
  const { rows: found } = await sql<{ table: string; column: string }>`
    select case table_schema when 'sign_in' then 'sign_in.' else '' end || table_name as table, column_name as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where table_schema = any(${eachTableOnce}) and table_type = 'BASE TABLE' and table_name not like 'kysely%'
      and data_type not in ('uuid', 'boolean', 'smallint', 'integer', 'bigint', 'double precision', 'date',
        'timestamp with time zone')
    order by 1, ordinal_position`.execute(database.root)
  columns = found
})
afterAll(() => database.drop())

it('names every column in which there could be somebody, once, and none that there is not [PRV-11]', () => {
  const missing = columns.filter(({ table, column }) => {
    const row = rowOf(table)
    return !row || matches(row.somebody, column) === matches(row.nobody, column)
  })
  expect(missing, 'not in docs/privacy.md, or both as holding somebody and nobody').toEqual([])
  const gone = rows.flatMap(({ tables, somebody, nobody }) =>
    [...somebody, ...nobody].filter(
      (name) => !columns.some(({ table, column }) => tables.includes(table) && matches([name], column)),
    ),
  )
  expect(gone, 'in docs/privacy.md, and no column any more').toEqual([])
  const every = rows.flatMap(({ tables }) => tables)
  expect(every.filter((table, index) => every.indexOf(table) !== index)).toEqual([])
})

it('has as many tables with personal data as the architecture says [PRV-11]', () => {
  const tables = rows.filter(({ somebody }) => somebody.length > 0).flatMap((row) => row.tables)
  const ofSignIn = tables.filter((name) => name.startsWith('sign_in.')).length
  // The page names `person` and `lead` separately.
  expect(architecture).toContain(`in ${tables.length - ofSignIn - 2} more tables and in ${ofSignIn} of \`sign_in\``)
})

it('says of every table with somebody in it what an erasure does, and how long it is kept, by the rule that there is [PRV-11]', () => {
  expect(rows.filter(({ erased, kept }) => erased === '' || kept === '')).toEqual([])
  const silent = rows.filter(
    ({ tables, somebody, erased }) =>
      somebody.length > 0 && erased === '–' && !tables.every((name) => /^sign_in\.|^team|^api_key$/.test(name)),
  )
  expect(silent).toEqual([])
  const wrong = rows.flatMap(({ tables, kept }) =>
    tables.flatMap((table) => {
      const retention = tableRetention[table]
      const rule = retention && 'rule' in retention ? retention.rule : undefined
      return named(kept)[0] === rule ? [] : [`${table}: ${kept}, and the code says ${rule ?? 'no rule'}`]
    }),
  )
  expect(wrong).toEqual([])
})

/** Columns with personal data that are not searched for mentions of an erased person, by reason. */
const notSearched: Readonly<Record<string, readonly string[]>> = {
  'about the person of the row, not in words': [
    ...['lead.person_urn', 'lead.engagement_key', 'lead.reaction', 'lead.name', 'lead.handle', 'lead.linkedin_url'],
    ...['lead.avatar_url', 'lead.country', 'lead.country_code', 'lead.company_urn', 'lead.company_domain'],
    ...['lead.company_industry', 'lead_gone.key_hash'],
    ...['person.urn', 'person.handle', 'person.name', 'person.linkedin_url', 'person.avatar_url', 'person.country'],
    ...['person.country_code', 'person.company_urn', 'enrichment_task.person_urn'],
    ...['post.author_urn', 'post.author_name', 'post.author_url', 'sync_post.author_urn'],
    ...['discover_person.person_urn', 'discover_post.person_urn'],
    ...['agent_person.person_urn', 'agent_person.company_urn', 'agent_post.author_urn', 'agent_ranking.cursor_urn'],
    ...['agent_ranking_due.urn', 'delivery.subject', 'destination_delivery.subject', 'destination_delivery.person_urn'],
    ...['destination_delivery.remote_id', 'destination_delivery.remote_url'],
    ...['destination_record.subject', 'destination_record.person_urn', 'destination_record.remote_id'],
    ...['destination_record.remote_url', 'destination_record.digest'],
    ...['outreach_queue.person_urn', 'outreach_send.person_urn', 'outreach_send.handle', 'outreach_send.profile_url'],
    ...['result.person_urn', 'result.handle', 'result_inbox.person', 'exclusion.key'],
    ...['erasure.subject_hash', 'blocked_person.hash', 'credit_entry.key', 'free_line.engagements'],
    ...['source.username', 'source.identity', 'source.network_urn'],
  ],
  'follows from columns that are searched': [
    ...['name', 'job_title', 'company_name', 'company_domain', 'country', 'company_industry'].map(
      (column) => `lead.${column}_folded`,
    ),
    'lead_text.folded',
  ],
  'deleted, all of the team': [
    ...['vendor_page.items', 'vendor_page.replies', 'vendor_page.next', 'kept_answer.question', 'kept_answer.answer'],
    ...['lead_export_part.data', 'idempotency_answer.sealed'],
  ],
  'deleted, emptied or taken out wherever it names the person': [
    ...['sync.cursor', 'sync_post.cursor', 'sync_post.replies'],
    ...['job.payload', 'keyword_search.filters', 'result.external_id', 'exclusion.value'],
    'request_log.request_id',
  ],
  'words that the team looks for': ['keyword_search.terms', 'keyword_search.expression', 'agent_post.headline_topic'],
  members: [
    ...['exclusion.created_by', 'planned_send.requested_by', 'audit_entry.actor_name', 'request_log.caller_name'],
    'saved_view.created_by',
  ],
}

it('names every column that is searched for mentions, and every other one with somebody in it is known not to be [PRV-04, PRV-11]', () => {
  const searched = [...searchedForMentions, ...searchedLogs].flatMap(({ table, columns: names }) =>
    names.map((name) => `${table}.${name}`),
  )
  const documented = rows.flatMap(({ tables, erased }) =>
    named(erased.split('mentions: ')[1] ?? '').map((column) => `${tables[0]}.${column}`),
  )
  expect(documented.sort()).toEqual([...searched].sort())
  const withSomebody = columns
    .filter(({ table }) => !/^sign_in\.|^team$|^team_keep$|^team_credential$|^api_key$/.test(table))
    .filter(({ table, column }) => matches(rowOf(table)!.somebody, column))
    .map(({ table, column }) => `${table}.${column}`)
  expect([...searched, ...Object.values(notSearched).flat()].sort()).toEqual(withSomebody.sort())
})
