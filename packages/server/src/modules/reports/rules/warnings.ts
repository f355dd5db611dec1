/** Warnings about sources, each with advice. */
import {
  isStarved,
  plainNumber as number,
  runInWords,
  share as percent,
  type RunFacts,
  type sourceWarning,
} from '@les/contract'
import type { z } from 'zod'

type Warning = z.output<typeof sourceWarning>

export type HealthFacts = {
  readonly type: RunFacts['type']
  readonly active: boolean
  readonly mode: RunFacts['mode']
  /** Leads are captured without enrichment. */
  readonly raw: boolean
  readonly stopped: boolean
  readonly silentDays: number | null
  readonly lastRun:
    | (RunFacts & { readonly coverage: { readonly declared: number; readonly captured: number } | null })
    | null
  readonly leads: number
  /** Leads whose enrichment has ended, and how many of them fit. */
  readonly judged: number
  readonly icpLeads: number
  readonly hasCriteria: boolean
  /** Created by an agent, which judges fit itself. */
  readonly ofAgent: boolean
  readonly outOfCredits: boolean
  readonly waiting: string | null
  readonly webhookDisabled: 'gone' | 'failing' | null
  readonly outreachPaused: 'invalid_key' | 'campaign_closed' | null
}

const warningLimits = { silentDays: 7, declared: 50, coverage: 0.5, judged: 50, fit: 0.05 } as const

const silentAdvice: Readonly<Record<HealthFacts['type'], string>> = {
  person: 'See whether they still post. If they do not, untrack them and watch somebody else.',
  company: 'See whether the company still posts. If it does not, untrack it and watch another one.',
  post: 'An old post draws hardly anybody new: untrack it.',
  keyword: 'Use more common words or a longer period, or see among the discarded posts what the search leaves out.',
}

const starvedAdvice: Readonly<Record<string, string>> = {
  credits: 'Raise the cap per run to capture the rest.',
  team_cap: 'The next day has its own limit. Lower the caps of searches that matter less, or ask for a higher limit.',
  lead_cap: 'Subscribe, or ask for a plan that holds more leads.',
}

function failingAdvice({ errorCode }: RunFacts): string {
  if (errorCode === 'ai_error') return 'Check the key and the model of the AI vendor under Settings, then the prompt.'
  if (errorCode === 'subscription_inactive') return 'Renew the subscription: runs go on by themselves then.'
  return 'It is tried again at the next run. When it fails again, see whether the network still has it.'
}

function about(source: HealthFacts): (Warning | false)[] {
  const { lastRun, silentDays, leads, judged, icpLeads } = source
  const coverage = lastRun?.state === 'captured' ? lastRun.coverage : null
  const captures = source.mode === 'engagers'
  return [
    lastRun?.state === 'failed' && { kind: 'failing', text: runInWords(lastRun), advice: failingAdvice(lastRun) },
    source.waiting !== null && {
      kind: 'waiting',
      text: `Waiting: ${source.waiting}`,
      advice: 'It goes on by itself. Nothing is lost, and nobody is charged twice.',
    },
    source.outOfCredits && {
      kind: 'out_of_credits',
      text: 'No credits are left: nothing new is captured',
      advice: 'Get more credits, or wait for the next period.',
    },
    captures &&
      !source.stopped &&
      silentDays !== null &&
      silentDays >= warningLimits.silentDays && {
        kind: 'silent',
        text: `No new lead for ${number(silentDays)} days`,
        advice: silentAdvice[source.type],
      },
    lastRun !== null &&
      isStarved(lastRun) && { kind: 'starved', text: runInWords(lastRun), advice: starvedAdvice[lastRun.stoppedBy!]! },
    captures &&
      coverage !== null &&
      coverage.declared >= warningLimits.declared &&
      coverage.captured < coverage.declared * warningLimits.coverage && {
        kind: 'low_coverage',
        text:
          `${number(coverage.captured)} of ${number(coverage.declared)} reactions and comments were captured ` +
          `(${percent(coverage.captured, coverage.declared)})`,
        advice:
          lastRun !== null && isStarved(lastRun)
            ? 'The cap kept the rest out: raise it.'
            : 'Company pages and hidden profiles cannot be captured, nor anybody beyond what the network shows of a large post.',
      },
    captures &&
      !source.raw &&
      !source.ofAgent &&
      !source.hasCriteria &&
      leads > 0 && {
        kind: 'no_icp',
        text: 'Nothing says which of its leads fit',
        advice: 'Describe your ideal customer: leads are then marked, and a webhook can be sent only those that fit.',
      },
    source.hasCriteria &&
      judged >= warningLimits.judged &&
      icpLeads < judged * warningLimits.fit && {
        kind: 'low_yield',
        text: `${number(icpLeads)} of ${number(judged)} leads fit (${percent(icpLeads, judged)})`,
        advice: 'Check the criteria. If they are right, spend the credits on a source that yields more.',
      },
    source.webhookDisabled !== null && {
      kind: 'webhook_disabled',
      text:
        source.webhookDisabled === 'gone'
          ? 'Its webhook is switched off: the receiver said that the address is gone'
          : 'Its webhook is switched off: the receiver failed for days',
      advice: 'Repair the receiver and save the address again; then send again what was missed.',
    },
    source.outreachPaused !== null && {
      kind: 'outreach_paused',
      text:
        source.outreachPaused === 'invalid_key'
          ? 'Sending to its campaign stands still: the outreach platform refused the key'
          : 'Sending to its campaign stands still: the campaign takes no more people',
      advice:
        source.outreachPaused === 'invalid_key'
          ? 'Store a working key under Settings.'
          : 'Choose another campaign, or open this one again on the outreach platform.',
    },
  ]
}

/** The warnings of a source, the most serious first; none once it is untracked. */
export const warningsOf = (source: HealthFacts): Warning[] =>
  source.active ? about(source).filter((warning) => warning !== false) : []
