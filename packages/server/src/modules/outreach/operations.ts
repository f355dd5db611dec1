/** Handlers of the outreach integration (specification «Outreach integration»; G104..G106; OUT, CON-12, ERR-11, ERR-20). */
import type { ownedOutreachRule } from '@les/contract'
import type { z } from 'zod'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Caller, Handlers } from '../accounts/index.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import { findActiveSource, lockActiveSource, type Source } from '../sources/index.ts'
import { pushHistoryOfSource, saveRules } from './actions.ts'
import { askFor, checkCampaign, findConnection, requireConnection, type OutreachDeps } from './connection.ts'
import { findHistory } from './history.ts'
import { listRules, presentRule, readRule, removeRule, type ListedRule, type Rule } from './rule-store.ts'
import { refusalOf } from './rules/sending.ts'
import { sendAll } from './send-request.ts'

type ReadResultsUrl = (db: Reader, caller: Caller) => Promise<string | null>

const present = (source: Source, rule: Rule | undefined) => ({
  sourceId: source.id,
  type: source.type,
  username: source.username,
  outreach: rule === undefined ? null : presentRule(rule),
})

function presentOwned(rule: ListedRule): z.input<typeof ownedOutreachRule> {
  const own = rule.ownerKind === 'source'
  return {
    ownerKind: rule.ownerKind,
    sourceId: own ? rule.ownerId : null,
    type: rule.sourceType,
    username: rule.username,
    agentId: own ? null : rule.ownerId,
    ...presentRule(rule),
  }
}

export function outreachOperations(deps: OutreachDeps & { readonly resultsUrl: ReadResultsUrl }) {
  return {
    getOutreach: async (_input, { caller, db }) => {
      const state = await findConnection(db, caller.teamId)
      return {
        connected: state !== undefined,
        connectedAt: state?.connectedAt ?? null,
        keyRejected: state?.rejected ?? false,
        resultsUrl: state === undefined ? null : await deps.resultsUrl(db, caller),
        autoPush: (await listRules(db, caller.teamId)).map(presentOwned),
      }
    },
    listCampaigns: async (_input, { caller: { teamId } }) => {
      const connection = await requireConnection(deps, teamId)
      const ask = () => deps.platform.listCampaigns(connection.key)
      const campaigns = await askFor(deps, { teamId, connection, ask })
      return {
        campaigns: campaigns.flatMap(({ status, ...one }) => {
          if (status === 'FINISHED' || status === 'CANCELED' || status === 'FAILED') return []
          const canTakeLeads = refusalOf({ status, ...one }) === null
          return [{ ...one, status, accountIds: [...one.accountIds], canTakeLeads }]
        }),
      }
    },
    sendLeads: async (input, { caller, unitOfWork, note }) => {
      const excludedSent: string[] = []
      // Noted also for a refusal, which may come after some were sent.
      const answer = await sendAll(deps, caller.teamId, input, (people) =>
        excludedSent.push(...people.map(({ person }) => person.leadId ?? person.profileUrl)),
      ).catch((error: unknown) => {
        if (error instanceof Refusal && excludedSent.length > 0) return error
        throw error
      })
      if (excludedSent.length > 0) note({ excludedSent })
      return unitOfWork(async () => answer)
    },
    getSourceOutreach: async (input, { caller, db }) => {
      const source = (await findActiveSource(db, caller.teamId, { id: input.id })) ?? refuse('not_tracked')
      const historic = await findHistory(db, caller.teamId, source.id)
      return { ...present(source, await readRule(db, caller.teamId, source.id)), ...(historic ? { historic } : {}) }
    },
    updateSourceOutreach: async (input, { caller: { teamId }, db, unitOfWork }) => {
      const { id, campaignId, autoSend = true, filters, pushHistoric: withHistory = false } = input
      const lock = async (tx: Tx) => (await lockActiveSource(tx, teamId, { id })) ?? refuse('not_tracked')
      if (!(await findActiveSource(db, teamId, { id }))) return refuse('not_tracked')
      if (campaignId === null)
        return unitOfWork(async (tx) => {
          const source = await lock(tx)
          await removeRule(tx, teamId, source.id)
          return present(source, undefined)
        })
      const campaign = await checkCampaign(deps, teamId, campaignId)
      return unitOfWork(async (tx) => {
        const source = await lock(tx)
        const [rule] = await saveRules(tx, {
          teamId,
          owners: { kind: 'source', ids: [source.id] },
          rule: { campaignId: campaign.id, campaignName: campaign.name, autoSend, filters: filters ?? [] },
        })
        const historic = withHistory
          ? { historic: await pushHistoryOfSource(tx, { teamId, rule: rule!, small: deps.small }) }
          : {}
        await deps.faultPoint('outreach.saved')
        return { ...present(source, rule), ...historic }
      })
    },
  } satisfies Partial<Handlers>
}
