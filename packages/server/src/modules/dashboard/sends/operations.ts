/** Handlers of sends at the dashboard: a preview, a send that can be undone for ten seconds, and what became of the latest. */
import type { Answer, SessionOperationOf } from '@les/contract'
import type { SessionHandlers } from '../../accounts/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { resolve, type Preview, type SendDeps } from './resolve.ts'
import { undoMs } from './rules/parts.ts'
import { cancelPlanned, findSend, insertSend, listSends, type SendRow } from './store.ts'

/** The operations served here. */
export type SendOperationId = 'previewSend' | 'planSend' | 'cancelSend' | 'listSends'

type Planned = Answer<SessionOperationOf<'planSend'>>['send']

const dayMs = 86_400_000
const mostListed = 20

const present = ({ createdAt, startsAt, finishedAt, pushIds, ...rest }: SendRow): Planned => ({
  ...rest,
  createdAt: createdAt.toISOString(),
  startsAt: startsAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
  pushIds: [...pushIds],
})

/** Makes the handlers. */
export function sendOperations(deps: SendDeps): SessionHandlers<SendOperationId> {
  return {
    previewSend: async ({ send }, { caller, db, unitOfWork }) => {
      const { preview } = await resolve(deps, { db, teamId: caller.teamId, wanted: send })
      return unitOfWork(async (): Promise<Preview> => preview)
    },
    planSend: async ({ send, goes }, { caller, db, unitOfWork }) => {
      const { teamId } = caller
      const { label, preview, parts } = await resolve(deps, { db, teamId, wanted: send })
      // Fewer may go than were agreed to, never more.
      if (preview.goes > goes || preview.goes === 0) return refuse('preview_outdated', { goes: preview.goes })
      return unitOfWork(async (tx) => {
        const id = await insertSend(tx, {
          teamId,
          kind: send.kind,
          label,
          campaignId: 'campaignId' in send ? send.campaignId : null,
          agentId: send.kind === 'campaign' ? (send.agentId ?? null) : null,
          goes: preview.goes,
          requestedBy: caller.user.name,
          startsAt: new Date(tx.now.getTime() + undoMs),
          parts,
        })
        return { send: present((await findSend(tx.db, teamId, id))!) }
      })
    },
    cancelSend: ({ id }, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const known = id === null ? undefined : await findSend(tx.db, caller.teamId, id)
        if (!known) return refuse('not_found', {}, 'No such send')
        if (!(await cancelPlanned(tx, caller.teamId, known.id))) return refuse('send_begun')
        return { send: present((await findSend(tx.db, caller.teamId, known.id))!) }
      }),
    listSends: async (_input, { caller, db, now }) => ({
      sends: (
        await listSends(db, { teamId: caller.teamId, since: new Date(now.getTime() - dayMs), limit: mostListed })
      ).map(present),
      now: now.toISOString(),
    }),
  }
}
