/** Handlers of team defaults: reading, saving, previewing, and applying them to sources. */
import { defaultsOf, maxDefaulted, type Answer, type SessionOperationOf, type DefaultPart } from '@les/contract'
import type { SessionHandlers } from '../../accounts/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { lockAccount, readBalance } from '../../credits/index.ts'
import { refuseUndeliverable, saveSameWebhook } from '../../delivery/index.ts'
import { checkCampaign, saveRules, type OutreachDeps } from '../../outreach/index.ts'
import { lockSources, saveCaps } from '../../sources/index.ts'
import {
  noParts,
  dailyChange,
  differenceOf,
  partsFor,
  type Difference,
  type Parts,
  type SetSource,
} from './rules/differences.ts'
import { listDefaults, saveDefaults, listSetSources, type Chosen } from './store.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { sha256 } from '../../../platform/secrets.ts'
import { saveCriteria } from '../../fit/index.ts'
import { saveSearchCaps } from '../../keywords/index.ts'

type Preview = Answer<SessionOperationOf<'previewDefaults'>>

const maxRows = 500

const changed = (differences: readonly Difference[]): Difference[] =>
  differences.filter(({ changes }) => changes.length > 0)

function keptCounts(differences: readonly Difference[]): Preview['kept'] {
  const reasons = differences.flatMap(({ kept }) => [...new Set(kept.map(({ reason }) => reason))])
  return [...Map.groupBy(reasons, (reason) => reason)].map(([reason, each]) => ({ reason, count: each.length }))
}

function presentPreview({ differences, daily, agreed }: Resolved, balance: number): Preview {
  const changing = changed(differences)
  const differing = differences.filter(({ changes, kept }) => changes.length + kept.length > 0)
  return {
    sources: differences.length,
    changes: changing.length,
    same: differences.length - differing.length,
    kept: keptCounts(differences),
    rows: differing.slice(0, maxRows).map(({ source, changes, kept }) => ({
      id: source.id,
      type: source.type,
      label: source.label,
      changes: [...changes],
      kept: [...kept],
    })),
    leadsJudged: changing
      .filter(({ changes }) => changes.some(({ part }) => part === 'criteria'))
      .reduce((sum, { source }) => sum + source.leads, 0),
    daily: { ...daily, balance, days: daily.after ? Math.floor(Math.max(0, balance) / daily.after) : null },
    agreed,
  }
}

/** The campaigns that changes would send to; each is checked with the platform once, before anything is written. */
const campaignsOf = ({ differences, partsOf }: Resolved): string[] => [
  ...new Set(
    differences
      .filter(({ changes }) => changes.some(({ part }) => part === 'outreach'))
      .map(({ source }) => partsOf(source.type).outreach!.campaignId),
  ),
]

interface TeamDefaultDeps {
  readonly outreach: OutreachDeps
  readonly allowPrivate: boolean
}

export function teamDefaultOperations(deps: TeamDefaultDeps) {
  return {
    getDefaults: async (_input, { caller, db }) => {
      const stored = await listDefaults(db, caller.teamId)
      return { defaults: defaultsOf.map((of) => stored.get(of) ?? { of, ...noParts, updatedAt: null }) }
    },
    saveDefaults: async ({ of, webhook, criteria, outreach, cap }, { caller: { teamId }, unitOfWork }) => {
      if (webhook) refuseUndeliverable({ webhookUrl: webhook.url, syncEvents: webhook.syncEvents }, deps.allowPrivate)
      if (cap?.credits === null && of === 'keyword')
        return refuse(
          'invalid_request',
          {},
          '`cap.credits` must be a number for keyword searches: each run needs a cap',
        )
      const campaign = outreach ? await checkCampaign(deps.outreach, teamId, outreach.campaignId) : null
      const rule = outreach && { ...outreach, campaignId: campaign!.id, campaignName: campaign!.name }
      const named = { webhook, criteria, outreach: rule, cap }
      return unitOfWork(async (tx) => ({ defaults: await saveDefaults(tx, teamId, { of, named }) }))
    },
    previewDefaults: async (input, { caller, db, now, unitOfWork }) => {
      const { balance } = await readBalance(db, caller.teamId, now)
      const resolved = await resolve(db, caller.teamId, input)
      return unitOfWork(async () => presentPreview(resolved, balance))
    },
    applyDefaults: async (input, { caller: { teamId }, db, unitOfWork }) => {
      const shown = await resolve(db, teamId, input)
      if (shown.agreed !== input.agreed) return refuse('changes_outdated')
      for (const id of campaignsOf(shown)) await checkCampaign(deps.outreach, teamId, id)
      return unitOfWork(async (tx) => {
        // Caps change what is charged, so charges of other requests must come wholly before or after.
        await lockAccount(tx, teamId)
        const ids = shown.differences.map(({ source }) => source.id)
        await lockSources(tx, teamId, ids)
        const resolved = await resolve(tx.db, teamId, input)
        if (resolved.agreed !== input.agreed) return refuse('changes_outdated')
        await writeChanges(tx, teamId, resolved)
        return { changed: changed(resolved.differences).length }
      })
    },
  } satisfies Partial<SessionHandlers>
}

type Wanted = { readonly sources: Chosen; readonly parts: readonly DefaultPart[] }

/** `agreed` is a hash of every change and everything shown about it. */
type Resolved = {
  readonly differences: readonly Difference[]
  readonly partsOf: (type: SetSource['type']) => Parts
  readonly daily: { readonly before: number | null; readonly after: number | null }
  readonly agreed: string
}

/** Computes the differences; writes nothing. Refuses more than `maxDefaulted` sources. */
async function resolve(db: Reader, teamId: string, wanted: Wanted): Promise<Resolved> {
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

/** Writes the changes. Lock order: source, criteria, rule, webhook. */
export async function writeChanges(
  tx: Tx,
  teamId: string,
  { differences, partsOf }: Pick<Resolved, 'differences' | 'partsOf'>,
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
  await eachType('outreach', (ids, { outreach }) =>
    saveRules(tx, { teamId, owners: { kind: 'source', ids }, rule: outreach! }),
  )
  await eachType('webhook', (ids, { webhook }) => saveSameWebhook(tx, { teamId, sourceIds: ids, settings: webhook! }))
}
