import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeFailure } from '../../../providers/ports.ts'
import { describe, expect, it } from 'vitest'
import { emptyBalance } from '../../sources/rules/status.ts'
import { failures, isStarved, runInWords, type RunFacts } from '@les/contract'

const run: RunFacts = {
  type: 'person',
  state: 'captured',
  stoppedBy: 'exhausted',
  errorCode: null,
  errorText: null,
  mode: 'engagers',
  cap: null,
  maxPosts: 20,
  paysFrom: 'team',
  priceLimited: false,
  waitsFor: null,
}
const searched: Partial<RunFacts> = { type: 'keyword', cap: 250, maxPosts: 2_000 }

describe('a run in words', () => {
  it.each<[Partial<RunFacts>, string]>([
    [{ state: 'queued', stoppedBy: null }, 'Waiting for its turn'],
    [{ state: 'capturing', stoppedBy: null }, 'Running now'],
    [
      { state: 'queued', stoppedBy: null, waitsFor: 'away' },
      'Waiting: the network did not answer; it goes on by itself',
    ],
    [
      { state: 'capturing', stoppedBy: null, waitsFor: 'money' },
      'Waiting: the network wants money: the account of this service there is empty, ' +
        'which its operator has to see to; it goes on by itself',
    ],
    [
      { state: 'capturing', stoppedBy: null, waitsFor: 'ai_cap' },
      'Waiting: the AI filters have cost today what they may; it goes on by itself',
    ],
    ...(['provider_limit', 'exhausted', 'post_limit'] as const).map((stoppedBy): [Partial<RunFacts>, string] => [
      { stoppedBy, priceLimited: true },
      'Finished in part: while the usual supplier of the network was away, its substitute was asked for the first pages alone',
    ]),
    [{ state: 'untracked', stoppedBy: null }, 'Cut off: the source was untracked while it ran'],
    [{}, 'Finished: everybody found was captured'],
    [{ mode: 'posts_only' }, 'Finished: every new post was stored'],
    [{ ...searched }, 'Finished: every post found was worked through'],
    [{ stoppedBy: 'credits', cap: 100 }, 'Stopped at the cap of 100 leads per run you set'],
    [{ stoppedBy: 'credits', cap: 1 }, 'Stopped at the cap of 1 lead per run you set'],
    [{ stoppedBy: 'credits' }, 'Stopped at the cap on leads per run'],
    [{ stoppedBy: 'credits', errorCode: 'insufficient_enriching_credits', cap: 100 }, 'Stopped: your credits ran out'],
    [{ ...searched, stoppedBy: 'credits', cap: 1_250 }, 'Stopped at the cap of 1,250 credits per run you set'],
    [
      { ...searched, stoppedBy: 'budget', errorCode: 'insufficient_enriching_credits' },
      'Stopped: your credits ran out',
    ],
    [{ ...searched, stoppedBy: 'team_cap' }, 'Stopped: your keyword searches have spent what they may spend in a day'],
    [{ ...searched, stoppedBy: 'lead_cap' }, 'Stopped: your team holds as many leads as its plan allows'],
    [
      { stoppedBy: 'lead_cap', paysFrom: 'agent_trial' },
      'Stopped: the agent of your free trial has checked all the people it may',
    ],
    [{ ...searched, stoppedBy: 'post_limit' }, 'Stopped after as many posts as one run may look at: 2,000'],
    [
      { ...searched, stoppedBy: 'post_limit', mode: 'posts_only', maxPosts: 5 },
      'Stopped at the limit of 5 posts per run you set',
    ],
    [{ stoppedBy: 'provider_limit' }, 'Finished, but the network shows at most about 1,100 people per post'],
    [
      { stoppedBy: 'capture_empty', errorCode: 'capture_empty' },
      'Nobody could be read, although the posts show reactions or comments',
    ],
    [
      {
        state: 'failed',
        stoppedBy: null,
        errorCode: 'internal_error',
        errorText: 'The service failed at this sync, five times over',
      },
      'Failed: the service itself failed at it, five times over; it is tried again at the next run, or when you start one',
    ],
    [
      { state: 'failed', stoppedBy: null, errorCode: 'provider_error', errorText: 'The network did not answer' },
      'Failed: the network did not answer; it is tried again at the next run',
    ],
    [
      {
        state: 'failed',
        stoppedBy: null,
        errorCode: 'provider_error',
        errorText: describeFailure({ kind: 'account', vendorMessage: 'Out of credit', requestId: 'r-1' }),
      },
      'Failed: the network refused the account of this service, which its operator has to see to; it said: ' +
        '"Out of credit" (request r-1); it is tried again at the next run',
    ],
    [
      {
        state: 'failed',
        stoppedBy: null,
        errorCode: 'provider_error',
        errorText: describeFailure({ kind: 'rate_limited', vendorMessage: null, requestId: null }),
      },
      'Failed: the network took no more calls; it is tried again at the next run',
    ],
    [
      {
        state: 'failed',
        stoppedBy: null,
        errorCode: 'provider_error',
        errorText: 'The network has no such post any more',
      },
      'Failed: the network has no such post any more',
    ],
    [
      {
        state: 'failed',
        stoppedBy: null,
        errorCode: 'subscription_inactive',
        errorText: 'The team has no active subscription',
      },
      'Failed: your subscription is not active',
    ],
    [
      {
        ...searched,
        state: 'failed',
        stoppedBy: 'ai_error',
        errorCode: 'ai_error',
        errorText: 'The vendor refused the key.',
      },
      'Failed: the AI filter could not judge the posts. The vendor refused the key',
    ],
    [
      { ...searched, state: 'failed', stoppedBy: 'error', errorCode: null },
      'Failed; it is tried again at the next run',
    ],
    [
      { state: 'failed', stoppedBy: null, errorCode: 'unheard_of', errorText: 'something new' },
      'Failed: something new',
    ],
    [{ stoppedBy: 'unheard_of' }, 'Finished'],
  ])('%j reads %s', (facts, words) => expect(runInWords({ ...run, ...facts })).toBe(words))

  it('knows every reason and every code that capture, keywords and sources end runs with', () => {
    const modules = join(import.meta.dirname, '../..')
    const text = ['capture', 'keywords', 'sources'].flatMap((name) =>
      readdirSync(join(modules, name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
    )
    const literals = (name: string) =>
      new Set(
        text.flatMap((file) =>
          [...file.matchAll(new RegExp(`${name}: (?:[a-z]+ [?] )?'([a-z_]+)'`, 'g'))].map((match) => match[1]!),
        ),
      )
    // Codes of runs that captured: told by their reason. That of an empty balance has a name.
    const told = [...Object.keys(failures), 'capture_empty', emptyBalance]
    expect([...literals('errorCode'), emptyBalance].sort()).toEqual(told.sort())
    const reasons = [...literals('stoppedBy')].filter((reason) => !['error', 'ai_error'].includes(reason))
    expect(reasons).toContain('exhausted')
    expect(reasons.filter((reason) => runInWords({ ...run, stoppedBy: reason }) === 'Finished')).toEqual([])
  })
})

describe('a starved run', () => {
  it.each<[Partial<RunFacts>, boolean]>([
    [{ stoppedBy: 'credits' }, true],
    [{ stoppedBy: 'team_cap' }, true],
    [{ stoppedBy: 'lead_cap' }, true],
    [{ stoppedBy: 'credits', errorCode: 'insufficient_enriching_credits' }, false],
    [{ stoppedBy: 'budget' }, false],
    [{ stoppedBy: 'exhausted' }, false],
    [{ stoppedBy: 'post_limit' }, false],
    [{ state: 'failed', stoppedBy: 'ai_error' }, false],
  ])('%j: %s', (facts, starved) => expect(isStarved({ ...run, ...facts })).toBe(starved))
})
