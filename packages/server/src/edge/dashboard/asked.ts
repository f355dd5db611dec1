/** What a request below `/app/api` asks for. In order: site, session, team, endpoint, role, standing, windows. */
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
import type { Counted } from '../admission.ts'
import type { Dispatch, DispatchParts } from '../dispatch.ts'
import { foundOrRefuse, makeMatcher } from '../http/matcher.ts'
import type { Target } from '../http/target.ts'
import { requireRole } from '../role.ts'
import { checkSite } from './origin.ts'
import type { DashboardParts } from './ports.ts'
import { callerOf, nobodyOfTeam, personOf, visitorOf } from './visitor.ts'
import { windowsOf, type openPersonalWindows } from './windows.ts'

// What is counted in a narrower window is not offered: that window belongs to keys.
const offered = registry.filter((each) => (each as Operation).rateBucket === undefined)
const matchContract = makeMatcher<AnyOperation>(offered)
const matchSession = makeMatcher<AnySessionOperation>(sessionRegistry.filter(({ role }) => role !== null))
const matchPersonal = makeMatcher<AnySessionOperation>(sessionRegistry.filter(({ role }) => role === null))

const sampleWords = 'This is the sample team, which is only to look around in: do this in a team of your own'

/** What a request turned out to mean. */
export type Asked = {
  readonly operation: Operation & { readonly id: (AnyOperation | AnySessionOperation)['id'] }
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
  readonly through: Dispatch
  readonly path: string
  readonly counted?: Counted
}

/** What requests are understood with. */
export interface Understanding {
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
export async function understand(
  { parts, contract, session, ofContract, countPerson }: Understanding,
  { raw, target: { segments }, now }: { readonly raw: IncomingMessage; readonly target: Target; readonly now: Date },
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
