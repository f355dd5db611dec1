/** What the ledger counts. */

/** By the name they are counted under. */
export const creditsCounters = {
  credits_charged: {
    name: 'les_credits_charged_total',
    label: 'category',
    help: 'Credits charged.',
  },
} as const

type CreditsCounters = typeof creditsCounters
declare module '../../platform/metrics.ts' {
  interface Counters extends CreditsCounters {}
}
