/**
 * `/app/api`: what a signed-in person can ask. In order: site, session, team, endpoint, role, status, fields.
 * Below `/app/api/teams/{teamId}/v1` lie the operations of the contract; beside them those of the dashboard alone.
 */
import { roleOf, sessionBasePath, type Operation } from '@les/contract'
import { noteCalls } from '../calls.ts'
import { makeDispatch, type Dispatch, type DispatchParts } from '../dispatch.ts'
import { discardBody, readBodyOf } from '../http/body.ts'
import type { Serve } from '../http/envelope.ts'
import { withHints } from '../http/hints.ts'
import { joined, readTarget } from '../http/target.ts'
import { failureReply, type Reply } from '../reply.ts'
import { requireRole } from '../role.ts'
import { understand, type Asked } from './asked.ts'
import type { DashboardParts } from './ports.ts'
import { openPersonalWindows } from './windows.ts'

/** Serves the operations; never throws. */
export function makeDashboardApi(parts: DispatchParts & DashboardParts, contract: Dispatch): Serve {
  const note = noteCalls(parts, 'dashboard')
  const session = makeDispatch({ ...parts, handlers: parts.handlers })
  const { perform } = makeDispatch({ ...parts, handlers: parts.contractHandlers })
  const ofContract: Dispatch = { ...contract, perform }
  const understanding = { parts, contract, session, ofContract, countPerson: openPersonalWindows() }

  return async ({ raw, url, requestId }) => {
    const startedMs = parts.system.nowMs()
    let asked: Asked['operation'] | undefined
    const answer = async (): Promise<Reply> => {
      const now = await parts.clock.now(parts.db)
      const target = readTarget(url, sessionBasePath)
      const { operation, params, caller, through, path, counted } = await understand(understanding, {
        raw,
        target,
        now,
      })
      asked = operation
      const body = await readBodyOf(raw, operation)
      // Some operations need less when they only try: what is sent decides.
      if (caller.user && through === ofContract) requireRole(caller.user.role, roleOf(operation as Operation, body))
      // A key of safe retries belongs to a team; what is asked for no team goes without.
      const idempotencyKey = caller.teamId === '' ? undefined : joined(raw.headers['idempotency-key'])
      const reply = await through.perform({
        operation,
        caller,
        requestId,
        now,
        input: { params, query: target.query, body },
        path,
        idempotencyKey,
        counted,
      })
      return withHints(reply, raw.method ?? 'GET', operation)
    }
    const reply = await answer().catch((error: unknown) =>
      failureReply(error, requestId, parts.log.with({ operation: asked?.id ?? 'none' })),
    )
    await discardBody(raw)
    note({ operation: asked, reply, startedMs })
    return reply
  }
}
