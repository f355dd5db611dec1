/** What must be true of searches, campaigns and changes, given what the invented network knows. */
import { sql } from 'kysely'
import type { Reader } from '../../src/platform/db/unit-of-work.ts'
import { canary, reactionsAt, type Invented } from './network.ts'
import { mayBeExcluded } from './checks.ts'
import { canaryKey, personAt, type InventedPlatform } from './platform.ts'
import { aiKeeps, isEngager } from './search.ts'

type SearchRun = {
  team_id: string
  id: string
  source_id: string
  started_at: Date
  terms: string[]
  mode: 'engagers' | 'posts_only'
  ai: boolean
}

/**
 * A search that ended with nothing left has seen every post shown at its start, kept none that the AI rejects, and stored
 * everybody who had reacted to the kept ones.
 */
export async function compareSearches(
  db: Reader,
  { invented, erasedIn }: { invented: Invented; erasedIn: ReadonlySet<string> },
): Promise<string[]> {
  const wrong: string[] = []
  const isErased = (teamId: string, urn: string) => erasedIn.has(teamId) && urn === canary.urn
  // Only the last run of each search: it overwrites the decisions of earlier ones.
  const { rows: runs } = await sql<SearchRun>`
    select distinct on (y.team_id, y.source_id) y.team_id, y.id, y.source_id, y.started_at, y.state, y.stopped_by,
      y.settings->'search'->'terms' as terms, y.settings->>'mode' as mode,
      coalesce(y.settings->'search'->>'ai' is not null, false) as ai
    from sync y join source s on s.team_id = y.team_id and s.id = y.source_id
    where s.type = 'keyword' and y.started_at is not null
    order by y.team_id, y.source_id, y.created_at desc, y.id desc`.execute(db)
  for (const run of runs as (SearchRun & { state: string; stopped_by: string | null })[]) {
    if (run.state !== 'captured' || run.stopped_by !== 'exhausted') continue
    const { rows: seen } = await sql<{ urn: string; outcome: string | null; judged: boolean; here: boolean }>`
      select post_urn as urn, outcome, filter is not null as judged, sync_id = ${run.id} as here from keyword_post
      where team_id = ${run.team_id} and source_id = ${run.source_id}`.execute(db)
    const { rows: stored } = await sql<{ key: string }>`
      select engagement_key as key from lead where team_id = ${run.team_id} and source_id = ${run.source_id} union all
      select post_urn from source_post where team_id = ${run.team_id} and source_id = ${run.source_id}`.execute(db)
    const keys = new Set(stored.map(({ key }) => key))
    const known = new Map(seen.map((each) => [each.urn, each]))
    for (const term of run.terms.filter((each) => !invented.gone.has(`search ${each}`)))
      for (const { post } of invented.search.shown(term, run.started_at.getTime())) {
        const found = known.get(post.urn)
        if (!found?.here) wrong.push(`the search ${run.source_id} has not seen ${post.urn}, which ${term} had shown`)
        if (run.ai && found?.judged && (found.outcome === 'kept') !== aiKeeps(post.urn))
          wrong.push(`the AI would not have said ${found.outcome} of ${post.urn}`)
        if (found?.outcome !== 'kept' || invented.gone.has(post.urn)) continue
        const owed =
          run.mode === 'posts_only'
            ? [post.urn]
            : post.wall !== null
              ? []
              : reactionsAt(post, run.started_at.getTime()).flatMap(({ actor }) =>
                  isEngager(actor, post.authorUrn) && actor.kind === 'person' && !isErased(run.team_id, actor.urn)
                    ? [`reaction:${post.urn}:${actor.urn}`]
                    : [],
                )
        for (const key of owed) if (!keys.has(key)) wrong.push(`the search ${run.source_id} has not stored ${key}`)
      }
  }
  return wrong
}

type Campaigns = {
  readonly platform: InventedPlatform
  readonly untracked: ReadonlySet<string>
  readonly erasedIn: ReadonlySet<string>
}

/** Compares the service's records of campaigns with the platform, and finds people whom an auto-push still owes. */
export async function compareCampaigns(
  db: Reader,
  { platform: { members }, untracked, erasedIn }: Campaigns,
): Promise<string[]> {
  const wrong: string[] = []
  const { rows } = await sql<{ campaign: string; url: string; state: string }>`
    select campaign_id as campaign, profile_url as url, state from outreach_send`.execute(db)
  const states = Map.groupBy(rows, ({ campaign, url }) => `${campaign} ${personAt(url)}`)
  for (const { campaign, url, state } of rows)
    if (state === 'sent' && !members.get(campaign)?.has(personAt(url)))
      wrong.push(`${url} counts as sent to ${campaign} and is not in it`)
  for (const [campaign, people] of members)
    for (const [person, { times, bySleeper }] of people) {
      // An erasure removes the person from the records of the team.
      if (bySleeper || (erasedIn.size > 0 && person === canaryKey)) continue
      const known = states.get(`${campaign} ${person}`) ?? []
      // Teams share this platform's campaigns, and each team may add a person once.
      if (times > known.length) wrong.push(`person ${person} was added to ${campaign} ${times} times`)
      if (!known.some(({ state }) => state === 'sent' || state === 'uncertain'))
        wrong.push(`person ${person} is in ${campaign} and the ledger says ${known.map(({ state }) => state).join()}`)
    }
  const { rows: owed } = await sql<{ owner_id: string; person_urn: string }>`
    select r.owner_id, l.person_urn from outreach_rule r
    join source s on s.team_id = r.team_id and s.id = r.owner_id and s.status = 'active'
    join lead l on l.team_id = r.team_id and l.source_id = r.owner_id and l.enrichment = 'completed'
      and l.created_at > r.auto_send_since
    where r.owner_kind = 'source' and r.auto_send and not ${mayBeExcluded}
      and not exists (select 1 from outreach_queue q
        where q.team_id = r.team_id and q.owner_id = r.owner_id and q.person_urn = l.person_urn)
      and not exists (select 1 from outreach_send x
        where x.team_id = r.team_id and x.person_urn = l.person_urn)`.execute(db)
  for (const { owner_id: owner, person_urn: person } of owed)
    if (!untracked.has(owner))
      wrong.push(`the auto-push of ${owner} was to send ${person}, who is neither sent nor waiting`)
  return wrong
}

/** Checks that the audit log has every change once. */
export async function compareChanges(db: Reader, changes: { made: number; unsure: number }): Promise<string[]> {
  const { rows } = await sql<{ told: number }>`select count(*)::integer as told from audit_entry`.execute(db)
  const { told } = rows[0]!
  return told < changes.made || told > changes.made + changes.unsure
    ? [`${changes.made} changes were made for certain and ${changes.unsure} perhaps; the audit log has ${told}`]
    : []
}
