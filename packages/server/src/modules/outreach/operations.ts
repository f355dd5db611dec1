/** Handlers of the outreach integration (specification «Outreach integration»; G104..G106; OUT, CON-12, ERR-11, ERR-20). */
import type { Answer, OperationOf } from '@les/contract'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Caller, Handlers } from '../accounts/index.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import { findActiveSource, lockActiveSource, type Source } from '../sources/index.ts'
import { pushHistoryOfSource, saveRules } from './actions.ts'
import { askFor, checkCampaign, findConnection, requireConnection, type OutreachDeps } from './connection.ts'
import { findHistory } from './history.ts'
import { presentCampaign, presentOwned, presentRule } from './present.ts'
import { listRules, readRule, removeRule, type Rule } from './rule-store.ts'
import { sendAll } from './send-request.ts'

type ReadResultsUrl = (db: Reader, caller: Caller) => Promise<string | null>

type OutreachOperationId = 'getOutreach' | 'listCampaigns' | 'sendLeads' | 'getSourceOutreach' | 'updateSourceOutreach'

type Written = Answer<OperationOf<'updateSourceOutreach'>>

const present = (source: Source, rule: Rule | undefined) => ({
  sourceId: source.id,
  type: source.type,
  username: source.username,
  outreach: rule === undefined ? null : presentRule(rule),
})

const write = async (
  tx: Tx,
  { teamId, id }: { teamId: string; id: string },
  change: (source: Source) => Promise<Written>,
): Promise<Written> => change((await lockActiveSource(tx, teamId, { id })) ?? refuse('not_tracked'))

const updateOf =
  (deps: OutreachDeps): Handlers<OutreachOperationId>['updateSourceOutreach'] =>
  async (input, { caller, db, unitOfWork }) => {
    const { teamId } = caller
    const { campaignId, autoSend = true, filters, pushHistoric: withHistory = false } = input
    if (!(await findActiveSource(db, teamId, { id: input.id }))) return refuse('not_tracked')
    if (campaignId === null) {
      return unitOfWork((tx) =>
        write(tx, { teamId, id: input.id }, async (source) => {
          await removeRule(tx, teamId, source.id)
          return present(source, undefined)
        }),
      )
    }
    const campaign = await checkCampaign(deps, teamId, campaignId)
    return unitOfWork((tx) =>
      write(tx, { teamId, id: input.id }, async (source) => {
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
      }),
    )
  }

export function outreachOperations(
  deps: OutreachDeps & { readonly resultsUrl: ReadResultsUrl },
): Handlers<OutreachOperationId> {
  return {
    getOutreach: async (_input, { caller, db }) => {
      const state = await findConnection(db, caller.teamId)
      const autoPush = (await listRules(db, caller.teamId)).map(presentOwned)
      return {
        connected: state !== undefined,
        connectedAt: state?.connectedAt ?? null,
        keyRejected: state?.rejected ?? false,
        resultsUrl: state === undefined ? null : await deps.resultsUrl(db, caller),
        autoPush,
      }
    },
    listCampaigns: async (_input, { caller }) => {
      const connection = await requireConnection(deps, caller.teamId)
      const campaigns = await askFor(deps, {
        teamId: caller.teamId,
        connection,
        ask: () => deps.platform.listCampaigns(connection.key),
      })
      return { campaigns: campaigns.flatMap((one) => presentCampaign(one) ?? []) }
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
    updateSourceOutreach: updateOf(deps),
  }
}
