/** What would bring more, from how the sources do: each act with what it would bring, the most worthwhile first. */

/** A source, as far as this looks at it. */
export type Doing = {
  readonly id: string
  readonly label: string
  readonly status: 'active' | 'inactive'
  readonly leads: number
  readonly creditsSpent: number
  readonly warnings: readonly { readonly kind: string }[]
}

/** An act that would bring something. */
export type Gain =
  | { readonly kind: 'judge'; readonly source: Doing; readonly leads: number; readonly sources: number }
  | { readonly kind: 'send'; readonly leads: number }
  | { readonly kind: 'raise'; readonly source: Doing }
  | { readonly kind: 'narrow'; readonly source: Doing; readonly credits: number }

const has = (source: Doing, kind: string): boolean => source.warnings.some((warning) => warning.kind === kind)

/** The source with the most of something; undefined of none. */
const most = (sources: readonly Doing[], by: (source: Doing) => number): Doing | undefined =>
  sources.reduce<Doing | undefined>(
    (best, each) => (best === undefined || by(each) > by(best) ? each : best),
    undefined,
  )

/**
 * At most one act of each kind: judging leads that nobody has judged, sending those that fit and went nowhere, raising
 * a cap that held a run back, narrowing what costs and brings hardly anybody who fits.
 */
export function gainsOf(sources: readonly Doing[], unsent: number): readonly Gain[] {
  const active = sources.filter(({ status }) => status === 'active')
  const unjudged = active.filter((source) => has(source, 'no_icp') && source.leads > 0)
  const judge = most(unjudged, ({ leads }) => leads)
  const starved = most(
    active.filter((source) => has(source, 'starved')),
    ({ leads }) => leads,
  )
  const poor = most(
    active.filter((source) => has(source, 'low_yield') && source.creditsSpent > 0),
    ({ creditsSpent }) => creditsSpent,
  )
  return [
    ...(unsent > 0 ? [{ kind: 'send' as const, leads: unsent }] : []),
    ...(judge
      ? [
          {
            kind: 'judge' as const,
            source: judge,
            leads: unjudged.reduce((sum, { leads }) => sum + leads, 0),
            sources: unjudged.length,
          },
        ]
      : []),
    ...(starved ? [{ kind: 'raise' as const, source: starved }] : []),
    ...(poor ? [{ kind: 'narrow' as const, source: poor, credits: poor.creditsSpent }] : []),
  ]
}
