/** SQL of `result_feed`: the next poll, and the secret in the URL for posts: sealed, as the URL is shown, and found by hash. */
import { sql } from 'kysely'
import { openForTeam, sealForTeam } from '../accounts/index.ts'
import type { Condition } from '../../platform/db/conditions.ts'
import { isOfTeamHere } from '../../platform/db/shards.ts'
import { queryOne } from '../../platform/db/query.ts'
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
  endLease,
  renewLeases,
  rescheduleForEver,
  type Lease,
  type LeasedRow,
  type RoundDeps,
} from '../../platform/work/index.ts'

/** What secrets are made and sealed with. */
export type SecretParts = { readonly vault: Vault; readonly ids: Ids }

const place = 'results-secret'
const secretBytes = 32

/** The hash a secret is looked up by. */
export const hashOfSecret = (secret: string): Buffer => sha256(secret)

/** Creates a secret, or with `replace` a new one; returns the valid secret, null when it cannot be opened. */
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

/** The team of a secret's hash; undefined when there is none. */
export const findTeamOfSecret = (db: Reader, hash: Buffer) =>
  queryOne<{ teamId: string; hash: Buffer }>(db)`
    select team_id as "teamId", secret_hash as hash from result_feed
    where secret_hash = ${hash} and ${isOfTeamHere(sql`team_id`)}`

/** Makes a team due at once, because something was posted. */
export async function wakeFeed(tx: Tx, teamId: string): Promise<void> {
  await sql`update result_feed set due_at = least(due_at, ${tx.now}::timestamptz)
    where team_id = ${teamId} and feed = 'heyreach'`.execute(tx.db)
  tx.enqueue('results', teamId)
}

const unheard = sql`team_credential c where c.kind = 'outreach' and c.team_id <> ${sampleTeamId}::uuid
    and not exists (select 1 from result_feed f where f.team_id = c.team_id)`

/** SQL: some connected team has no feed yet. */
export const feedsMissing = (): Condition => sql<boolean>`exists (select 1 from ${unheard})`

/** Creates the feeds of connected teams; returns how many. */
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

/** Work rows of feeds. */
export const feedRows = defineRows({
  kind: 'results',
  rowKind: 'feed',
  table: 'result_feed',
  key: 'feed',
  keyType: 'text',
  open: sql<boolean>`true`,
  // Also for a team that is not served: people who replied or opted out must be left out of what is still sent.
  begun: sql<boolean>`exists (select 1 from result_inbox i where i.team_id = w.team_id and i.applied_at is null)`,
  fence: 'counted',
})

/** A leased feed; `pollAt` is when the platform is polled next. */
export type LeasedFeed = LeasedRow & { readonly pollAt: Date }

type FeedRow = { team_id: string; feed: string; fence: number; unexpected_failures: number; poll_at: Date }

/** Leases the due feed of the team served longest ago. */
export async function claimFeed(tx: Tx, lease: Lease): Promise<LeasedFeed | undefined> {
  const row = await claimOne<FeedRow>(tx, feedRows, lease)
  if (!row) return undefined
  addLogContext({ teamId: row.team_id })
  noteTaskContext(tx, feedRows, { ...row, _id: row.feed })
  return { teamId: row.team_id, id: row.feed, fence: row.fence, pollAt: row.poll_at }
}

/** Locks a feed that is still ours; false when another process took it over. */
export const lockFeed = async (tx: Tx, feed: LeasedFeed): Promise<boolean> =>
  (await lockLeased(tx, feedRows, feed)) !== undefined

/** Extends the lease while the platform is read. */
export const renewFeed = (tx: Tx, feed: LeasedFeed, untilMs: number): Promise<void> =>
  renewLeases(tx, feedRows, [feed], untilMs)

/** Releases a locked feed: due at the next poll, or at once while posts wait. */
export const releaseFeed = (tx: Tx, feed: LeasedFeed, pollAt: Date): Promise<void> =>
  endLease(
    tx,
    feedRows,
    feed,
    sql`, poll_at = ${pollAt}, unexpected_failures = 0, due_at = case when exists (
        select 1 from result_inbox where team_id = ${feed.teamId} and applied_at is null)
      then ${tx.now}::timestamptz else ${pollAt}::timestamptz end`,
  )

/** Records an unexpected failure under the fence; retried for ever, with growing waits. */
export const recordUnexpectedOfFeed = (tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> =>
  rescheduleForEver(tx, feedRows, work, dueAt)
