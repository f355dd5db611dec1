/** SQL of team defaults (the only writer of `team_default`), and of sources with all settings that defaults may change. */
import type { defaultsOf, DefaultPart } from '@les/contract'
import { sql } from 'kysely'
import { queryAll, queryOne } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { labelJoins, nameOfSource } from '../../leads/index.ts'
import type { Parts, SetSource } from './rules/differences.ts'

type DefaultsOf = (typeof defaultsOf)[number]

export type Defaults = Parts & { readonly of: DefaultsOf; readonly updatedAt: Date | null }

const columns = sql`kind as "of", webhook, criteria, outreach, cap, updated_at as "updatedAt"`

/** The defaults of a team by kind. */
export async function listDefaults(db: Reader, teamId: string): Promise<Map<DefaultsOf, Defaults>> {
  const { rows } = await sql<Defaults>`select ${columns} from team_default where team_id = ${teamId}`.execute(db)
  return new Map(rows.map((row) => [row.of, row]))
}

/** Writes the named parts: null removes one, undefined keeps it. */
export async function saveDefaults(
  tx: Tx,
  teamId: string,
  { of, named }: { of: DefaultsOf; named: { readonly [P in DefaultPart]?: Parts[P] | undefined } },
): Promise<Defaults> {
  const value = (part: DefaultPart) => (named[part] ? JSON.stringify(named[part]) : null)
  const kept = (part: DefaultPart) =>
    named[part] === undefined ? sql.ref(`d.${part}`) : sql`excluded.${sql.raw(part)}`
  return (await queryOne<Defaults>(tx.db)`
    insert into team_default as d (team_id, kind, webhook, criteria, outreach, cap, updated_at)
    values (${teamId}, ${of}, ${value('webhook')}::jsonb, ${value('criteria')}::jsonb, ${value('outreach')}::jsonb,
        ${value('cap')}::jsonb, ${tx.now})
    on conflict (team_id, kind)
    do update set webhook = ${kept('webhook')}, criteria = ${kept('criteria')}, outreach = ${kept('outreach')},
      cap = ${kept('cap')}, updated_at = excluded.updated_at
    returning ${columns}`)!
}

export type Chosen =
  | { readonly by: 'all' }
  | { readonly by: 'type'; readonly type: SetSource['type'] }
  | { readonly by: 'ids'; readonly ids: readonly string[] }

const chosenOf = (chosen: Chosen) => {
  if (chosen.by === 'all') return sql`true`
  return chosen.by === 'type' ? sql`s.type = ${chosen.type}` : sql`s.id = any(${[...new Set(chosen.ids)]}::uuid[])`
}

/** Tracked sources with their settings, in id order, at most `limit`. */
export const listSetSources = (
  db: Reader,
  { teamId, chosen, limit }: { teamId: string; chosen: Chosen; limit: number },
) =>
  queryAll<SetSource>(db)`
    with page as materialized (select * from source s
      where s.team_id = ${teamId} and s.status = 'active' and ${chosenOf(chosen)} order by s.id limit ${limit})
    select s.id, s.type, ${nameOfSource} as label, s.mode, s.posts_per_sync as "postsPerSync", s.lead_rows as leads,
      exists (select 1 from agent_source g
        where g.team_id = s.team_id and g.source_id = s.id and g.made and g.stopped_at is null) as "ofAgent",
      case when s.type = 'keyword' then named.credit_cap else s.credit_cap_per_sync end as cap,
      case when w.url is not null then jsonb_build_object('url', w.url, 'icpOnly', w.icp_only, 'autoSend', w.auto_send,
          'syncEvents', w.sync_events, 'isDisabled', w.disabled_at is not null) end as webhook,
      case when i.owner_id is not null then jsonb_build_object('rules', i.rules, 'matchMode',
          i.match_mode) end as criteria,
      case when o.owner_id is not null then jsonb_build_object('campaignId', o.campaign_id, 'campaignName',
          o.campaign_name, 'autoSend', o.auto_send, 'filters', o.filters, 'isPaused',
          o.state = 'paused') end as outreach
    from page s ${labelJoins}
    left join webhook w on w.team_id = s.team_id and w.owner_id = s.id
    left join icp i on i.team_id = s.team_id and i.owner_id = s.id
    left join outreach_rule o on o.team_id = s.team_id and o.owner_id = s.id
    order by s.id`
