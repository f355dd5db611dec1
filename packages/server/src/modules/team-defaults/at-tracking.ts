/**
 * Defaults of what is tracked at the dashboard: the contract's own handlers, whose unit of work also gives a source that it has just
 * made the defaults of its kind. With an API key, the command line and agent tools tracking goes on as the contract says (decision 0070).
 */
import { defaultParts } from '@les/contract'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Handlers, WriteContext } from '../accounts/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import { findSource, type SourceName } from '../sources/index.ts'
import { writeChanges } from './apply.ts'
import { differenceOf, partsFor } from './rules/differences.ts'
import { listDefaults, listSetSources } from './store.ts'

type Tracking = 'enrichProfile' | 'enrichCompany' | 'trackPost' | 'trackKeyword'

/** Gives a source that this unit has made the defaults of its kind; the cap unless the request named one. */
async function giveDefaults(tx: Tx, teamId: string, name: SourceName, namesCap: boolean): Promise<void> {
  const defaults = await listDefaults(tx.db, teamId)
  if (defaults.size === 0) return
  const made = await findSource(tx.db, teamId, name)
  // One that is tracked again has settings of its own.
  if (made === undefined || made.revived || made.createdAt.getTime() !== tx.now.getTime()) return
  const [source] = await listSetSources(tx.db, teamId, { by: 'ids', ids: [made.id] }, 1)
  if (source === undefined) return
  const partsOf = () => partsFor(defaults.get(made.type), defaults.get('all'))
  const parts = defaultParts.filter((part) => !(part === 'cap' && namesCap))
  await writeChanges(tx, teamId, [differenceOf(source, partsOf(), parts)], partsOf)
}

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
    enrichProfile: (input, context) =>
      handlers.enrichProfile(
        input,
        then(context, async (tx) => {
          if (input.saveTrackedProfile !== true) return
          const name: SourceName = { type: 'person', username: input.username }
          await giveDefaults(tx, context.caller.teamId, name, input.creditCapPerSync !== undefined)
        }),
      ),
    enrichCompany: (input, context) =>
      handlers.enrichCompany(
        input,
        then(context, async (tx) => {
          if (input.saveTrackedProfile !== true) return
          const name: SourceName = { type: 'company', username: input.username }
          await giveDefaults(tx, context.caller.teamId, name, input.creditCapPerSync !== undefined)
        }),
      ),
    trackPost: (input, context) =>
      handlers.trackPost(
        input,
        then(context, (tx, { postUrn }) =>
          giveDefaults(
            tx,
            context.caller.teamId,
            { type: 'post', username: postUrn },
            input.creditCapPerSync !== undefined,
          ),
        ),
      ),
    trackKeyword: (input, context) =>
      handlers.trackKeyword(
        input,
        then(context, (tx, { id }) =>
          giveDefaults(tx, context.caller.teamId, { type: 'keyword', id }, input.creditCap !== undefined),
        ),
      ),
  }
}
