/** `/app/api`, checked in this order: site, session, team, endpoint, role, status, windows, fields. */
import type { IncomingMessage } from 'node:http'
import {
  registry,
  roleOf,
  sessionBasePath,
  sessionRegistry,
  type AnyOperation,
  type AnySessionOperation,
  type Operation,
} from '@les/contract'
import { teamIsServed, type Caller } from '../../modules/accounts/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import { noteCalls } from '../calls.ts'
import { makeDispatch, type Dispatch, type DispatchParts } from '../dispatch.ts'
import { discardBody, readBodyOf } from '../http/body.ts'
import type { Serve } from '../http/envelope.ts'
import { withHints } from '../http/hints.ts'
import { foundOrRefuse, makeMatcher } from '../http/matcher.ts'
import { joined, readTarget, type Target } from '../http/target.ts'
import { checkSite } from '../origin.ts'
import { failureReply, type Reply } from '../reply.ts'
import { requireRole, type Counted } from '../admission.ts'
import { callerOf, callerWithoutTeam, personOf, visitorOf, type DashboardParts } from './visitor.ts'
import { openPersonalWindows, windowsOf } from './windows.ts'

// Operations with a narrower window are left out: that window belongs to API keys.
const offered = registry.filter((each) => (each as Operation).rateBucket === undefined)
const matchContract = makeMatcher<AnyOperation>(offered)
const matchSession = makeMatcher<AnySessionOperation>(sessionRegistry.filter(({ role }) => role !== null))
const matchPersonal = makeMatcher<AnySessionOperation>(sessionRegistry.filter(({ role }) => role === null))

const sampleWords = 'This is the sample team, which is only to look around in: do this in a team of your own'

/** `through`: the `/api/v1` pipeline with the dashboard's handlers (`…/v1`), or the one for what only the dashboard has. */
type ResolvedRequest = {
  readonly operation: Operation & { readonly id: (AnyOperation | AnySessionOperation)['id'] }
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
  readonly through: Dispatch
  readonly path: string
  readonly counted?: Counted
}

/** Serves the operations; never throws. */
export function makeDashboardApi(parts: DispatchParts & DashboardParts, contract: Dispatch): Serve {
  const note = noteCalls(parts, 'dashboard')
  const session = makeDispatch({ ...parts, handlers: parts.handlers })
  const { perform } = makeDispatch({ ...parts, handlers: parts.contractHandlers })
  const ofContract: Dispatch = { ...contract, perform }
  const countPerson = openPersonalWindows()

  const resolve = async (raw: IncomingMessage, { segments }: Target, now: Date): Promise<ResolvedRequest> => {
    const method = raw.method ?? 'GET'
    checkSite(method, raw.headers, parts.publicOrigin())
    const person = await personOf(parts, raw)
    if (segments === null) throw new Refusal('no_such_endpoint')
    const path = `${sessionBasePath}/${segments.map(encodeURIComponent).join('/')}`
    if (segments[0] !== 'teams' || segments.length < 3) {
      const { route, params } = foundOrRefuse(matchPersonal(method, segments))
      countPerson(person.id, method, now)
      return { operation: route, params, caller: callerWithoutTeam(person), through: session, path }
    }
    const visitor = await visitorOf(parts, person, segments[1]!)
    const isContract = segments[2] === 'v1'
    const { route, params } = isContract
      ? foundOrRefuse(matchContract(method, segments.slice(3)))
      : foundOrRefuse(matchSession(method, segments.slice(2)))
    if (visitor.team.id === sampleTeamId) {
      // Viewers of other teams may call vendors; on the sample team nobody would own those calls.
      if (route.method !== 'GET' || windowsOf(route).narrow !== undefined)
        throw new Refusal('role_required', { needed: 'member' }, sampleWords)
      // Everybody shares the sample team's windows, so each person is also limited alone.
      countPerson(person.id, method, now)
    }
    requireRole(visitor.role, isContract ? roleOf(route as Operation) : (route as AnySessionOperation).role!)
    if (isContract && !teamIsServed(visitor.team, now)) throw new Refusal('team_inactive')
    const counted = await contract.countSession(visitor.team.id, windowsOf(route), now)
    const through = isContract ? ofContract : session
    return { operation: route, params, caller: callerOf(visitor), through, path, counted }
  }

  return async ({ raw, url, requestId }) => {
    const startedMs = parts.system.nowMs()
    let asked: ResolvedRequest['operation'] | undefined
    const answer = async (): Promise<Reply> => {
      const now = await parts.clock.now(parts.db)
      const target = readTarget(url, sessionBasePath)
      const { operation, params, caller, through, path, counted } = await resolve(raw, target, now)
      asked = operation
      const body = await readBodyOf(raw, operation)
      // Some operations need a lower role for a trial run, so the body decides.
      if (caller.user && through === ofContract) requireRole(caller.user.role, roleOf(operation as Operation, body))
      // An Idempotency-Key belongs to a team, so calls without a team ignore it.
      const idempotencyKey = caller.teamId === '' ? undefined : joined(raw.headers['idempotency-key'])
      const input = { params, query: target.query, body }
      const perform = () => through.perform({ operation, caller, requestId, now, input, path, idempotencyKey, counted })
      const reply = await (caller.teamId === '' ? perform() : parts.shards.ofTeam(caller.teamId, perform))
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
