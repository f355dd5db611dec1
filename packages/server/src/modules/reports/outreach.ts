/** The handler of outreach results, from stored data only; the platform is not asked. */
import type { Answer, SessionOperationOf } from '@les/contract'
import type { SessionHandlers } from '../accounts/index.ts'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { labelJoins, nameOfSource } from '../leads/index.ts'

type Results = Answer<SessionOperationOf<'listOutreachResults'>>

export const outreachResultOperations: SessionHandlers<'listOutreachResults'> = {
  listOutreachResults: async (_input, { caller, db }) => {
    const [campaigns, rules] = await Promise.all([listCampaignRows(db, caller.teamId), listRuleRows(db, caller.teamId)])
    return {
      campaigns,
      rules: rules.map((rule) => ({ ...rule, paused: pausedWords(rule.pausedReason) })),
    }
  },
}

type PausedReason = 'invalid_key' | 'campaign_closed'

const maxCampaigns = 200
const maxRules = 500

/** Campaigns with sends or rules, sent to last first; named only while a rule uses one. `waiting` includes the rules' queues. */
const listCampaignRows = (db: Reader, teamId: string): Promise<Results['campaigns']> =>
  queryAll<Results['campaigns'][number]>(db)`
    with sends as materialized (
      select campaign_id, count(*) filter (where state = 'sent')::integer as sent,
        count(*) filter (where state = 'failed')::integer as refused,
        count(*) filter (where state = 'sending')::integer as sending,
        count(*) filter (where state = 'uncertain')::integer as unknown,
        max(sent_at) filter (where state = 'sent') as at
      from outreach_send where team_id = ${teamId} group by campaign_id
    ), rules as materialized (
      select r.campaign_id, (array_agg(r.campaign_name order by r.updated_at desc))[1] as name,
        sum(q.count)::integer as queued
      from outreach_rule r
      left join lateral (select count(*) from outreach_queue q
        where q.team_id = r.team_id and q.owner_id = r.owner_id) q on true
      where r.team_id = ${teamId} group by r.campaign_id
    )
    select campaign_id as "campaignId", r.name, coalesce(s.sent, 0) as sent, coalesce(s.refused, 0) as refused,
      coalesce(s.sending, 0) + coalesce(r.queued, 0) as waiting, coalesce(s.unknown, 0) as unknown, s.at as "lastSentAt"
    from sends s full join rules r using (campaign_id)
    order by s.at desc nulls last, campaign_id limit ${maxCampaigns}`

type RuleRow = Omit<Results['rules'][number], 'paused'> & { readonly pausedReason: PausedReason | null }

const listRuleRows = (db: Reader, teamId: string) =>
  queryAll<RuleRow>(db)`
    select r.owner_id as "ownerId", r.owner_kind as "ownerKind", coalesce(s.type, 'agent') as type,
      coalesce(${nameOfSource}, a.website, 'Agent') as label, r.campaign_id as "campaignId", r.auto_send as "autoSend",
      jsonb_array_length(r.filters) as filters, r.paused_reason as "pausedReason", q.count::integer as queued
    from outreach_rule r
    left join source s on r.owner_kind = 'source' and s.team_id = r.team_id and s.id = r.owner_id ${labelJoins}
    left join agent a on r.owner_kind = 'agent' and a.team_id = r.team_id and a.id = r.owner_id
    left join lateral (select count(*) from outreach_queue q where q.team_id = r.team_id and q.owner_id = r.owner_id) q
      on true
    where r.team_id = ${teamId} and (r.owner_kind = 'agent' or s.status = 'active')
    order by r.updated_at desc, r.owner_id limit ${maxRules}`

function pausedWords(reason: PausedReason | null): string | null {
  if (reason === null) return null
  return reason === 'invalid_key'
    ? 'The outreach platform refuses the key that is stored: store a good one under Settings, then save the rule again'
    : 'The campaign is over, or became a draft: choose another, or start it on the outreach platform, then save the rule again'
}
