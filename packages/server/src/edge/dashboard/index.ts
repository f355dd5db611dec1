/** The dashboard's surface, all below `/app/api`: operations of signed-in people, the sign-in library, live updates, exports. */
import { operationsById, sessionBasePath } from '@les/contract'
import { teamIsServed } from '../../modules/accounts/index.ts'
import { exportLeads, type ListInput } from '../../modules/leads/index.ts'
import { readingHere } from '../../platform/db/shards.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Dispatch, DispatchParts } from '../dispatch.ts'
import { discardBody } from '../http/body.ts'
import type { Incoming, Serve } from '../http/envelope.ts'
import { isUnder, pathOf, readTarget, type Target } from '../http/target.ts'
import { checkSite } from '../origin.ts'
import { failureReply } from '../reply.ts'
import { requireRole } from '../admission.ts'
import { makeDashboardApi } from './api.ts'
import { personOf, visitorOf, type DashboardParts, type Visitor } from './visitor.ts'
import { authPath, serveAuth } from './auth.ts'
import { makeEvents } from './events.ts'
import { serveTeamExport, streamAnswer } from '../http/stream.ts'
import { validateInput } from '../input.ts'

/** `serve` returns a reply to send, or null when it has answered itself. */
type Dashboard = {
  readonly serve: Serve
  close(): void
}

/** True for metadata of the authorization server, which lies at the root (RFC 8414, RFC 9728). */
export const isMetadata = (url: string): boolean => /^\/\.well-known\/(?:oauth-|openid-configuration)/.test(pathOf(url))

/** Streams the leads of `GET /leads` as CSV, with its filters and refusals; stops querying when the connection closes. */
async function serveExport(
  parts: Pick<DispatchParts, 'db' | 'clock'>,
  { team }: Visitor,
  query: Target['query'],
  { raw, response }: Pick<Incoming, 'raw' | 'response'>,
): Promise<void> {
  const now = await parts.clock.now(parts.db)
  if (!teamIsServed(team, now)) throw new Refusal('team_inactive')
  const filters = validateInput(operationsById.listLeads, { params: {}, query, body: {} }) as ListInput
  const lines = await exportLeads(parts.db, { teamId: team.id, filters })
  raw.resume()
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="leads-${now.toISOString().slice(0, 10)}.csv"`,
  }
  await streamAnswer(response, headers, { parts: readingHere(lines) })
}

export function makeDashboard(parts: DispatchParts & DashboardParts, contract: Dispatch): Dashboard {
  const api = makeDashboardApi(parts, contract)
  const events = makeEvents(parts)

  /** Serves what is not a JSON operation; false when the request is one. */
  const serveStream = async ({ raw, response, url }: Incoming): Promise<boolean> => {
    const { segments, query } = readTarget(url, sessionBasePath)
    const what = segments?.slice(2).join('/')
    if (
      raw.method !== 'GET' ||
      segments?.[0] !== 'teams' ||
      (what !== 'events' && what !== 'leads/export' && what !== 'export')
    )
      return false
    checkSite('GET', raw.headers, parts.publicOrigin())
    const visitor = await visitorOf(parts, await personOf(parts, raw), segments[1]!)
    requireRole(visitor.role, what === 'export' ? 'owner' : 'viewer')
    await contract.countSession(
      visitor.team.id,
      { method: 'sessionReads', narrow: what === 'events' ? undefined : 'exports' },
      await parts.clock.now(parts.db),
    )
    await parts.shards.ofTeam(visitor.team.id, async () => {
      if (what === 'events') await events.serve(raw, response, visitor)
      else if (what === 'export') await serveTeamExport(parts.exportTeam, { teamId: visitor.team.id, raw, response })
      else await serveExport(parts, visitor, query, { raw, response })
    })
    return true
  }

  return {
    serve: async (request) => {
      const { raw, response, url, requestId } = request
      try {
        if (isUnder(url, authPath) || isMetadata(url)) {
          await serveAuth(parts, request)
          return null
        }
        if (await serveStream(request)) return null
      } catch (error) {
        await discardBody(raw)
        // After the head is sent, closing the connection is the only way to report a failure.
        if (response.headersSent) {
          response.destroy()
          return null
        }
        return failureReply(error, requestId, parts.log.with({ surface: 'dashboard' }))
      }
      return await api(request)
    },
    close: () => events.close(),
  }
}

export { mountPages } from './pages.ts'
export type { DashboardParts } from './visitor.ts'
