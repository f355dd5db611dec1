import { sql } from 'kysely'
import { it } from 'vitest'
import { uuidFrom } from '../../src/platform/random.ts'
import { openStage } from '../delivery/stage.ts'
import { listDeliveryRows, listEndpointRows, findDeliveryRow } from '../../src/modules/desk/delivery-store.ts'
import { listCampaignRows } from '../../src/modules/desk/outreach-store.ts'
import { lookAt } from '../../src/modules/desk/index.ts'
import { replayDeliveries } from '../../src/modules/delivery/index.ts'
import { lockLeads } from '../../src/modules/delivery/batch-store.ts'
import { listResting, resend } from '../../src/modules/delivery/replay-store.ts'
import { markPushed } from '../../src/modules/leads/index.ts'

it('measures', { timeout: 600_000 }, async () => {
  const stage = await openStage()
  const { db, teamId, ids } = stage
  const start = stage.state.now.getTime()
  const sources: string[] = []
  for (let i = 0; i < 200; i++) sources.push(await stage.makeSource(`s${i}`))
  await sql`insert into webhook (team_id, owner_id, owner_kind, url, url_set_at) select ${teamId}, s, 'source', 'https://example.com/h', ${stage.state.now} from unnest(${sources}::uuid[]) s`.execute(db)
  const N = 150_000
  const per = 10_000
  for (let b = 0; b < N / per; b++) {
    const at = new Date(start - (N / per - b) * 6 * 3_600_000)
    const list = Array.from({ length: per }, () => ids.uuid(at))
    const leads = Array.from({ length: per }, () => ids.uuid(at))
    // source 0 is old and large
    const owners = list.map((_, i) => (b < 10 && i % 3 === 0 ? sources[0]! : sources[1 + ((i * 7 + b) % 199)]!))
    await sql`insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type, linkedin_url, name, company_name, enrichment, webhook_status, created_at)
      select ${teamId}, l, o, o, 'profile', 'u' || l, 'k' || l, 'Like', 'https://x', 'Name ' || l, 'Acme', 'completed', 'sent', ${at} from unnest(${leads}::uuid[], ${owners}::uuid[]) as r(l, o)`.execute(db)
    await sql`insert into delivery (team_id, id, owner_id, event, subject, lead_id, state, body, due_at, created_at, finished_at, attempts)
      select ${teamId}, d, o, case when n = 5 then 'sync.completed' else 'lead.detected' end, l::text, l, case when n = 7 and ${b} < 3 then 'failed' when n between 100 and 110 and ${b} = 2 then 'held' when n = 200 then 'pending' else 'sent' end, convert_to(repeat('x', 800), 'utf8'), ${at}, ${at}, ${at}, 1
      from unnest(${list}::uuid[], ${owners}::uuid[], ${leads}::uuid[]) with ordinality as r(d, o, l, n)`.execute(db)
    await sql`insert into delivery_attempt (team_id, delivery_id, number, at, status, outcome, elapsed_ms) select ${teamId}, d, 1, ${at}, 200, 'delivered', 12 from unnest(${list}::uuid[]) d`.execute(db)
  }
  await sql`insert into outreach_send (team_id, id, campaign_id, batch_id, person_urn, profile_url, state, sent_at) select ${teamId}, gen_random_uuid(), (n % 5)::text, gen_random_uuid(), 'p' || n, 'x', 'sent', ${stage.state.now} from generate_series(1, 100000) n`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const time = async (name: string, work: () => Promise<unknown>) => {
    await work()
    const begin = performance.now()
    const out = await work()
    console.log(name, (performance.now() - begin).toFixed(1), 'ms', Array.isArray(out) ? out.length : '')
  }
  const since = uuidFrom(stage.state.now.getTime() - 7 * 86_400_000, new Uint8Array(10))
  const seen: string[] = []
  const spy = new Proxy(db, { get: (t, k) => Reflect.get(t, k) })
  void spy
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze, buffers, costs off) 
    with shown as materialized (
      select w.*, s.type, s.username from webhook w join source s on s.team_id = w.team_id and s.id = w.owner_id
      where w.team_id = ${teamId}::uuid and w.url is not null and s.status = 'active' order by w.url_set_at desc nulls last, w.owner_id limit 1000
    ), waiting as materialized (
      select owner_id, count(*)::integer as count from delivery where team_id = ${teamId}::uuid and state in ('pending', 'sending') group by owner_id
    ), held as materialized (
      select owner_id, count(*)::integer as count from delivery where team_id = ${teamId}::uuid and state = 'held' group by owner_id
    )
    select w.owner_id as "ownerId", case when w.agent_id is null then 'source' else 'agent' end as "ownerKind", w.type, w.username as label, w.url, w.icp_only as "icpOnly", w.auto_send as "autoSend", w.sync_events as "syncEvents",
      w.url_set_at as "urlSetAt", w.failing_since as "failingSince", w.disabled_at as "disabledAt", w.disabled_reason as "disabledReason",
      e.sent, e.failed, coalesce(q.count, 0) as waiting, coalesce(h.count, 0) as held, l.at as "lastSentAt"
    from shown w left join waiting q on q.owner_id = w.owner_id left join held h on h.owner_id = w.owner_id
    cross join lateral (
      select count(*) filter (where state = 'sent')::integer as sent, count(*) filter (where state = 'failed')::integer as failed
      from delivery where team_id = ${teamId}::uuid and owner_id = w.owner_id and id >= ${since}::uuid) e
    left join lateral (
      select max(finished_at) filter (where state = 'sent') as at
      from (select state, finished_at from delivery where team_id = ${teamId}::uuid and owner_id = w.owner_id order by id desc limit 50) d) l on true
    order by w.url_set_at desc nulls last, w.owner_id`.execute(db)
  for (const row of rows) seen.push(row['QUERY PLAN'])
  console.log(seen.join('\n'))
  await stage.close()
})
