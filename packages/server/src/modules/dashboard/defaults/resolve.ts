/** What writing the defaults to sources comes to: the one judgement behind the preview and the act. */
import { maxDefaulted, type DefaultPart } from '@les/contract'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { refuse } from '../../../platform/refusal.ts'
import { sha256 } from '../../../platform/secrets.ts'
import {
  dailyChange,
  differenceOf,
  partsFor,
  type Difference,
  type Parts,
  type SetSource,
} from './rules/differences.ts'
import { listDefaults, listSetSources, type Chosen } from './store.ts'

/** What is asked: which sources, and which parts. */
export type Wanted = { readonly sources: Chosen; readonly parts: readonly DefaultPart[] }

/** What it comes to. `agreed` names every change and what was shown of it. */
export type Resolved = {
  readonly differences: readonly Difference[]
  readonly partsOf: (type: SetSource['type']) => Parts
  readonly daily: { readonly before: number | null; readonly after: number | null }
  readonly agreed: string
}

/** Resolves; writes nothing. Refuses more sources than one act takes. */
export async function resolve(db: Reader, teamId: string, wanted: Wanted): Promise<Resolved> {
  const defaults = await listDefaults(db, teamId)
  const sources = await listSetSources(db, { teamId, chosen: wanted.sources, limit: maxDefaulted + 1 })
  if (sources.length > maxDefaulted)
    return refuse('invalid_request', {}, `One act takes at most ${maxDefaulted} sources: choose a kind, or name them`)
  const partsOf = (type: SetSource['type']) => partsFor(defaults.get(type), defaults.get('all'))
  const differences = sources.map((source) => differenceOf(source, partsOf(source.type), wanted.parts))
  const daily = dailyChange(differences, ({ type }) => partsOf(type).cap?.credits ?? null)
  const shown = differences.flatMap(({ source, changes }) =>
    changes.map(({ part, from, to }) => [source.id, part, from, to, partsOf(source.type)[part]]),
  )
  return { differences, partsOf, daily, agreed: sha256(JSON.stringify([shown, daily])).toString('base64url') }
}
