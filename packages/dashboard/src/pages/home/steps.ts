/** The first day as steps that tick themselves by what the team has. */

/** What is known of a team; undefined while it is being asked for. */
export type Known = {
  readonly sources: number | undefined
  readonly judged: boolean | undefined
  readonly destinations: number | undefined
  readonly access: number | undefined
  readonly people: number | undefined
}

/** A step of the first day. */
export type Step = {
  readonly id: 'track' | 'criteria' | 'destination' | 'access' | 'invite'
  readonly title: string
  readonly text: string
  readonly done: boolean | undefined
  readonly needs: 'member' | 'owner'
}

const some = (value: number | undefined, least = 1): boolean | undefined =>
  value === undefined ? undefined : value >= least

/** The steps, in their order. */
export const stepsOf = ({ sources, judged, destinations, access, people }: Known): readonly Step[] => [
  {
    id: 'track',
    title: 'Track a source',
    text: 'A person, a company page, a post or a search: who engages becomes a lead.',
    done: some(sources),
    needs: 'member',
  },
  {
    id: 'criteria',
    title: 'Say who fits',
    text: 'Criteria judge every lead, those you have too.',
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

/** True once something is known to be left to do: the list is shown then, and goes with its last step. */
export const anyLeft = (steps: readonly Step[]): boolean => steps.some(({ done }) => done === false)
