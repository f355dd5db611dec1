import { describe, expect, it } from 'vitest'
import {
  inWords,
  whyNotDelivered,
  type DeliveryFacts,
  type WebhookFacts,
  type UndeliveredFacts,
} from './undelivered.ts'

const at = new Date('2026-11-21T09:00:00.000Z')
const later = new Date('2026-11-21T10:30:00.000Z')
const hook: WebhookFacts = {
  url: 'https://example.com/',
  icpOnly: false,
  autoSend: true,
  autoSendSince: null,
  generation: 1,
  disabledAt: null,
  disabledReason: null,
  isAgents: false,
  agentSends: false,
}
const delivery: DeliveryFacts = {
  state: 'pending',
  attempts: 0,
  lastStatus: null,
  lastOutcome: null,
  dueAt: later,
  awaitsEnrichment: false,
  icpOnly: false,
}
const facts: UndeliveredFacts = {
  lead: { webhookStatus: 'pending', enrichment: 'completed', isIcp: null, createdAt: at, webhookGeneration: 1 },
  excluded: null,
  missed: [],
  source: { active: true },
  hook,
  delivery: null,
}

type Change = {
  lead?: Partial<UndeliveredFacts['lead']>
  excluded?: UndeliveredFacts['excluded']
  missed?: readonly string[]
  source?: UndeliveredFacts['source']
  hook?: Partial<WebhookFacts> | null
  delivery?: Partial<DeliveryFacts> | null
}
const why = (change: Change): string =>
  whyNotDelivered({
    excluded: change.excluded ?? null,
    missed: change.missed ?? [],
    lead: { ...facts.lead, ...change.lead },
    source: change.source === undefined ? facts.source : change.source,
    hook: change.hook === null ? null : { ...hook, ...change.hook },
    delivery: change.delivery ? { ...delivery, ...change.delivery } : null,
  })
    .map(inWords)
    .join(' | ')

describe('why a lead has not gone', () => {
  it.each<[string, Change, RegExp]>([
    ['an address that was taken away', { hook: { url: null } }, /no webhook address/],
    ['a search for people', { source: null, hook: null }, /search for people/],
    [
      'captured before it was sent by itself',
      { hook: { autoSendSince: later } },
      /before sending by itself was switched on/,
    ],
    ['fit only, and no fit', { hook: { icpOnly: true }, lead: { isIcp: false } }, /does not fit/],
    [
      'excluded by a setting',
      { excluded: { list: 'own_team', entryId: null, reason: 'works_at_source' }, delivery: { state: 'excluded' } },
      /^Excluded people are not delivered\. They work at the tracked company\. Change the settings/,
    ],
    ['enrichment failed', { lead: { enrichment: 'failed' } }, /Nothing was found out/],
    ['enrichment left out', { lead: { enrichment: 'skipped' } }, /was not enriched/],
    [
      'a disabled address',
      { hook: { disabledAt: at, disabledReason: 'failing' } },
      /switched off since 2026-11-21 09:00 UTC: nothing but failures/,
    ],
    ['nothing that can be seen now', {}, /settings at that time/],
    ['waiting', { delivery: {} }, /waits its turn/],
    ['being sent', { delivery: { state: 'sending' } }, /right now/],
    [
      'failures without an answer',
      { delivery: { attempts: 2, lastOutcome: 'timeout' } },
      /failed twice, last with no answer in time/,
    ],
    [
      'tried again after a failure of the service',
      { delivery: { lastOutcome: 'unreadable_secret' } },
      /the signing secret of your team could not be opened. The next try is at 2026-11-21 10:30 UTC/,
    ],
    [
      'held by the service',
      { delivery: { state: 'held', lastOutcome: 'internal_error' } },
      /held, because five times over the service itself failed at it/,
    ],
    [
      'held until it is enriched',
      { delivery: { state: 'held', awaitsEnrichment: true } },
      /until its enrichment has ended/,
    ],
    [
      'captured before its address was changed',
      { lead: { webhookGeneration: 0 } },
      /captured before the webhook address was changed\. Push it/,
    ],
    [
      'called off with autoSend',
      { delivery: { state: 'cancelled' }, hook: { autoSend: false } },
      /called off: sending by itself is switched off for this source\. Push it/,
    ],
    [
      'ended with its source',
      { delivery: { state: 'failed', attempts: 2 }, source: { active: false } },
      /called off: the source is no longer tracked/,
    ],
    [
      'ended with its source, which is tracked again',
      { delivery: { state: 'failed', attempts: 0 } },
      /called off when the source was not tracked\. Push it/,
    ],
    [
      'called off with its source',
      { delivery: { state: 'cancelled' }, source: { active: false } },
      /called off: the source is no longer tracked/,
    ],
    [
      'called off with its address',
      { delivery: { state: 'cancelled' }, hook: { url: null } },
      /address was taken away/,
    ],
    [
      'called off because it does not fit',
      { delivery: { state: 'cancelled', icpOnly: true }, lead: { isIcp: false } },
      /pushed as a lead that fits/,
    ],
  ])('%s is said in words', (_what, change, expected) => expect(why(change)).toMatch(expected))

  it('several reasons are all said', () =>
    expect(why({ hook: { autoSend: false, icpOnly: true }, lead: { isIcp: false } }).split(' | ')).toHaveLength(2))
  it('nothing is said of a lead that has gone', () => {
    expect(why({ lead: { webhookStatus: 'sent' } })).toBe('')
    expect(why({ delivery: { state: 'sent' }, excluded: { list: 'x', entryId: 'e', reason: null } })).toBe('')
  })
})
