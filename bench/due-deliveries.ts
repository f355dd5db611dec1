/** Deliveries that are due, laid down set-based, for the benchmarks of deliveries. */
import type pg from 'pg'

/** How many deliveries a team has to how many endpoints, all of one address. */
export type DueDeliveries = {
  readonly teamId: string
  readonly url: string
  readonly body: Buffer
  readonly owners: number
  readonly count: number
}

/** As many of a push are queued in one unit of work, and so are due together. */
const dueTogether = 5_000

/** Lays them down with their sources and endpoints, and at the end says that they are due: until then nobody looks for them. */
export async function layDownDeliveries(
  pool: Pick<pg.Pool, 'query'>,
  { teamId, url, body, owners, count }: DueDeliveries,
): Promise<void> {
  const now = new Date()
  // Ids of each team's own: an endpoint is known by its owner, too.
  const ownerId = `(left($1::text, 8) || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  await pool.query(
    `insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at)
     select $1::text::uuid, ${ownerId}, 'person', 'author-' || n, sha256(('author-' || n)::bytea), 'active', 'engagers', true, true, $2
     from generate_series(1, $3::int) n`,
    [teamId, now, owners],
  )
  await pool.query(
    `insert into webhook (team_id, owner_id, owner_kind, url, url_set_at)
     select $1, id, 'source', $2, $3 from source where team_id = $1`,
    [teamId, url, now],
  )
  await pool.query(
    `insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at)
     select $1::text::uuid, ('02000000-0000-7000-8000-' || lpad(to_hex(m), 12, '0'))::uuid, ${ownerId}, 'sync.completed',
       'subject-' || m, 'pending', $2, $3::timestamptz - interval '1 minute' + m / $6::int * interval '1 ms', $3
     from generate_series(1, $4::int) m cross join lateral (select 1 + m % $5::int as n) owner`,
    [teamId, body, now, count, owners, dueTogether],
  )
  await pool.query('vacuum analyze delivery, webhook, source')
  await pool.query(
    `insert into work_turn (team_id, kind, served) values ($1, 'delivery', nextval('work_turn_number'))
     on conflict (team_id, kind) do update set ready = true`,
    [teamId],
  )
}
