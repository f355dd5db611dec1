import { expect, it } from 'vitest'
import { deliveryOutcome, discoverError, discoverState } from './work.ts'

it.each([
  [{ state: 'running', error: null }, 'Under way', 'info'],
  [{ state: 'running', error: {} }, 'Under way', 'info'],
  [{ state: 'failed', error: {} }, 'Failed', 'bad'],
  [{ state: 'done', error: null }, 'Done', 'good'],
  [{ state: 'done', error: { code: 'x' } }, 'Ended early', 'warn'],
])('a Discover run %j is %s', (run, text, tone) => expect(discoverState(run)).toEqual({ text, tone }))

it.each([
  [null, null],
  [
    { code: 'insufficient_enriching_credits', error: 'x' },
    'The credits ran out before everybody who qualified was added.',
  ],
  [
    { code: 'internal_error', error: 'x' },
    'The service itself failed at this five times: search again, and if that fails too, tell the operator.',
  ],
  [{ code: 'subscription_inactive', error: 'x' }, 'The subscription of the team has ended.'],
  [{ code: 'toString', error: 'The network is away' }, 'The network is away.'],
])('the error %j of one reads «%s»', (error, words) => expect(discoverError(error)).toBe(words))

it.each([
  ['delivered', 'Your address accepted it.'],
  ['timeout', 'Your address did not answer in time.'],
  ['something_new', 'something_new'],
  ['toString', 'toString'],
])('a delivery that ended %s reads «%s»', (outcome, words) => expect(deliveryOutcome(outcome)).toBe(words))
