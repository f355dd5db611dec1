/**
 * Writes what defaults change to sources that are locked: part by part, as a single edit of each of them would, in as
 * many statements however many they are.
 */
import type { DefaultPart } from '@les/contract'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { giveWebhook } from '../../delivery/index.ts'
import { saveCriteria } from '../../fit/index.ts'
import { saveSearchCaps } from '../../keywords/index.ts'
import { giveRule } from '../../outreach/index.ts'
import { saveCaps } from '../../sources/index.ts'
import type { Difference, Parts, SetSource } from './rules/differences.ts'

/** Writes the changes. Lock order: source, criteria, rule, webhook. */
export async function writeChanges(
  tx: Tx,
  {
    teamId,
    differences,
    partsOf,
  }: {
    readonly teamId: string
    readonly differences: readonly Difference[]
    readonly partsOf: (type: SetSource['type']) => Parts
  },
): Promise<void> {
  const types = [...Map.groupBy(differences, ({ source }) => source.type)]
  const eachType = async (
    part: DefaultPart,
    write: (ids: string[], parts: Parts, type: SetSource['type']) => unknown,
  ) => {
    for (const [type, ofType] of types) {
      const ids = ofType
        .filter(({ changes }) => changes.some((change) => change.part === part))
        .map(({ source }) => source.id)
      if (ids.length > 0) await write(ids, partsOf(type), type)
    }
  }
  await eachType('cap', (ids, { cap }, type) =>
    type === 'keyword'
      ? saveSearchCaps(tx, { teamId, ids, cap: cap!.credits! })
      : saveCaps(tx, { teamId, ids, cap: cap!.credits }),
  )
  await eachType('criteria', (ids, { criteria }) => saveCriteria(tx, { teamId, ownerIds: ids, criteria: criteria! }))
  await eachType('outreach', (ids, { outreach }) => giveRule(tx, { teamId, sourceIds: ids, rule: outreach! }))
  await eachType('webhook', (ids, { webhook }) => giveWebhook(tx, { teamId, sourceIds: ids, settings: webhook! }))
}
