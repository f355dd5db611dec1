import { describe, expect, it } from 'vitest'
import { failures, isStarved, networkTrouble, runInWords, searchRunInWords, waits, type RunFacts } from './runs.ts'

const captured: RunFacts = {
  type: 'person',
  state: 'captured',
  stoppedBy: 'exhausted',
  errorCode: null,
  errorText: null,
  mode: 'engagers',
  cap: null,
  maxPosts: null,
  paysFrom: 'team',
  priceLimited: false,
  waitsFor: null,
}
const inPart =
  'Finished in part: the usual supplier of the network was away, so its substitute was asked for the first pages only'
const broke = 'Stopped: your credits ran out'
const trouble = 'insufficient_enriching_credits'

describe('a run that captured', () => {
  it.each<[Partial<RunFacts>, string]>([
    [{}, 'Finished: everybody found was captured'],
    [{ type: 'post' }, 'Finished: everybody found was captured'],
    [{ type: 'keyword' }, 'Finished: every post found was processed'],
    [{ mode: 'posts_only' }, 'Finished: every new post was stored'],
    [{ type: 'keyword', mode: 'posts_only' }, 'Finished: every new post was stored'],
    [{ priceLimited: true }, inPart],
    [{ mode: 'posts_only', priceLimited: true }, inPart],
    [{ stoppedBy: 'provider_limit' }, 'Finished, but the network shows at most about 1,100 people per post'],
    [{ stoppedBy: 'provider_limit', priceLimited: true }, inPart],
    [{ stoppedBy: 'capture_empty' }, 'Nobody could be read, although the posts show reactions or comments'],
    [{ stoppedBy: 'credits' }, 'Stopped at the cap on leads per run'],
    [{ stoppedBy: 'credits', type: 'keyword' }, 'Stopped at the cap on credits per run'],
    [{ stoppedBy: 'credits', cap: 1 }, 'Stopped at the cap of 1 lead per run you set'],
    [{ stoppedBy: 'credits', cap: 1_200 }, 'Stopped at the cap of 1,200 leads per run you set'],
    [{ stoppedBy: 'credits', type: 'keyword', cap: 250 }, 'Stopped at the cap of 250 credits per run you set'],
    [{ stoppedBy: 'credits', cap: 5, errorCode: trouble }, broke],
    [{ stoppedBy: 'credits', cap: 5, errorCode: 'provider_error' }, 'Stopped at the cap of 5 leads per run you set'],
    [{ stoppedBy: 'budget' }, broke],
    [{ stoppedBy: 'team_cap' }, 'Stopped: your keyword searches have reached their daily credit limit'],
    [{ stoppedBy: 'lead_cap' }, 'Stopped: your team holds as many leads as its plan allows'],
    [
      { stoppedBy: 'lead_cap', paysFrom: 'agent_trial' },
      'Stopped: the agent of your free trial has checked as many people as the trial allows',
    ],
    [{ stoppedBy: 'post_limit' }, 'Stopped at the limit of 2,000 posts per run'],
    [{ stoppedBy: 'post_limit', maxPosts: 10 }, 'Stopped at the limit of 2,000 posts per run'],
    [{ stoppedBy: 'post_limit', mode: 'posts_only' }, 'Stopped at the limit of 2,000 posts per run'],
    [{ stoppedBy: 'post_limit', mode: 'posts_only', maxPosts: 10 }, 'Stopped at the limit of 10 posts per run you set'],
    [{ stoppedBy: 'post_limit', mode: 'posts_only', maxPosts: 10, priceLimited: true }, inPart],
    [{ stoppedBy: null }, 'Finished'],
    [{ stoppedBy: 'toString' }, 'Finished'],
  ])('%j reads «%s»', (facts, words) => expect(runInWords({ ...captured, ...facts })).toBe(words))
})

describe('a run that is open, cut off or failed', () => {
  const failed = (errorCode: string, errorText: string | null = null): Partial<RunFacts> => ({
    state: 'failed',
    errorCode,
    errorText,
  })
  it.each<[Partial<RunFacts>, string]>([
    [{ state: 'queued' }, 'Waiting for its turn'],
    [{ state: 'capturing' }, 'Running now'],
    [{ state: 'queued', waitsFor: 'away' }, 'Waiting: the network did not answer; it continues automatically'],
    [{ state: 'capturing', waitsFor: 'rate' }, 'Waiting: the network took no more calls; it continues automatically'],
    [{ state: 'untracked' }, 'Cut off: the source was untracked while it ran'],
    [{ state: 'failed' }, 'Failed; it is tried again at the next run'],
    [{ state: 'failed', errorText: 'Something else' }, 'Failed: Something else'],
    [failed('new_code', 'Something else'), 'Failed: Something else'],
    [failed('toString'), 'Failed; it is tried again at the next run'],
    [failed('subscription_inactive'), 'Failed: your subscription is not active'],
    [
      failed('internal_error', 'x'),
      'Failed: the service itself failed at this five times; it is tried again at the next run, or when you start one',
    ],
    [failed('ai_error'), 'Failed: the AI filter could not judge the posts'],
    [failed('ai_error', 'The model is gone.'), 'Failed: the AI filter could not judge the posts. The model is gone'],
    [failed('ai_error', 'See v1.2 of it'), 'Failed: the AI filter could not judge the posts. See v1.2 of it'],
    [failed('provider_error'), 'Failed: the network did not answer; it is tried again at the next run'],
    [failed('provider_error', 'The network has no such page'), 'Failed: the network has no such page'],
    [failed('provider_error', 'Once The network did not answer'), 'Failed: once The network did not answer'],
    ...Object.values(networkTrouble).map((text): [Partial<RunFacts>, string] => [
      failed('provider_error', text),
      `Failed: t${text.slice(1)}; it is tried again at the next run`,
    ]),
  ])('%j reads «%s»', (facts, words) => expect(runInWords({ ...captured, ...facts })).toBe(words))

  it('says of every held account what is waited for', () => {
    expect(waits).toEqual({
      away: 'the network did not answer',
      key: 'the network refused the account of this service: its operator has to fix this',
      money: 'the network account of this service is out of credit: its operator has to top it up',
      rate: 'the network took no more calls',
      cap: 'the network limit for today is reached: the operator of this service caps what it may spend there in a day',
      ai_away: 'the AI vendor did not answer',
      ai_rate: 'the AI vendor accepts no more calls with your key for now',
    })
    expect(Object.keys(failures)).toEqual(['subscription_inactive', 'internal_error', 'ai_error', 'provider_error'])
  })
})

it.each([
  [{ state: 'captured', stoppedBy: 'credits', errorCode: null }, true],
  [{ state: 'captured', stoppedBy: 'team_cap', errorCode: null }, true],
  [{ state: 'captured', stoppedBy: 'lead_cap', errorCode: null }, true],
  [{ state: 'captured', stoppedBy: 'credits', errorCode: trouble }, false],
  [{ state: 'captured', stoppedBy: 'credits', errorCode: 'provider_error' }, true],
  [{ state: 'captured', stoppedBy: 'exhausted', errorCode: null }, false],
  [{ state: 'captured', stoppedBy: null, errorCode: null }, false],
  [{ state: 'failed', stoppedBy: 'credits', errorCode: null }, false],
] as const)('%j was kept from people by a cap: %s', (run, starved) => expect(isStarved(run)).toBe(starved))

it.each([
  [
    { mode: 'posts_only', maxPosts: 7, lastRun: { stoppedBy: 'post_limit' } },
    'Stopped at the limit of 7 posts per run you set',
  ],
  [{ lastRun: { stoppedBy: 'post_limit' } }, 'Stopped at the limit of 2,000 posts per run'],
  [{ lastRun: { stoppedBy: 'credits' } }, 'Stopped at the cap on credits per run'],
  [{ creditCap: 9, lastRun: { stoppedBy: 'credits', errorCode: trouble } }, broke],
  [{ lastRun: { stoppedBy: 'error', errorCode: 'subscription_inactive' } }, 'Failed: your subscription is not active'],
  [{ lastRun: { stoppedBy: 'ai_error', errorCode: null } }, 'Failed: the AI filter could not judge the posts'],
] as const)('a search that was last %j reads «%s»', (search, words) => expect(searchRunInWords(search)).toBe(words))
