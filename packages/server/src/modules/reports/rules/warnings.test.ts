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
  it('of little captured by a cap says that it is the cap', () =>
    expect(
      warningsOf({ ...well, ...ended({ stoppedBy: 'credits', coverage: { declared: 500, captured: 24 } }) })[1]?.advice,
    ).toBe('The cap kept the rest out: raise it.'))
})
