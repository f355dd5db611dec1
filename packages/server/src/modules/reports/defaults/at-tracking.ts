/**
 * Defaults of what is tracked at the dashboard: the contract's own handlers, whose unit of work also gives a source that it has just
 * made the defaults of its kind. With an API key, the command line and agent tools tracking goes on as the contract says (decision 0019).
 */
import { defaultParts } from '@les/contract'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import type { Handlers, WriteContext } from '../../accounts/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findSource, type SourceName } from '../../sources/index.ts'
import { writeChanges } from './operations.ts'
import { differenceOf, partsFor } from './rules/differences.ts'
import { listDefaults, listSetSources } from './store.ts'

type Tracking = 'enrichProfile' | 'enrichCompany' | 'trackPost' | 'trackKeyword'

/** Gives a source that this unit has made the defaults of its kind; the cap unless the request named one. */
async function giveDefaults(
  tx: Tx,
  { teamId, name, namesCap }: { teamId: string; name: SourceName; namesCap: boolean },
): Promise<void> {
  const defaults = await listDefaults(tx.db, teamId)
  if (defaults.size === 0) return
  const made = await findSource(tx.db, teamId, name)
  // One that is tracked again has settings of its own.
  if (made === undefined || made.revived || made.createdAt.getTime() !== tx.now.getTime()) return
  const [source] = await listSetSources(tx.db, { teamId, chosen: { by: 'ids', ids: [made.id] }, limit: 1 })
  if (source === undefined) return
  const partsOf = () => partsFor(defaults.get(made.type), defaults.get('all'))
  const parts = defaultParts.filter((part) => !(part === 'cap' && namesCap))
  await writeChanges(tx, { teamId, differences: [differenceOf(source, partsOf(), parts)], partsOf })
}

/** What a request for tracking says of the cap: the defaults leave one that it names alone. */
interface Asked {
  readonly name: SourceName
  readonly cap: number | null | undefined
}

/** A context whose unit of work also gives the source that was asked for the defaults of its kind. */
const givingDefaults = <A>(context: WriteContext<A>, asked: (answer: A) => Asked | null): WriteContext<A> =>
  then(context, async (tx, answer) => {
    const source = asked(answer)
    if (source === null) return
    const { teamId } = context.caller
    await giveDefaults(tx, { teamId, name: source.name, namesCap: source.cap !== undefined })
  })

/** A context whose unit of work does more after an answer, in the same transaction. */
const then = <A>(context: WriteContext<A>, more: (tx: Tx, answer: A) => Promise<void>): WriteContext<A> => ({
  ...context,
  unitOfWork: (work) =>
    context.unitOfWork(async (tx) => {
      const answer = await work(tx)
      if (!(answer instanceof Refusal)) await more(tx, answer)
      return answer
    }),
})

/** The handlers of tracking as the dashboard is answered. */
export function trackingWithDefaults(handlers: Pick<Handlers, Tracking>): Pick<Handlers, Tracking> {
  return {
    enrichProfile: (input, context) => {
      const asked = { name: { type: 'person', username: input.username }, cap: input.creditCapPerSync } as const
      return handlers.enrichProfile(
        input,
        givingDefaults(context, () => (input.saveTrackedProfile === true ? asked : null)),
      )
    },
    enrichCompany: (input, context) => {
      const asked = { name: { type: 'company', username: input.username }, cap: input.creditCapPerSync } as const
      return handlers.enrichCompany(
        input,
        givingDefaults(context, () => (input.saveTrackedProfile === true ? asked : null)),
      )
    },
    trackPost: (input, context) =>
      handlers.trackPost(
        input,
        givingDefaults(context, ({ postUrn }) => ({
          name: { type: 'post', username: postUrn },
          cap: input.creditCapPerSync,
        })),
      ),
    trackKeyword: (input, context) =>
      handlers.trackKeyword(
        input,
        givingDefaults(context, ({ id }) => ({ name: { type: 'keyword', id }, cap: input.creditCap })),
      ),
  }
}
