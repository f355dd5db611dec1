/**
 * Sentences about runs, the same on pages, in mails and on the command line (specification «Sync status»,
 * «Keyword searches»: `stoppedBy`; G17, G75, G114, G115).
 */
import { counted } from './numbers.ts'

/** Why the service's vendor account for the network is on hold. */
export const networkTrouble = {
  away: 'The network did not answer',
  key: 'The network refused the account of this service: its operator has to fix this',
  money: 'The network account of this service is out of credit: its operator has to top it up',
  rate: 'The network took no more calls',
  cap: 'The network limit for today is reached: the operator of this service caps what it may spend there in a day',
} as const

/** What an open run waits for: the network, or the team's AI vendor. */
export type WaitsFor = keyof typeof networkTrouble | 'ai_away' | 'ai_rate'

/** How a run that captured something ended. */
export type StopReason =
  | 'credits'
  | 'budget'
  | 'team_cap'
  | 'lead_cap'
  | 'post_limit'
  | 'exhausted'
  | 'provider_limit'
  | 'capture_empty'

export type RunFacts = {
  readonly type: 'person' | 'company' | 'post' | 'keyword'
  readonly state: 'queued' | 'capturing' | 'captured' | 'failed' | 'untracked'
  readonly stoppedBy: string | null
  readonly errorCode: string | null
  readonly errorText: string | null
  readonly mode: 'engagers' | 'posts_only'
  /** Lead rows a run may store, or credits a keyword search may spend; null: no limit. */
  readonly cap: number | null
  readonly maxPosts: number | null
  readonly paysFrom: 'team' | 'agent_trial'
  /** Only part of the posts was read, since the fallback vendor of the network costs too much. */
  readonly priceLimited: boolean
  readonly waitsFor: WaitsFor | null
}

function capped({ type, cap }: RunFacts): string {
  const unit = type === 'keyword' ? 'credit' : 'lead'
  return cap === null
    ? `Stopped at the cap on ${unit}s per run`
    : `Stopped at the cap of ${counted(cap, unit)} per run you set`
}

const nobodyRead = 'Nobody could be read, although the posts show reactions or comments'

const inPart =
  'Finished in part: the usual supplier of the network was away, so its substitute was asked for the first pages only'

function finished({ type, mode, priceLimited, errorCode }: RunFacts): string {
  if (priceLimited) return inPart
  if (errorCode === 'capture_empty') return nobodyRead
  if (mode === 'posts_only') return 'Finished: every new post was stored'
  return type === 'keyword' ? 'Finished: every post found was processed' : 'Finished: everybody found was captured'
}

/** The type makes the table exhaustive. */
const endings: { readonly [S in StopReason]: (run: RunFacts) => string } = {
  exhausted: finished,
  provider_limit: ({ priceLimited }) =>
    priceLimited ? inPart : 'Finished, but the network shows at most about 1,100 people per post',
  capture_empty: () => nobodyRead,
  credits: (run) => (run.errorCode === 'insufficient_enriching_credits' ? broke : capped(run)),
  budget: () => broke,
  team_cap: () => 'Stopped: your keyword searches have reached their daily credit limit',
  lead_cap: ({ paysFrom }) =>
    paysFrom === 'agent_trial'
      ? 'Stopped: the agent of your free trial has checked as many people as the trial allows'
      : 'Stopped: your team holds as many leads as its plan allows',
  post_limit: ({ mode, maxPosts, priceLimited }) =>
    priceLimited
      ? inPart
      : mode === 'posts_only' && maxPosts !== null
        ? `Stopped at the limit of ${counted(maxPosts, 'post')} per run you set`
        : 'Stopped at the limit of 2,000 posts per run',
}

const broke = 'Stopped: your credits ran out'

const lowered = (words: string): string => `${words.charAt(0).toLowerCase()}${words.slice(1)}`

export const waits: Readonly<Record<WaitsFor, string>> = {
  away: lowered(networkTrouble.away),
  key: lowered(networkTrouble.key),
  money: lowered(networkTrouble.money),
  rate: lowered(networkTrouble.rate),
  cap: lowered(networkTrouble.cap),
  ai_away: 'the AI vendor did not answer',
  ai_rate: 'the AI vendor accepts no more calls with your key for now',
}

const again = '; it is tried again at the next run'

/** Messages of failures that another run may not meet again. */
const passing =
  /^The network (?:did not answer|took no more calls|refused the account|account of this service|limit for today)/

/** Failed runs by error code. */
export const failures: Readonly<Record<string, (errorText: string | null) => string>> = {
  subscription_inactive: () => 'Failed: your subscription is not active',
  internal_error: () =>
    'Failed: the service itself failed at this five times; it is tried again at the next run, or when you start one',
  ai_error: (errorText) =>
    `Failed: the AI filter could not judge the posts${errorText === null ? '' : `. ${errorText.replace(/\.$/, '')}`}`,
  // The vendor's own words come last: `passing` judges by the beginning, which is ours.
  provider_error: (errorText) =>
    errorText === null
      ? `Failed: the network did not answer${again}`
      : `Failed: ${errorText.charAt(0).toLowerCase()}${errorText.slice(1)}${passing.test(errorText) ? again : ''}`,
}

const isStopReason = (text: string | null): text is StopReason => text !== null && Object.hasOwn(endings, text)

/** How a run ended, or where it stands: one sentence without its full stop. */
export function runInWords(run: RunFacts): string {
  switch (run.state) {
    case 'queued':
    case 'capturing':
      if (run.waitsFor !== null) return `Waiting: ${waits[run.waitsFor]}; it continues automatically`
      return run.state === 'queued' ? 'Waiting for its turn' : 'Running now'
    case 'untracked':
      return 'Cut off: the source was untracked while it ran'
    case 'failed': {
      const { errorCode, errorText } = run
      if (errorCode !== null && Object.hasOwn(failures, errorCode)) return failures[errorCode]!(errorText)
      return errorText === null ? 'Failed; it is tried again at the next run' : `Failed: ${errorText}`
    }
    case 'captured':
      return isStopReason(run.stoppedBy) ? endings[run.stoppedBy](run) : 'Finished'
  }
}

/** True when a cap kept a run from people it had found; false when credits ran out or the network showed no more. */
export const isStarved = ({
  state,
  stoppedBy,
  errorCode,
}: Pick<RunFacts, 'state' | 'stoppedBy' | 'errorCode'>): boolean =>
  state === 'captured' &&
  ['credits', 'team_cap', 'lead_cap'].includes(stoppedBy ?? '') &&
  errorCode !== 'insufficient_enriching_credits'

/** Why a run stopped, in a few words; an unknown reason is returned unchanged. */
export const stopWord = (stoppedBy: string | null): string | null =>
  stoppedBy === null ? null : ((shortly as Readonly<Record<string, string>>)[stoppedBy] ?? stoppedBy)

const shortly = {
  exhausted: 'everything was read',
  credits: 'its own cap was reached',
  credit_cap: 'its own cap was reached',
  budget: 'the credits ran out',
  team_cap: 'the team’s limit for a day was reached',
  lead_cap: 'the team’s limit on leads was reached',
  post_limit: 'the limit on posts was reached',
  provider_limit: 'the network shows no more',
  capture_empty: 'nobody could be read',
  untracked: 'the source was untracked',
  error: 'the network failed',
  ai_error: 'the AI filter failed',
} as const satisfies Readonly<Record<StopReason | 'credit_cap' | 'untracked' | 'error' | 'ai_error', string>>

/** The last run of a keyword search in one sentence, for lists of sources, where a failed run has no error text. */
export function searchRunInWords(search: {
  readonly mode?: 'engagers' | 'posts_only' | undefined
  readonly creditCap?: number | null | undefined
  readonly maxPosts?: number | null | undefined
  readonly lastRun: { readonly stoppedBy: string | null; readonly errorCode?: string | null | undefined }
}): string {
  const { stoppedBy, errorCode = null } = search.lastRun
  const failed = stoppedBy === 'error' || stoppedBy === 'ai_error'
  return runInWords({
    type: 'keyword',
    state: failed ? 'failed' : 'captured',
    stoppedBy,
    errorCode: failed ? (errorCode ?? (stoppedBy === 'error' ? 'provider_error' : stoppedBy)) : errorCode,
    errorText: null,
    mode: search.mode ?? 'engagers',
    cap: search.creditCap ?? null,
    maxPosts: search.maxPosts ?? null,
    paysFrom: 'team',
    priceLimited: false,
    waitsFor: null,
  })
}
