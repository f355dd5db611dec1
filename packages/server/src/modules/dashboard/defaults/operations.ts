/** Handlers of team defaults at the dashboard: reading and setting them, what they would change, and writing that to sources. */
import { defaultsOf, type Answer, type SessionOperationOf } from '@les/contract'
import type { SessionHandlers } from '../../accounts/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { lockAccount, readBalance } from '../../credits/index.ts'
import { refuseUndeliverable } from '../../delivery/index.ts'
import { checkCampaign, type OutreachDeps } from '../../outreach/index.ts'
import { lockSources } from '../../sources/index.ts'
import { writeChanges } from './apply.ts'
import { resolve, type Resolved } from './resolve.ts'
import { noParts, type Difference } from './rules/differences.ts'
import { listDefaults, saveDefaults, type Defaults } from './store.ts'

/** The operations served here. */
export type TeamDefaultOperationId = 'getDefaults' | 'saveDefaults' | 'previewDefaults' | 'applyDefaults'

type Preview = Answer<SessionOperationOf<'previewDefaults'>>

const mostRows = 500

const present = ({ updatedAt, ...rest }: Defaults) => ({ ...rest, updatedAt: updatedAt?.toISOString() ?? null })

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
    rows: differing.slice(0, mostRows).map(({ source, changes, kept }) => ({
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

/** The campaigns that changes would send to; each is asked for once, before anything is written. */
const campaignsOf = ({ differences, partsOf }: Resolved): string[] => [
  ...new Set(
    differences
      .filter(({ changes }) => changes.some(({ part }) => part === 'outreach'))
      .map(({ source }) => partsOf(source.type).outreach!.campaignId),
  ),
]

/** What the handlers need: the outreach platform, and whether webhooks may go to private addresses. */
export interface TeamDefaultDeps {
  readonly outreach: OutreachDeps
  readonly allowPrivate: boolean
}

const saveOf =
  (deps: TeamDefaultDeps): SessionHandlers<TeamDefaultOperationId>['saveDefaults'] =>
  async ({ of, webhook, criteria, outreach, cap }, { caller, unitOfWork }) => {
    if (webhook) refuseUndeliverable({ webhookUrl: webhook.url, syncEvents: webhook.syncEvents }, deps.allowPrivate)
    if (cap?.credits === null && of === 'keyword')
      return refuse('invalid_request', {}, '`cap.credits` must be a number for keyword searches: each run needs a cap')
    const campaign = outreach ? await checkCampaign(deps.outreach, caller.teamId, outreach.campaignId) : null
    const rule = outreach && {
      campaignId: campaign!.id,
      campaignName: campaign!.name,
      autoSend: outreach.autoSend,
      filters: outreach.filters,
    }
    return unitOfWork(async (tx) => ({
      defaults: present(
        await saveDefaults(tx, { teamId: caller.teamId, of, named: { webhook, criteria, outreach: rule, cap } }),
      ),
    }))
  }

/** Writes the defaults that were shown into the sources, unless anything has changed since. */
const applyOf =
  (deps: TeamDefaultDeps): SessionHandlers<TeamDefaultOperationId>['applyDefaults'] =>
  async (input, { caller, db, unitOfWork }) => {
    const { teamId } = caller
    const shown = await resolve(db, teamId, input)
    if (shown.agreed !== input.agreed) return refuse('changes_outdated')
    for (const id of campaignsOf(shown)) await checkCampaign(deps.outreach, teamId, id)
    return unitOfWork(async (tx) => {
      // Caps change what is charged, so that charges of other requests come wholly before or after.
      await lockAccount(tx, teamId)
      await lockSources(
        tx,
        teamId,
        shown.differences.map(({ source }) => source.id),
      )
      const resolved = await resolve(tx.db, teamId, input)
      if (resolved.agreed !== input.agreed) return refuse('changes_outdated')
      await writeChanges(tx, { teamId, differences: resolved.differences, partsOf: resolved.partsOf })
      return { changed: changed(resolved.differences).length }
    })
  }

/** Makes the handlers. */
export function teamDefaultOperations(deps: TeamDefaultDeps): SessionHandlers<TeamDefaultOperationId> {
  return {
    getDefaults: async (_input, { caller, db }) => {
      const stored = await listDefaults(db, caller.teamId)
      return { defaults: defaultsOf.map((of) => present(stored.get(of) ?? { of, ...noParts, updatedAt: null })) }
    },
    saveDefaults: saveOf(deps),
    previewDefaults: async (input, { caller, db, now, unitOfWork }) => {
      const { balance } = await readBalance(db, caller.teamId, now)
      const resolved = await resolve(db, caller.teamId, input)
      return unitOfWork(async () => presentPreview(resolved, balance))
    },
    applyDefaults: applyOf(deps),
  }
}
