/** Who may ask for what, for every operation there is: made from the two registries, so that a new one cannot be forgotten. */
import { reaches, registry, roleOf, sessionRegistry, teamRoles, type Operation, type SessionOperation, type TeamRole } from '@les/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { snapshot } from '../world/snapshot.ts'
import { useWorld, type Team } from '../world/world.ts'
import { at, memberOf, openBrowser, signUp, type Browser, type MemberBrowser } from './stage.ts'

const world = useWorld()

type Asked = { readonly id: string; readonly method: string; readonly path: string; readonly role: TeamRole; readonly hasBody: boolean }
const unknownId = '00000000-0000-4000-8000-000000000000'
const filled = (path: string) => path.replace(/\{(\w+)\}/g, (_all, name: string) => (name === 'kind' ? 'openai' : unknownId))

const ofContract: Asked[] = (registry as readonly Operation[]).filter(({ rateBucket }) => rateBucket === undefined).map((each) => ({ id: each.id, method: each.method, path: `/v1${filled(each.path)}`, role: roleOf(each), hasBody: each.body !== null }))
const ofSession: Asked[] = (sessionRegistry as readonly SessionOperation[]).flatMap((each) => (each.role === null ? [] : [{ id: each.id, method: each.method, path: filled(each.path), role: each.role, hasBody: each.body !== null }]))
const everything = [...ofContract, ...ofSession]
/** A body that no operation takes, so that whoever is let in changes nothing. */
const nonsense = { nonsense: [] }

let team: Team
let members: Record<TeamRole, MemberBrowser>
let stranger: Browser

beforeAll(async () => {
  team = await world.team()
  members = { viewer: await memberOf(world, team, 'viewer'), member: await memberOf(world, team, 'member'), owner: await memberOf(world, team, 'owner') }
  stranger = await signUp(world)
})

const ask = (browser: Pick<Browser, 'send'>, asked: Asked, headers?: Record<string, string>) => browser.send(asked.method, `/app/api/teams/${team.id}${asked.path}`, asked.hasBody ? nonsense : undefined, headers)

describe('every operation, for a team', () => {
  let before: Record<string, string>
  beforeAll(async () => {
    before = await snapshot(world.database.pool)
  })
  it.each(everything)('$method $path: nobody, a stranger and roles below $role are refused [AUT-05]', async (asked) => {
    const nobody = await ask(openBrowser(world), asked)
    expect([nobody.status, nobody.body.code]).toEqual([401, 'session_required'])
    const key = await ask(openBrowser(world), asked, { 'x-api-key': team.apiKey })
    expect([key.status, key.body.code]).toEqual([401, 'session_required'])
    const outsider = await ask(stranger, asked)
    expect([outsider.status, outsider.body.error]).toEqual([404, 'No such team'])
    for (const role of teamRoles.filter((each) => !reaches(each, asked.role))) {
      const refused = await ask(members[role], asked)
      expect([role, refused.status, refused.body.code, refused.body.needed]).toEqual([role, 403, 'role_required', asked.role])
    }
  })

  it('none of these refusals has written anything', async () => {
    expect(await snapshot(world.database.pool)).toEqual(before)
  })

  it.each(everything)('$method $path: $role and above are let in', async (asked) => {
    for (const role of teamRoles.filter((each) => reaches(each, asked.role))) {
      const answer = await ask(members[role], asked)
      expect([401, 500]).not.toContain(answer.status)
      expect(answer.body.code).not.toBe('role_required')
      expect(answer.body.error).not.toBe('No such team')
      expect(answer.body.error).not.toBe('No such endpoint')
    }
  })

  it.each(everything.filter(({ method }) => method !== 'GET'))('$method $path: a change from another site, or from nowhere, is refused', async (asked) => {
    for (const headers of [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null', 'sec-fetch-site': '' }]) {
      const refused = await ask(members.owner, asked, headers as Record<string, string>)
      expect([refused.status, refused.body.code]).toEqual([403, 'origin_refused'])
    }
  })
})

describe('a session', () => {
  it.each((registry as readonly Operation[]).map((each) => ({ method: each.method, path: filled(each.path) })))('is not accepted by $method /api/v1$path [AUT-01]', async ({ method, path }) => {
    const answer = await members.owner.send(method, `/api/v1${path}`)
    expect([answer.status, answer.body.error]).toEqual([401, 'Missing X-API-Key header'])
  })
  it('of one team’s member says nothing of another team', async () => {
    const other = await world.team()
    const answer = await at(members.owner, other.id).get('/settings')
    expect([answer.status, answer.body.error]).toEqual([404, 'No such team'])
  })
})
