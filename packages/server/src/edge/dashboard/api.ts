/**
 * `/app/api`: what a signed-in person can ask (design §9). In order: site, session, team, endpoint, role, standing, fields.
 * Below `/app/api/teams/{teamId}/v1` lie the operations of the contract; beside them those of the dashboard alone.
 */
import type { IncomingMessage } from 'node:http'
import {
  bounds,
  isUuid,
  registry,
  roleOf,
  sessionBasePath,
  sessionRegistry,
  takesIdempotencyKey,
  type AnyOperation,
  type AnySessionOperation,
  type Operation,
  type TeamRole,
} from '@les/contract'
import { readTeam, teamIsServed, type Team, type Caller, type Person } from '../../modules/accounts/index.ts'
import type { EdgeMetrics } from '../metrics.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import { watchRefusals } from '../declared.ts'
import { makeDispatch, type Dispatch, type DispatchParts } from '../dispatch.ts'
import { discardBody, readJsonObject } from '../http/body.ts'
import { hintHeaders } from '../http/hints.ts'
import { foundOrRefuse, makeMatcher } from '../http/matcher.ts'
import { joined, readTarget, type Target } from '../http/target.ts'
import { failureReply, type Reply } from '../reply.ts'
import { requireRole } from '../role.ts'
import { checkSite } from './origin.ts'
import type { DashboardParts } from './ports.ts'
import { openPersonalWindows, windowsOf } from './windows.ts'

// What is counted in a narrower window is not offered: that window belongs to keys.
const offered = registry.filter((each) => (each as Operation).rateBucket === undefined)
const matchContract = makeMatcher<AnyOperation>(offered)
const matchSession = makeMatcher<AnySessionOperation>(sessionRegistry.filter(({ role }) => role !== null))
const matchPersonal = makeMatcher<AnySessionOperation>(sessionRegistry.filter(({ role }) => role === null))

/** Somebody who asks, for a team of theirs. */
export type Visitor = { readonly person: Person; readonly team: Team; readonly role: TeamRole }

/**
 * The headers of a request as the sign-in library reads them; `x-les-peer` is the address of the connection, whatever
 * the caller claims.
 */
export function webHeaders(raw: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw.headers)) {
    if (value === undefined || name === 'x-les-peer') continue
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each)
  }
  headers.set('x-les-peer', raw.socket.remoteAddress ?? '')
  return headers
}

/** Who asks; refuses `session_required`. */
export async function personOf(parts: DashboardParts, raw: IncomingMessage): Promise<Person> {
  return (await parts.signIn.session(webHeaders(raw))) ?? refuse('session_required')
}

/** Who asks for a team; a team that one is no member of is as unknown as one that does not exist. */
export async function visitorOf(
  parts: DashboardParts & Pick<DispatchParts, 'db'>,
  person: Person,
  teamId: string,
): Promise<Visitor> {
  const unknown = () => refuse('not_found', {}, 'No such team')
  if (!isUuid(teamId)) return unknown()
  const id = teamId.toLowerCase()
  const role = (await parts.signIn.role(parts.db, person.id, id)) ?? unknown()
  return { person, role, team: (await readTeam(parts.db, id)) ?? unknown() }
}

const callerOf = ({ person, team, role }: Visitor): Caller => ({
  teamId: team.id,
  keyId: '',
  plan: team.plan,
  status: team.status,
  captureAllowed: team.captureAllowed,
  user: { ...person, role },
})
const nobodyOfTeam = (person: Person): Caller => ({
  teamId: '',
  keyId: '',
  plan: '',
  status: 'active',
  captureAllowed: false,
  user: { ...person, role: 'viewer' },
})

const sampleWords = 'This is the sample team, which is only to look around in: do this in a team of your own'

/** What a request turned out to mean. */
type Asked = {
  readonly operation: Operation & { readonly id: (AnyOperation | AnySessionOperation)['id'] }
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
  readonly through: Dispatch
  readonly path: string
}

/** Serves the operations; never throws. */
export function makeDashboardApi(
  parts: DispatchParts & DashboardParts,
  contract: Dispatch,
  metrics: EdgeMetrics,
): (raw: IncomingMessage, url: string, requestId: string) => Promise<Reply> {
  const watch = watchRefusals({ ...parts, metrics }, 'dashboard')
  const session = makeDispatch({ ...parts, handlers: parts.handlers })
  const { perform } = makeDispatch({ ...parts, handlers: parts.contractHandlers })
  const ofContract: Dispatch = { ...contract, perform }
  const countPerson = openPersonalWindows()

  const understand = async (raw: IncomingMessage, { segments }: Target, now: Date): Promise<Asked> => {
    const method = raw.method ?? 'GET'
    checkSite(method, raw.headers, parts.publicOrigin())
    const person = await personOf(parts, raw)
    if (segments === null) throw new Refusal('no_such_endpoint')
    const path = `${sessionBasePath}/${segments.map(encodeURIComponent).join('/')}`
    if (segments[0] !== 'teams' || segments.length < 3) {
      const { route, params } = foundOrRefuse(matchPersonal(method, segments))
      countPerson(person.id, method, now)
      return { operation: route, params, caller: nobodyOfTeam(person), through: session, path }
    }
    const visitor = await visitorOf(parts, person, segments[1]!)
    const isSample = visitor.team.id === sampleTeamId
    const isContract = segments[2] === 'v1'
    const { route, params } = isContract
      ? foundOrRefuse(matchContract(method, segments.slice(3)))
      : foundOrRefuse(matchSession(method, segments.slice(2)))
    if (isSample) {
      // Viewers elsewhere may ask vendors some things: here their calls would be nobody's.
      if (route.method !== 'GET' || windowsOf(route).narrow !== undefined)
        throw new Refusal('role_required', { needed: 'member' }, sampleWords)
      // Its windows are everybody's: nobody uses them up alone.
      countPerson(person.id, method, now)
    }
    requireRole(visitor.role, isContract ? roleOf(route as Operation) : (route as AnySessionOperation).role!)
    if (isContract && !teamIsServed(visitor.team, now)) throw new Refusal('team_inactive')
    await contract.countSession(visitor.team.id, windowsOf(route), now)
    return { operation: route, params, caller: callerOf(visitor), through: isContract ? ofContract : session, path }
  }

  return async (raw, url, requestId) => {
    const startedMs = parts.system.nowMs()
    let asked: Asked['operation'] | undefined
    const answer = async (): Promise<Reply> => {
      const now = await parts.clock.now(parts.db)
      const target = readTarget(url, sessionBasePath)
      const { operation, params, caller, through, path } = await understand(raw, target, now)
      asked = operation
      const body =
        operation.body === null
          ? {}
          : await readJsonObject(
              raw,
              operation.largeBody ? bounds.largeBodyBytes : bounds.bodyBytes,
              operation.nullBody,
            )
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
      })
      if (reply.status >= 300) return reply
      return {
        ...reply,
        headers: { ...hintHeaders(raw.method ?? 'GET', reply.body), ...reply.headers },
        revalidates: !takesIdempotencyKey(operation),
      }
    }
    const reply = await answer().catch((error: unknown) =>
      failureReply(error, requestId, parts.log.with({ operation: asked?.id ?? 'none' })),
    )
    // Who may ask is for this surface to refuse, not for the operation to declare.
    if (asked && reply.refusal !== 'role_required') watch(asked, reply)
    await discardBody(raw)
    metrics.request({
      surface: 'dashboard',
      operation: asked?.id ?? 'none',
      status: reply.status,
      seconds: (parts.system.nowMs() - startedMs) / 1000,
    })
    return reply
  }
}
