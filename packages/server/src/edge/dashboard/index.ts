/** The dashboard's surface, all below `/app/api`: operations of signed-in people, the sign-in library, live updates, exports. */
import { sessionBasePath } from '@les/contract'
import type { Dispatch, DispatchParts } from '../dispatch.ts'
import { discardBody } from '../http/body.ts'
import type { Incoming, Serve } from '../http/envelope.ts'
import { isUnder, pathOf, readTarget } from '../http/target.ts'
import { checkSite } from '../origin.ts'
import { failureReply } from '../reply.ts'
import { requireRole } from '../admission.ts'
import { makeDashboardApi } from './api.ts'
import { personOf, visitorOf, type DashboardParts } from './visitor.ts'
import { authPath, serveAuth } from './auth.ts'
import { makeEvents } from './events.ts'
import { serveExport } from './export.ts'
import { serveTeamExport } from '../team-export.ts'

/** `serve` returns a reply to send, or null when it has answered itself. */
type Dashboard = {
  readonly serve: Serve
  close(): void
}

/** True for metadata of the authorization server, which lies at the root (RFC 8414, RFC 9728). */
export const isMetadata = (url: string): boolean => /^\/\.well-known\/(?:oauth-|openid-configuration)/.test(pathOf(url))

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
