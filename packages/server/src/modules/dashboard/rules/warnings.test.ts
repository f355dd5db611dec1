import { describe, expect, it } from 'vitest'
import { warningsOf, type HealthFacts } from './warnings.ts'

type LastRun = NonNullable<HealthFacts['lastRun']>
const run: LastRun = {
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
  coverage: { declared: 60, captured: 58 },
}
const well: HealthFacts = {
  type: 'person',
  active: true,
  mode: 'engagers',
  raw: false,
  stopped: false,
  silentDays: 0,
  lastRun: run,
  leads: 100,
  judged: 90,
  icpLeads: 40,
  hasCriteria: true,
  ofAgent: false,
  outOfCredits: false,
  waiting: null,
  webhookDisabled: null,
  outreachPaused: null,
}
const kinds = (facts: Partial<HealthFacts>) => warningsOf({ ...well, ...facts }).map((warning) => warning.kind)
const ended = (facts: Partial<LastRun>): Partial<HealthFacts> => ({ lastRun: { ...run, ...facts } })

describe('the warnings of a source', () => {
  it('are none when it is well, has not run yet, or is untracked', () => {
    expect(kinds({})).toEqual([])
    expect(kinds({ lastRun: null, leads: 0, judged: 0, icpLeads: 0, hasCriteria: false })).toEqual([])
    expect(
      kinds({
        active: false,
        silentDays: 90,
        outOfCredits: true,
        webhookDisabled: 'gone',
        ...ended({ state: 'failed' }),
      }),
    ).toEqual([])
  })
  it.each<[string, Partial<HealthFacts>, string[]]>([
    ['no lead for six days', { silentDays: 6 }, []],
    ['no lead for a week', { silentDays: 7 }, ['silent']],
    ['a search that has come to its end', { silentDays: 30, stopped: true }, []],
    ['a watch of posts', { silentDays: null, mode: 'posts_only', hasCriteria: false }, []],
    ['a run stopped by its cap', ended({ stoppedBy: 'credits' }), ['starved']],
    ['a run stopped by the day’s limit', ended({ stoppedBy: 'team_cap' }), ['starved']],
    [
      'a run stopped for want of credits',
      { ...ended({ stoppedBy: 'credits', errorCode: 'insufficient_enriching_credits' }), outOfCredits: true },
      ['out_of_credits'],
    ],
    [
      'a run that failed',
      ended({
        state: 'failed',
        stoppedBy: null,
        errorCode: 'provider_error',
        coverage: { declared: 100, captured: 0 },
      }),
      ['failing'],
    ],
    ['half of what was declared', ended({ coverage: { declared: 50, captured: 25 } }), []],
    ['less than half', ended({ coverage: { declared: 50, captured: 24 } }), ['low_coverage']],
    ['less than half of little', ended({ coverage: { declared: 49, captured: 0 } }), []],
    [
      'less than half, by its cap',
      ended({ stoppedBy: 'credits', coverage: { declared: 500, captured: 24 } }),
      ['starved', 'low_coverage'],
    ],
    ['no criteria', { hasCriteria: false, icpLeads: 0 }, ['no_icp']],
    ['no criteria, raw', { hasCriteria: false, icpLeads: 0, raw: true }, []],
    ['no criteria, made by an agent', { hasCriteria: false, icpLeads: 0, ofAgent: true }, []],
    ['one in twenty fits', { judged: 100, icpLeads: 5 }, []],
    ['fewer than one in twenty fit', { judged: 100, icpLeads: 4 }, ['low_yield']],
    ['none of a few fits', { judged: 49, icpLeads: 0 }, []],
    ['a webhook switched off', { webhookDisabled: 'failing' }, ['webhook_disabled']],
    ['a rule that is paused', { outreachPaused: 'campaign_closed' }, ['outreach_paused']],
  ])('%s', (_title, facts, expected) => expect(kinds(facts)).toEqual(expected))
  it('say with figures what is wrong, and what to do', () => {
    expect(warningsOf({ ...well, silentDays: 12 })).toEqual([
      {
        kind: 'silent',
        text: 'No new lead for 12 days',
        advice: 'See whether they still post. If they do not, untrack them and watch somebody else.',
      },
    ])
    expect(warningsOf({ ...well, judged: 1_200, icpLeads: 12 })[0]).toMatchObject({
      text: '12 of 1,200 leads fit (1%)',
    })
    expect(warningsOf({ ...well, ...ended({ stoppedBy: 'credits', cap: 50 }) })[0]).toMatchObject({
      text: 'Stopped at the cap of 50 leads per run you set',
      advice: 'Raise the cap per run to capture the rest.',
    })
    expect(warningsOf({ ...well, ...ended({ coverage: { declared: 1_000, captured: 333 } }) })[0]?.text).toBe(
      '333 of 1,000 reactions and comments were captured (33.3%)',
    )
  })

  const failing = 'It is tried again at the next run. When it fails again, see whether the network still has it.'
  const switchedOff = 'Repair the receiver and save the address again; then send again what was missed.'
  const few = ended({ coverage: { declared: 100, captured: 1 } })
  it.each<[string, Partial<HealthFacts>, string | undefined, string]>([
    [
      'a judge that failed',
      ended({ state: 'failed', errorCode: 'ai_error' }),
      undefined,
      'Check the key and the model of the AI vendor under Settings, then the prompt.',
    ],
    [
      'a subscription that ended',
      ended({ state: 'failed', errorCode: 'subscription_inactive' }),
      undefined,
      'Renew the subscription: runs go on by themselves then.',
    ],
    ['a vendor that failed', ended({ state: 'failed', errorCode: 'provider_error' }), undefined, failing],
    [
      'a source that waits',
      { waiting: 'for the vendor' },
      'Waiting: for the vendor',
      'It goes on by itself. Nothing is lost, and nobody is charged twice.',
    ],
    [
      'a team without credits',
      { outOfCredits: true },
      'No credits are left: nothing new is captured',
      'Get more credits, or wait for the next period.',
    ],
    [
      'a company that is silent',
      { type: 'company', silentDays: 9 },
      'No new lead for 9 days',
      'See whether the company still posts. If it does not, untrack it and watch another one.',
    ],
    [
      'a post that is silent',
      { type: 'post', silentDays: 9 },
      'No new lead for 9 days',
      'An old post draws hardly anybody new: untrack it.',
    ],
    [
      'a search that is silent',
      { type: 'keyword', silentDays: 9 },
      'No new lead for 9 days',
      'Use more common words or a longer period, or see among the discarded posts what the search leaves out.',
    ],
    [
      'a run that the day’s limit stopped',
      ended({ stoppedBy: 'team_cap' }),
      undefined,
      'The next day has its own limit. Lower the caps of searches that matter less, or ask for a higher limit.',
    ],
    [
      'a run that the leads of a team stopped',
      ended({ stoppedBy: 'lead_cap' }),
      undefined,
      'Subscribe, or ask for a plan that holds more leads.',
    ],
    [
      'little of what was declared',
      few,
      '1 of 100 reactions and comments were captured (1%)',
      'Company pages and hidden profiles cannot be captured, nor anybody beyond what the network shows of a large post.',
    ],
    [
      'no criteria',
      { hasCriteria: false },
      'Nothing says which of its leads fit',
      'Describe your ideal customer: leads are then marked, and a webhook can be sent only those that fit.',
    ],
    [
      'few that fit',
      { judged: 50, icpLeads: 2 },
      '2 of 50 leads fit (4%)',
      'Check the criteria. If they are right, spend the credits on a source that yields more.',
    ],
    [
      'a receiver that is gone',
      { webhookDisabled: 'gone' },
      'Its webhook is switched off: the receiver said that the address is gone',
      switchedOff,
    ],
    [
      'a receiver that fails',
      { webhookDisabled: 'failing' },
      'Its webhook is switched off: the receiver failed for days',
      switchedOff,
    ],
    [
      'a key that was refused',
      { outreachPaused: 'invalid_key' },
      'Sending to its campaign stands still: the outreach platform refused the key',
      'Store a working key under Settings.',
    ],
    [
      'a campaign that is closed',
      { outreachPaused: 'campaign_closed' },
      'Sending to its campaign stands still: the campaign takes no more people',
      'Choose another campaign, or open this one again on the outreach platform.',
    ],
  ])('%s is one warning, with what to do', (_title, facts, text, advice) => {
    const warnings = warningsOf({ ...well, ...facts })
    expect(warnings.map((warning) => warning.advice)).toEqual([advice])
    if (text !== undefined) expect(warnings[0]!.text).toBe(text)
  })
  it('of little captured by a cap says that it is the cap', () =>
    expect(
      warningsOf({ ...well, ...ended({ stoppedBy: 'credits', coverage: { declared: 500, captured: 24 } }) })[1]?.advice,
    ).toBe('The cap kept the rest out: raise it.'))
})
