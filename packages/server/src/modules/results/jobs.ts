/**
 * Reads the outreach platform's results, one team per step:
 *
 *   leased --posts wait-----------------> applied, 200 per unit of work, until none is left
 *          --an hour since the last poll--> reads each campaign somebody was sent to lately, page by page, and applies new posts
 *          --> released, due in an hour or at the next post
 *
 * Both ways report the same results, and a crash leaves some recorded; known results change nothing, so it simply starts again.
 * If the platform is away, the rest is read later; if it rejects the key, in an hour.
 */
import { queryColumn } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { defineWork } from '../../platform/work/index.ts'
import { type MemberProgress, OutreachFailure, readProfileUrl } from '../../providers/outreach/port.ts'
import { shareAccount } from '../credits/index.ts'
import { openConnection, type OutreachDeps } from '../outreach/index.ts'
import { recordReported, type UnmatchedResult } from './actions.ts'
import {
  claimFeed,
  feedRows,
  lockFeed,
  recordUnexpectedOfFeed,
  releaseFeed,
  renewFeed,
  type LeasedFeed,
} from './feed.ts'
import { listWaiting, noteApplied } from './inbox.ts'

/** Longer than one page takes, in system time. */
const leaseMs = 120_000
const postsAtOnce = 200

const minuteMs = 60_000
const betweenPollsMs = 60 * minuteMs
/** When the platform fails without saying when to retry. */
const afterTroubleMs = 10 * minuteMs

/** Campaigns are read for this long after the last send. */
const campaignDays = 90

type ResultsDeps = Pick<
  OutreachDeps,
  'db' | 'unitOfWork' | 'platform' | 'vault' | 'system' | 'faultPoint' | 'log' | 'processId'
> & { readonly serviceNow: (db: Reader) => Promise<Date> }

function resultsStep(deps: ResultsDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const nowMs = deps.system.nowMs()
    const feed = await deps.unitOfWork((tx) =>
      claimFeed(tx, { processId: deps.processId, nowMs, untilMs: nowMs + leaseMs }),
    )
    if (!feed) return 'idle'
    await deps.faultPoint('results.leased')
    let applied = await applyPosts(deps, feed)
    while (applied === 'more') applied = await applyPosts(deps, feed)
    if (applied === 'lost') return 'worked'
    const now = await deps.serviceNow(deps.db)
    const pollAt = feed.pollAt <= now ? new Date(now.getTime() + (await poll(deps, feed, now))) : feed.pollAt
    await deps.unitOfWork(async (tx) => {
      if (await lockFeed(tx, feed)) await releaseFeed(tx, feed, pollAt)
    })
    return 'worked'
  }
}

async function applySome(tx: Tx, teamId: string): Promise<boolean> {
  const posts = await listWaiting(tx.db, teamId, postsAtOnce)
  const reported = posts.flatMap(({ posted, receivedAt }): UnmatchedResult[] =>
    posted === null || posted.outcome === null
      ? []
      : [{ named: posted.name, outcome: posted.outcome, at: posted.at ?? receivedAt, campaignId: posted.campaignId }],
  )
  await recordReported(tx, teamId, { origin: 'heyreach', reported })
  await noteApplied(tx, teamId, posts)
  return posts.length > 0
}

/** Applies all posts of a closed team, so that its exclusions are complete when it is restored and sends again. */
export async function applyAll(tx: Tx, teamId: string): Promise<void> {
  await shareAccount(tx, teamId, 'team')
  while (await applySome(tx, teamId));
}

const applyPosts = (deps: ResultsDeps, feed: LeasedFeed): Promise<'more' | 'none' | 'lost'> =>
  deps.unitOfWork(async (tx) => {
    await shareAccount(tx, feed.teamId, 'team')
    if (!(await lockFeed(tx, feed))) return 'lost'
    if (!(await applySome(tx, feed.teamId))) return 'none'
    await renewFeed(tx, feed, deps.system.nowMs() + leaseMs)
    await deps.faultPoint('results.applied')
    return 'more'
  })

/** Returns the milliseconds until the next poll. */
async function poll(deps: ResultsDeps, feed: LeasedFeed, now: Date): Promise<number> {
  const { teamId } = feed
  const connection = await openConnection(deps, teamId)
  if (!connection || connection.rejected) return betweenPollsMs
  const since = new Date(now.getTime() - campaignDays * 24 * 60 * minuteMs)
  try {
    for (const campaignId of await listCampaignsSentTo(deps.db, teamId, since))
      if (!(await readCampaign(deps, feed, { key: connection.key, campaignId }))) break
    return betweenPollsMs
  } catch (error) {
    if (!(error instanceof OutreachFailure)) throw error
    deps.log.warn('the outreach platform did not say how far people are', { teamId, kind: error.kind, error })
    if (error.kind === 'invalid_key') return betweenPollsMs
    return Math.min(24 * betweenPollsMs, Math.max(afterTroubleMs, error.retryAfterMs ?? 0))
  }
}

const listCampaignsSentTo = (db: Reader, teamId: string, since: Date) =>
  queryColumn<string>(db)`
    select campaign_id as id from outreach_send where team_id = ${teamId} and state = 'sent'
    group by campaign_id having max(sent_at) >= ${since} order by max(sent_at) desc`

async function readCampaign(
  deps: ResultsDeps,
  feed: LeasedFeed,
  { key, campaignId }: { readonly key: string; readonly campaignId: string },
): Promise<boolean> {
  for (let offset: number | null = 0; offset !== null; ) {
    const { members, next } = await readPage(deps, { key, campaignId, offset })
    await deps.faultPoint('results.read')
    const ours = await deps.unitOfWork(async (tx) => {
      await shareAccount(tx, feed.teamId, 'team')
      if (!(await lockFeed(tx, feed))) return false
      // Reading all campaigns may take minutes; opt-outs posted meanwhile must be applied before that.
      await applySome(tx, feed.teamId)
      const reported = members.flatMap((member) => reportedBy(member, campaignId, tx.now))
      await recordReported(tx, feed.teamId, { origin: 'heyreach', reported })
      await renewFeed(tx, feed, deps.system.nowMs() + leaseMs)
      return true
    })
    if (!ours) return false
    offset = next
  }
  return true
}

/** A campaign the platform no longer has counts as empty, so that the others are still read. */
const readPage = (
  { platform }: ResultsDeps,
  { key, campaignId, offset }: { readonly key: string; readonly campaignId: string; readonly offset: number },
) =>
  platform.readProgress(key, campaignId, offset).catch((error: unknown) => {
    if (error instanceof OutreachFailure && (error.kind === 'refused' || error.kind === 'campaign_closed'))
      return { members: [], next: null }
    throw error
  })

/** The results that a member's state implies; the platform dates only the last action. */
function reportedBy(member: MemberProgress, campaignId: string, now: Date): UnmatchedResult[] {
  const named = readProfileUrl(member.profileUrl)
  if (named === null) return []
  const at = member.lastActionAt ?? now
  const { connection, message } = member
  return [
    ...(connection !== 'none' || message !== 'none' ? (['sent'] as const) : []),
    ...(connection === 'accepted' ? (['accepted'] as const) : []),
    ...(message === 'replied' ? (['replied'] as const) : []),
  ].map((outcome) => ({ named, outcome, at, campaignId }))
}

/** The work of reading results. */
export const resultsWork = defineWork({
  kind: 'results',
  rows: [feedRows],
  step: resultsStep,
  unexpected: { feed: recordUnexpectedOfFeed },
})
