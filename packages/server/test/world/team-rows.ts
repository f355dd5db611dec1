import type { Kysely } from 'kysely'

/** Inserts minimal teams, for tests of parts that run without the service. */
export async function insertTeams(
  db: Kysely<any>,
  teamIds: readonly string[],
  createdAt: Date,
  more: Record<string, unknown> = {},
): Promise<void> {
  const common = {
    name: 'Team',
    plan: 'growth',
    status: 'active',
    reads_limit: 1,
    writes_limit: 1,
    untracked_posts_limit: 1,
    keyword_daily_ceiling: 1,
    capture_allowed: true,
    data_key: Buffer.alloc(1),
    signing_secret: Buffer.alloc(1),
    created_at: createdAt,
    ...more,
  }
  await db
    .insertInto('team')
    .values(teamIds.map((id) => ({ id, ...common })))
    .execute()
}
