/**
 * Pages every list of leads to its end and compares it with each page's `total` (LED-24, G37): the first page does not show a
 * wrong counter.
 */
import { sql } from 'kysely'
import type { Reader } from '../../src/platform/db/unit-of-work.ts'
import { rotatingShare } from './amount.ts'
import type { Team, World } from './world.ts'

/** Answers to teams that may not read: expired, without a key, or over their rate limit. */
const mayNotRead = [401, 403, 429]

type Page = {
  readonly ids: readonly string[]
  readonly total: number
  readonly totalExact?: false
  readonly hasMore: boolean
}

async function readPage(team: Team, path: string, limit: number, offset: number): Promise<Page | null> {
  const read = () => team.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}&offset=${offset}`)
  let answer = await read()
  // All lists are read at once, which may exceed a team's limit of concurrent requests on a busy machine.
  for (let again = 0; answer.status === 503 && again < 5; again++) answer = await read()
  const { status, body, text } = answer
  if (mayNotRead.includes(status)) return null
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  const rows: { id?: string; postUrn?: string; urn?: string }[] = body.leads ?? body.engagers ?? body.posts
  return { ...body, ids: rows.map((row) => row.id ?? row.postUrn ?? row.urn) }
}

/** Describes wrong totals of one list; undefined if all are right. */
async function wrongTotal(team: Team, path: string): Promise<string | undefined> {
  const first = await readPage(team, path, 1, 0)
  if (!first) return undefined
  const ids = [...first.ids]
  const totals = new Set([first.total])
  // A short list takes two more pages, a long one as few as possible.
  const limit = Math.min(100, Math.max(1, Math.ceil((first.total - 1) / 2)))
  for (let last = first; last.hasMore; ) {
    const page = await readPage(team, path, limit, ids.length)
    if (!page) return undefined
    if (page.ids.length === 0) return `${path}: a page that was to come is empty`
    ids.push(...page.ids)
    if (page.totalExact !== false) totals.add(page.total)
    last = page
  }
  const isRight = totals.size === 1 && totals.has(ids.length) && new Set(ids).size === ids.length
  return isRight
    ? undefined
    : `${path}: pages of ${ids.length} rows, ${new Set(ids).size} of them different, say a total of ${[...totals].join(' and ')}`
}

/** Paths of all lists of a team: leads, people, raw leads, filtered ones, and posts of its searches and watches. */
async function listsOf(world: World, team: Team): Promise<string[]> {
  const { rows } = await sql<{
    id: string
    type: string
    mode: string
  }>`select id, type, mode from source where team_id = ${team.id} order by id desc limit 1`.execute(world.database.root)
  const whole = ['', '?includeSyncing=true', '?includeInactive=true', '?includeInactive=true&includeSyncing=true']
  return [
    ...whole.map((query) => `/leads${query}`),
    ...['all', 'keyword', 'post', 'profile'].map((kind) => `/leads?includeSyncing=true&sourceKind=${kind}`),
    ...['', '?includeInactive=true&includeSyncing=true'].map((query) => `/engagers${query}`),
    ...['', '?includeInactive=true'].map((query) => `/leads/raw${query}`),
    ...rows.flatMap(({ id, type, mode }) => [
      ...['leads', 'leads/raw'].map((list) => `/${list}?includeInactive=true&profileId=${id}`),
      ...(type === 'keyword'
        ? [`/sources/${id}/kept-posts?include=swept`]
        : mode === 'posts_only'
          ? [`/sources/${id}/posts`]
          : []),
    ]),
  ]
}

/** A value that changes when any data behind the lists changes. */
async function markOf(world: World, teamId: string): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    select concat_ws(' ', (select sum(hashtextextended(lead::text, 0)) from lead where team_id = ${teamId}),
        (select sum(hashtextextended(source::text, 0)) from source where team_id = ${teamId}),
      (select count(*) from keyword_post where team_id = ${teamId}),
      (select count(*) from source_post where team_id = ${teamId})) as mark`.execute(world.database.root)
  return rows[0]!.mark
}

/** The mark of each team's data when its lists were last read. */
export type ReadLists = Map<string, string>

async function withLeads(world: World, teams: readonly Team[]): Promise<readonly Team[]> {
  const { rows } = await sql<{ id: string }>`
    select team_id as id from unnest(${teams.map(({ id }) => id)}::uuid[]) as named (team_id)
    where exists (select 1 from lead where lead.team_id = named.team_id)`.execute(world.database.root)
  const having = new Set(rows.map(({ id }) => id))
  return teams.filter(({ id }) => having.has(id))
}

/**
 * Describes wrong totals of teams with leads that changed since they were last read. With several teams, the usual run reads
 * every second list of each, alternating, so that half of the teams cover each list.
 */
export async function findWrongTotals(world: World, teams: readonly Team[], read: ReadLists): Promise<string[]> {
  const wrong: string[] = []
  const having = await withLeads(world, teams)
  for (const [place, team] of having.entries())
    for (let mark = await markOf(world, team.id); mark !== read.get(team.id); ) {
      const lists = rotatingShare(await listsOf(world, team), place, Math.min(2, having.length))
      const found = (await Promise.all(lists.map((path) => wrongTotal(team, path)))).filter(
        (each) => each !== undefined,
      )
      const after = await markOf(world, team.id)
      // Background work moved rows between two pages: read again.
      if (after === mark) {
        wrong.push(...found)
        read.set(team.id, mark)
      }
      mark = after
    }
  return wrong
}

/** Recomputes a team's lead counters after a test has inserted or deleted rows by SQL. */
export async function recountLeads(db: Reader, teamId: string): Promise<void> {
  await sql`
    update source s set (lead_rows, raw_rows, leads_pending, leads_completed, leads_failed, leads_skipped) = (
      select count(*) filter (where enrichment <> 'raw'), count(*) filter (where enrichment = 'raw'),
        count(*) filter (where enrichment in ('pending', 'processing')),
        count(*) filter (where enrichment = 'completed'), count(*) filter (where enrichment = 'failed'),
        count(*) filter (where enrichment = 'skipped')
      from lead l where l.team_id = s.team_id and l.source_id = s.id)
    where s.team_id = ${teamId}`.execute(db)
}
