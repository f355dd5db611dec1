/**
 * A team's way of hearing from the outreach platform: the secret address it posts to, and when the platform is asked next. The secret is
 * kept sealed under the team's key, since the address is shown, and found by its hash. `result_feed` is written here.
 */
import { sql } from 'kysely'
import { openForTeam, sealForTeam } from '../accounts/index.ts'
import type { Condition } from '../../platform/db/conditions.ts'
import { isOfTeamHere } from '../../platform/db/shards.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { addLogContext } from '../../platform/log-context.ts'
import type { Ids } from '../../platform/random.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import { sha256, type Vault } from '../../platform/secrets.ts'
import type { Recorded, Work } from '../../platform/task-context.ts'
import {
  claimOne,
  defineRows,
  eachTeam,
  lockLeased,
  noteTaskContext,
  releaseRow,
  renewLeases,
  rescheduleForEver,
  type Lease,
  type LeasedRow,
  type RoundDeps,
} from '../../platform/work/index.ts'

/** What secrets are made and kept with. */
export type SecretParts = { readonly vault: Vault; readonly ids: Ids }

const place = 'results-secret'
const secretBytes = 32

/** The hash that a secret is found by. */
export const hashOfSecret = (secret: string): Buffer => sha256(secret)

/** Writes a new secret, over the one before only where told so; answers the one that holds now, null when it does not open. */
export async function writeSecret(
  tx: Tx,
  { vault, ids }: SecretParts,
  { teamId, replace }: { readonly teamId: string; readonly replace: boolean },
): Promise<string | null> {
  const secret = ids.bytes(secretBytes).toString('base64url')
  const sealed = await sealForTeam(tx.db, { vault, teamId, place, plain: secret })
  const hash = hashOfSecret(secret)
  const { numAffectedRows } = await sql`
    insert into result_feed as f (team_id, feed, secret_hash, sealed_secret, made_at, due_at, poll_at)
    values (${teamId}, 'heyreach', ${hash}, ${sealed}, ${tx.now}, ${tx.now}, ${tx.now})
    on conflict (team_id, feed) ${
      replace
        ? sql`do update set secret_hash = excluded.secret_hash, sealed_secret = excluded.sealed_secret, made_at = excluded.made_at`
        : sql`do nothing`
    }`.execute(tx.db)
  tx.mark('results', teamId)
  return numAffectedRows === 0n ? readSecret(tx.db, vault, teamId) : secret
}

/** The secret of a team; null when it has none. */
export async function readSecret(db: Reader, vault: Vault, teamId: string): Promise<string | null> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select sealed_secret as sealed from result_feed where team_id = ${teamId} and feed = 'heyreach'`.execute(db)
  return rows[0] ? openForTeam(db, { vault, teamId, place, sealed: rows[0].sealed }) : null
}

/** The team of a secret, by its hash; undefined for one that is no team's. */
export async function findTeamOfSecret(
  db: Reader,
  hash: Buffer,
): Promise<{ readonly teamId: string; readonly hash: Buffer } | undefined> {
  const { rows } = await sql<{ teamId: string; hash: Buffer }>`
    select team_id as "teamId", secret_hash as hash from result_feed
    where secret_hash = ${hash} and ${isOfTeamHere(sql`team_id`)}`.execute(db)
  return rows[0]
}

/** Notes that something was posted: the team's turn is now. */
export async function wakeFeed(tx: Tx, teamId: string): Promise<void> {
  await sql`update result_feed set due_at = least(due_at, ${tx.now}::timestamptz)
    where team_id = ${teamId} and feed = 'heyreach'`.execute(tx.db)
  tx.enqueue('results', teamId)
}

const unheard = sql`team_credential c where c.kind = 'outreach' and c.team_id <> ${sampleTeamId}::uuid
    and not exists (select 1 from result_feed f where f.team_id = c.team_id)`

/** True when some connected team does not hear from the platform yet. */
export const feedsMissing = (): Condition => sql<boolean>`exists (select 1 from ${unheard})`

/** Begins to hear for teams that are connected; answers how many. */
export const openFeeds = (deps: RoundDeps & SecretParts): Promise<number> =>
  eachTeam(deps, {
    task: 'begin to hear from the outreach platform',
    find: async (_now, without) =>
      (
        await sql<{ teamId: string }>`
            select c.team_id as "teamId" from ${unheard} and c.team_id <> all(${[...without]}::uuid[])
            order by c.team_id limit 100`.execute(deps.db)
      ).rows,
    forTeam: async (teamId) => {
      await deps.unitOfWork((tx) => writeSecret(tx, deps, { teamId, replace: false }))
      return 1
    },
  })

/** Teams that hear from the platform, as they are worked on. */
export const feedRows = defineRows({
  kind: 'results',
  taskName: 'feed',
  table: 'result_feed',
  key: 'feed',
  keyType: 'text',
  open: sql<boolean>`true`,
  // Who has replied or wants to hear no more is left out of what still goes for a team that is not served.
  begun: sql<boolean>`exists (select 1 from result_inbox i where i.team_id = w.team_id and i.applied_at is null)`,
  fence: 'counted',
})

/** A team under our lease; `pollAt` is when the platform is to be asked. */
export type LeasedFeed = LeasedRow & { readonly pollAt: Date }

type FeedRow = { team_id: string; feed: string; fence: number; unexpected_failures: number; poll_at: Date }

/** Leases the team that was served longest ago of those that are due. */
export async function claimFeed(tx: Tx, lease: Lease): Promise<LeasedFeed | undefined> {
  const row = await claimOne<FeedRow>(tx, feedRows, lease)
  if (!row) return undefined
  addLogContext({ teamId: row.team_id })
  noteTaskContext(tx, feedRows, { ...row, _id: row.feed })
  return { teamId: row.team_id, id: row.feed, fence: row.fence, pollAt: row.poll_at }
}

/** Locks a team that is still ours; false when another has taken it over. */
export const lockFeed = async (tx: Tx, feed: LeasedFeed): Promise<boolean> =>
  (await lockLeased(tx, feedRows, feed)) !== undefined

/** Keeps the lease while the platform is asked page by page. */
export const renewFeed = (tx: Tx, feed: LeasedFeed, untilMs: number): Promise<void> =>
  renewLeases(tx, feedRows, [feed], untilMs)

/** Gives a locked team back: due when the platform is to be asked next, or at once while posts wait. */
export const releaseFeed = (tx: Tx, feed: LeasedFeed, pollAt: Date): Promise<void> =>
  releaseRow(
    tx,
    feedRows,
    feed,
    sql`, poll_at = ${pollAt}, unexpected_failures = 0, due_at = case when exists (
        select 1 from result_inbox where team_id = ${feed.teamId} and applied_at is null)
      then ${tx.now}::timestamptz else ${pollAt}::timestamptz end`,
  )

/** Records an unexpected failure under the fence: it is tried again, later each time. */
export const recordUnexpectedOfFeed = (tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> =>
  rescheduleForEver(tx, feedRows, work, dueAt)
