/**
 * Tracking at the dashboard: the contract's handlers, whose unit of work also writes defaults to a source it has just made.
 * Tracking with an API key, the command line or agent tools applies no defaults (decision 0019).
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

/** Gives a source made in this unit the defaults of its kind, leaving a cap that the request named. */
async function applyDefaults(
  tx: Tx,
  { teamId, name, namesCap }: { teamId: string; name: SourceName; namesCap: boolean },
): Promise<void> {
  const defaults = await listDefaults(tx.db, teamId)
  if (defaults.size === 0) return
  const made = await findSource(tx.db, teamId, name)
  // A source that is tracked again keeps its settings.
  if (made === undefined || made.revived || made.createdAt.getTime() !== tx.now.getTime()) return
  const [source] = await listSetSources(tx.db, { teamId, chosen: { by: 'ids', ids: [made.id] }, limit: 1 })
  if (source === undefined) return
  const partsOf = () => partsFor(defaults.get(made.type), defaults.get('all'))
  const parts = defaultParts.filter((part) => !(part === 'cap' && namesCap))
  await writeChanges(tx, teamId, { differences: [differenceOf(source, partsOf(), parts)], partsOf })
}

type Asked = { readonly name: SourceName; readonly cap: number | null | undefined }

/** A context whose unit of work also applies the defaults, in the same transaction; `asked` null: nothing is tracked. */
const applyingDefaults = <A>(context: WriteContext<A>, asked: (answer: A) => Asked | null): WriteContext<A> => ({
  ...context,
  unitOfWork: (work) =>
    context.unitOfWork(async (tx) => {
      const answer = await work(tx)
      const source = answer instanceof Refusal ? null : asked(answer)
      if (source === null) return answer
      const { teamId } = context.caller
      await applyDefaults(tx, { teamId, name: source.name, namesCap: source.cap !== undefined })
      return answer
    }),
})

/** Wraps the tracking handlers for the dashboard. */
export function trackingWithDefaults(handlers: Pick<Handlers, Tracking>): Pick<Handlers, Tracking> {
  return {
    enrichProfile: (input, context) => {
      const asked: Asked = { name: { type: 'person', username: input.username }, cap: input.creditCapPerSync }
      const saved = input.saveTrackedProfile === true ? asked : null
      return handlers.enrichProfile(
        input,
        applyingDefaults(context, () => saved),
      )
    },
    enrichCompany: (input, context) => {
      const asked: Asked = { name: { type: 'company', username: input.username }, cap: input.creditCapPerSync }
      const saved = input.saveTrackedProfile === true ? asked : null
      return handlers.enrichCompany(
        input,
        applyingDefaults(context, () => saved),
      )
    },
    trackPost: (input, context) => {
      const asked = ({ postUrn }: { postUrn: string }): Asked => ({
        name: { type: 'post', username: postUrn },
        cap: input.creditCapPerSync,
      })
      return handlers.trackPost(input, applyingDefaults(context, asked))
    },
    trackKeyword: (input, context) => {
      const asked = ({ id }: { id: string }): Asked => ({ name: { type: 'keyword', id }, cap: input.creditCap })
      return handlers.trackKeyword(input, applyingDefaults(context, asked))
    },
  }
}
