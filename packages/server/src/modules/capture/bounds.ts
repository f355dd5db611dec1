/** What bounds a run at this page: its own cap, the ceilings of its team, the balance. */
import type { LockedAccount } from '../credits/index.ts'
import { countStoredLeads } from '../leads/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { countWaiting, type RunBound, type RunPost } from '../sources/index.ts'
import type { RunStop } from './ending.ts'
import type { Locked } from './lock.ts'
import { shareOf } from './rules/next-step.ts'
import type { Bound } from './rules/take.ts'
import { addSpend, findSpend } from './store.ts'

/** Credits that a team's keyword searches may still spend this UTC day (G76). */
export const ceilingLeft = async (
  db: Reader,
  team: { id: string; keywordDailyCeiling: number },
  now: Date,
): Promise<number> => team.keywordDailyCeiling - (await findSpend(db, team.id, now))

/** Lead rows that a team with a cap on them may still store, over all its sources; null without a cap. */
export async function leadsLeft(db: Reader, team: { id: string; leadCap: number | null }): Promise<number | null> {
  if (team.leadCap === null) return null
  return team.leadCap - (await countStoredLeads(db, team.id))
}

/** Adds charged credits to the day's ceiling, when it bounds the run. */
export async function noteSpend(tx: Tx, { run }: Pick<Locked, 'run'>, credits: number): Promise<void> {
  if (credits > 0 && run.policy.bounds.some((bound) => bound.of === 'team_day')) await addSpend(tx, run.teamId, credits)
}

/** The stop of an empty account: the balance is spent, or an agent's free trial has checked all the people it may (G126). */
export const stopOfEmptyAccount = (account: Pick<LockedAccount, 'name'>): 'budget' | 'lead_cap' =>
  account.name === 'agent_trial' ? 'lead_cap' : 'budget'

/** What stops a page: something that ends the run, the bound of its post, or the end of the post's turn. */
export type PageStop = RunStop | 'post' | 'turn'

type BoundBy = Pick<Locked, 'run' | 'team'> & { readonly account: Pick<LockedAccount, 'name' | 'balance'> }

async function boundNow(
  db: Reader,
  { account, run, team, now }: BoundBy & { readonly now: Date },
  bound: RunBound,
): Promise<Bound<RunStop> | null> {
  switch (bound.of) {
    case 'rows':
      return { counts: 'rows', left: bound.most - run.leadRows, stop: bound.stop }
    case 'credits':
      return { counts: 'people', left: bound.most - run.creditsSpent, stop: bound.stop }
    case 'posts':
      return { counts: 'rows', left: bound.most - run.postsFetched, stop: bound.stop }
    case 'team_rows': {
      const left = await leadsLeft(db, team)
      return left === null ? null : { counts: 'rows', left, stop: bound.stop }
    }
    case 'team_day':
      return { counts: 'people', left: await ceilingLeft(db, team, now), stop: bound.stop }
    case 'balance':
      return { counts: 'people', left: account.balance, stop: stopOfEmptyAccount(account) }
  }
}

/** The run's bounds at `now`, the most important first. Of posts that are stored themselves, each is a row and a credit. */
export async function runBounds(db: Reader, of: BoundBy, now: Date): Promise<Bound<RunStop>[]> {
  const bounds: Bound<RunStop>[] = []
  for (const each of of.run.policy.bounds) {
    const bound = await boundNow(db, { ...of, now }, each)
    if (bound) bounds.push(bound)
  }
  return bounds
}

/** Lead rows, and people, that a run may still take: the least of its bounds. */
export const roomOf = async (db: Reader, of: BoundBy, now: Date): Promise<number> =>
  Math.min(...(await runBounds(db, of, now)).map(({ left }) => left))

/** The bounds on lead rows and new people; `post` is the one whose engagement is stored, null for authors. */
export async function captureBounds(
  { db, now }: Tx,
  locked: Locked,
  post: Pick<RunPost, 'rowsTaken' | 'turns'> | null,
): Promise<Bound<PageStop>[]> {
  const { run } = locked
  const ofRun = await runBounds(db, locked, now)
  if (run.policy.order !== 'in_turn' || post === null) return ofRun
  const perPost = run.policy.perPost.rows
  const share = shareOf(Math.min(...ofRun.map((bound) => bound.left)), await countWaiting(db, run, post.turns))
  // The share comes last: where the run ends or the post is done, there is no further turn to wait for.
  return [
    ...(perPost === null ? [] : [{ counts: 'rows', left: perPost - post.rowsTaken, stop: 'post' } as const]),
    ...ofRun,
    { counts: 'rows', left: share, stop: 'turn' },
  ]
}
