/** The operator surface, `/operator/…`: one bearer token, wrong tokens counted by address, errors as `{error}`. */
import { timingSafeEqual } from 'node:crypto'
import { bounds, isUuid } from '@les/contract'
import { openFallbackRateWindows } from '../../modules/accounts/index.ts'
import { addLogContext } from '../../platform/log-context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { sha256 } from '../../platform/secrets.ts'
import { tooFast } from '../admission.ts'
import { failureReply, type Reply } from '../reply.ts'
import { discardBody, readJsonObject } from '../http/body.ts'
import type { Incoming, Serve } from '../http/envelope.ts'
import { foundOrRefuse, makeMatcher } from '../http/matcher.ts'
import { readTarget } from '../http/target.ts'
import type { OperatorParts } from './route.ts'
import { serviceRoutes } from './service.ts'
import { teamRoutes } from './teams.ts'
import { vendorRoutes } from './vendors.ts'

/** Wrong or missing tokens of one address in a minute, to slow guessing down. */
const maxWrongTokens = 100

export const operatorPath = '/operator'

// Hashed first: `timingSafeEqual` needs equal lengths.
const sameSecret = (given: string, wanted: string) => timingSafeEqual(sha256(given), sha256(wanted))

const onlyError = (reply: Reply): Reply =>
  reply.status < 400 ? reply : { ...reply, body: { error: (reply.body as { error: string }).error } }

/** Serves the surface; never throws. */
export function makeOperator(parts: OperatorParts): Serve {
  const windows = openFallbackRateWindows()
  const routes = Object.entries({ ...teamRoutes(parts), ...vendorRoutes(parts), ...serviceRoutes(parts) })
  const match = makeMatcher(
    routes.map(([name, serve]) => {
      const [method, path] = name.split(' ') as [string, string]
      return { method, path, serve }
    }),
  )
  /** Counts a wrong or missing token of an address, in this process; refuses `rate_limited` above the limit. */
  const countWrong = (address: string): void => {
    const now = new Date(parts.nowMs())
    const window = windows.count({ teamId: address, bucket: 'writes' }, maxWrongTokens, now)
    if (window.refused) throw tooFast(window, now, 'Too many wrong operator tokens: wait a minute')
  }
  const serve = async ({ raw, response, url }: Incoming): Promise<Reply | null> => {
    const token = /^Bearer +(\S+)$/i.exec(raw.headers.authorization ?? '')?.[1]
    // The right token is accepted even when others behind the same proxy have used up the limit.
    if (token === undefined || !sameSecret(token, parts.token)) {
      countWrong(raw.socket.remoteAddress ?? '')
      throw new Refusal(
        'missing_key',
        {},
        'The operator token is missing or wrong: send Authorization: Bearer <LES_OPERATOR_TOKEN>',
      )
    }
    const { segments, query } = readTarget(url, operatorPath)
    const found = foundOrRefuse(match(raw.method ?? 'GET', segments))
    addLogContext({ operation: `${found.route.method} ${found.route.path}` })
    const { route, params } = found
    const { shards } = parts
    const serveIt = () =>
      route.serve({ params, query, body: () => readJsonObject(raw, bounds.bodyBytes), raw, response })
    if (route.path.startsWith('/teams/{id}') && isUuid(params.id!))
      return await shards.ofTeam(params.id!.toLowerCase(), serveIt)
    return await (route.method === 'POST' && route.path === '/teams' ? shards.ofNewTeam(serveIt) : serveIt())
  }
  return async (incoming) => {
    const { raw, response, requestId } = incoming
    const reply = await serve(incoming).catch((error: unknown) =>
      failureReply(error, requestId, parts.log.with({ surface: 'operator' })),
    )
    await discardBody(raw)
    if (reply === null) return null
    if (!response.headersSent) return onlyError(reply)
    response.destroy()
    return null
  }
}

export type { OperatorParts } from './route.ts'
