/**
 * `/app/api`: what a signed-in person can ask. In order: site, session, team, endpoint, role, status, windows, fields. Below
 * `/app/api/teams/{teamId}/v1` lie the operations of the contract; next to them those of the dashboard alone.
 */
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
import { callerOf, nobodyOfTeam, personOf, visitorOf, type DashboardParts } from './visitor.ts'
import { openPersonalWindows, windowsOf } from './windows.ts'

// What is counted in a narrower window is not offered: that window belongs to keys.
const offered = registry.filter((each) => (each as Operation).rateBucket === undefined)
const matchContract = makeMatcher<AnyOperation>(offered)
const matchSession = makeMatcher<AnySessionOperation>(sessionRegistry.filter(({ role }) => role !== null))
const matchPersonal = makeMatcher<AnySessionOperation>(sessionRegistry.filter(({ role }) => role === null))

const sampleWords = 'This is the sample team, which is only to look around in: do this in a team of your own'

/** What a request turned out to mean. */
type Asked = {
  readonly operation: Operation & { readonly id: (AnyOperation | AnySessionOperation)['id'] }
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
  readonly through: Dispatch
  readonly path: string
  readonly counted?: Counted
}

interface Understanding {
  readonly parts: DashboardParts & Pick<DispatchParts, 'db'>
  /** Of `/api/v1`: it counts the calls of a team. */
  readonly contract: Dispatch
  /** Of the operations that the dashboard alone has. */
  readonly session: Dispatch
  /** Of the operations of the contract, as the dashboard is answered. */
  readonly ofContract: Dispatch
  readonly countPerson: ReturnType<typeof openPersonalWindows>
}

/** What a request means, and through what it is answered; refuses what its site, session, team, endpoint, role or window does not allow. */
async function understand(
  { parts, contract, session, ofContract, countPerson }: Understanding,
  { raw, target: { segments }, now }: { raw: IncomingMessage; target: Target; now: Date },
): Promise<Asked> {
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
  const counted = await contract.countSession(visitor.team.id, windowsOf(route), now)
  const through = isContract ? ofContract : session
  return { operation: route, params, caller: callerOf(visitor), through, path, counted }
}

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
      const perform = () =>
        through.perform({
          operation,
          caller,
          requestId,
          now,
          input: { params, query: target.query, body },
          path,
          idempotencyKey,
          counted,
        })
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
