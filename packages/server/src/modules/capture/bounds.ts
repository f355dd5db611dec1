/** What binds a run at this page: its own cap, the ceilings of its team, the balance. */
import { sql } from 'kysely'
import type { LockedAccount } from '../credits/index.ts'
import { countStoredLeads } from '../leads/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { countWaiting, type RunPost } from '../runs/index.ts'
import type { RunStop } from './ending.ts'
import type { Locked } from './page.ts'
import { shareOf } from './rules/next-step.ts'
import type { Bound } from './rules/take.ts'

const day = (now: Date): string => now.toISOString().slice(0, 10)

/** Credits that the keyword searches of a team may still spend on this UTC day (G76). */
export async function ceilingLeft(
  db: Reader,
  team: { id: string; keywordDailyCeiling: number },
  now: Date,
): Promise<number> {
  const { rows } = await sql<{
    credits: number
  }>`select credits from keyword_spend where team_id = ${team.id} and day = ${day(now)}::date`.execute(db)
  return team.keywordDailyCeiling - (rows[0]?.credits ?? 0)
}

/** Lead rows that a team with a ceiling on them may still store, whatever they came from; null without one. */
export async function leadsLeft(db: Reader, team: { id: string; leadCap: number | null }): Promise<number | null> {
  if (team.leadCap === null) return null
  return team.leadCap - (await countStoredLeads(db, team.id))
}

/** Counts what a keyword run has just been charged towards the day's ceiling; nothing of other runs. */
export async function noteSpend(tx: Tx, { run }: Locked, credits: number): Promise<void> {
  if (!run.settings.keyword || credits === 0) return
  await sql`
    insert into keyword_spend (team_id, day, credits) values (${run.teamId}, ${day(tx.now)}::date, ${credits})
    on conflict (team_id, day) do update set credits = keyword_spend.credits + excluded.credits`.execute(tx.db)
}

/** What an empty account means: the balance is spent, or an agent on a free trial has checked all the people it may (G126). */
export const emptied = (account: LockedAccount): 'budget' | 'lead_cap' =>
  account.name === 'agent_trial' ? 'lead_cap' : 'budget'

/** What stops a page: something that ends the run, the bound of its post, or the end of the post's turn. */
export type PageStop = RunStop | 'post' | 'turn'

/** The bounds on lead rows and on new people; `post` is the one whose engagement is stored, its author apart. */
export async function captureBounds(
  db: Reader,
  { account, run, team }: Locked,
  post: Pick<RunPost, 'rowsTaken' | 'turns'> | null,
  now: Date,
): Promise<Bound<PageStop>[]> {
  const balance = { counts: 'people', left: account.balance, stop: emptied(account) } as const
  const { rowCap, keyword } = run.settings
  if (!keyword)
    return [
      ...(rowCap === null ? [] : [{ counts: 'rows', left: rowCap - run.leadRows, stop: 'credits' } as const]),
      balance,
    ]
  const leads = await leadsLeft(db, team)
  const ofRun = [
    { counts: 'people', left: keyword.creditCap - run.creditsSpent, stop: 'credits' },
    ...(leads === null ? [] : [{ counts: 'rows', left: leads, stop: 'lead_cap' } as const]),
    { counts: 'people', left: await ceilingLeft(db, team, now), stop: 'team_cap' },
    balance,
  ] as const
  if (keyword.captureMode !== 'breadth' || post === null) return [...ofRun]
  const perPost = keyword.maxEngagementsPerPost
  const share = shareOf(Math.min(...ofRun.map((bound) => bound.left)), await countWaiting(db, run, post.turns))
  // Its share comes last: where the run ends or the post is done, there is no further turn to wait for.
  return [
    ...(perPost === null ? [] : [{ counts: 'rows', left: perPost - post.rowsTaken, stop: 'post' } as const]),
    ...ofRun,
    { counts: 'rows', left: share, stop: 'turn' },
  ]
}

/** The bounds on new posts of a posts-only watch, one credit each (KRN-15, G75). */
export async function watchBounds(
  db: Reader,
  { account, run, team }: Locked,
  now: Date,
): Promise<{ left: number; stop: RunStop }[]> {
  const balance = { left: account.balance, stop: emptied(account) } as const
  const { keyword, maxPosts } = run.settings
  if (!keyword) return [balance]
  return [
    { left: keyword.creditCap - run.creditsSpent, stop: 'credits' },
    { left: maxPosts - run.postsFetched, stop: 'post_limit' },
    { left: await ceilingLeft(db, team, now), stop: 'team_cap' },
    balance,
  ]
}
