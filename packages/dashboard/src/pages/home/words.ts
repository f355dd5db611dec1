/** What the home page suggests: improvements from the state of the sources, first steps, and warnings grouped by reason. */

type Doing = {
  readonly id: string
  readonly label: string
  readonly status: 'active' | 'inactive'
  readonly leads: number
  readonly creditsSpent: number
  readonly warnings: readonly { readonly kind: string }[]
}

export type Gain =
  | { readonly kind: 'judge'; readonly source: Doing; readonly leads: number; readonly sources: number }
  | { readonly kind: 'send'; readonly leads: number }
  | { readonly kind: 'raise'; readonly source: Doing }
  | { readonly kind: 'narrow'; readonly source: Doing; readonly credits: number }

const has = (source: Doing, kind: string): boolean => source.warnings.some((warning) => warning.kind === kind)

const most = (sources: readonly Doing[], by: (source: Doing) => number): Doing | undefined =>
  sources.reduce<Doing | undefined>(
    (best, each) => (best === undefined || by(each) > by(best) ? each : best),
    undefined,
  )

/**
 * At most one suggestion of each kind: set criteria for unjudged leads, send unsent leads that fit, raise a cap that held a run
 * back, narrow a source that costs and yields almost nobody who fits.
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
  const leads = unjudged.reduce((sum, source) => sum + source.leads, 0)
  const gains: readonly (Gain | false | undefined)[] = [
    unsent > 0 && { kind: 'send', leads: unsent },
    judge && { kind: 'judge', source: judge, leads, sources: unjudged.length },
    starved && { kind: 'raise', source: starved },
    poor && { kind: 'narrow', source: poor, credits: poor.creditsSpent },
  ]
  return gains.filter((gain): gain is Gain => Boolean(gain))
}

export type Known = {
  readonly sources: number | undefined
  readonly judged: boolean | undefined
  readonly destinations: number | undefined
  readonly access: number | undefined
  readonly people: number | undefined
}

export type Step = {
  readonly id: 'track' | 'criteria' | 'destination' | 'access' | 'invite'
  readonly title: string
  readonly text: string
  readonly done: boolean | undefined
  readonly needs: 'member' | 'owner'
}

const some = (value: number | undefined, least = 1): boolean | undefined =>
  value === undefined ? undefined : value >= least

export const stepsOf = ({ sources, judged, destinations, access, people }: Known): readonly Step[] => [
  {
    id: 'track',
    title: 'Track a source',
    text: 'A person, a company page, a post or a search: everyone who engages becomes a lead.',
    done: some(sources),
    needs: 'member',
  },
  {
    id: 'criteria',
    title: 'Say who fits',
    text: 'Criteria judge every lead, including those you already have.',
    done: judged,
    needs: 'member',
  },
  {
    id: 'destination',
    title: 'Send leads somewhere',
    text: 'A webhook to your system, or a campaign.',
    done: some(destinations),
    needs: 'member',
  },
  {
    id: 'access',
    title: 'Connect a program or an assistant',
    text: 'An API key, or an assistant that signs in.',
    done: some(access),
    needs: 'owner',
  },
  {
    id: 'invite',
    title: 'Invite a colleague',
    text: 'They get a mail that says who invites them and to which team.',
    done: some(people, 2),
    needs: 'owner',
  },
]

/** True once some step is known to be undone; the list shows until all are done. */
export const anyLeft = (steps: readonly Step[]): boolean => steps.some(({ done }) => done === false)

type Warning = { readonly kind: string; readonly text: string; readonly advice: string }

export function byReason<S, W extends Warning>(
  wrong: readonly { readonly source: S; readonly warning: W }[],
): { readonly warning: W; readonly sources: readonly S[] }[] {
  const groups = new Map<string, { warning: W; sources: S[] }>()
  for (const { source, warning } of wrong) {
    const key = `${warning.text} ${warning.advice}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { warning, sources: [source] })
    else group.sources.push(source)
  }
  return [...groups.values()]
}
