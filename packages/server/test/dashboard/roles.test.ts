/** Who may call which operation: the roles are those in `least-role.ts`. */
import { registry, sessionRegistry, type Operation, type SessionOperation } from '@les/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { snapshot } from '../world/snapshot.ts'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { fillTeam, type FilledTeam } from './filled-team.ts'
import { leastRole, leastRoleToTry, leastSessionRole, mayDo, notAtDashboard, roles, type Role } from './least-role.ts'
import { memberOf, openBrowser, signUp, type Browser, type MemberBrowser } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

type Listed = { readonly id: string; readonly method: string; readonly path: string; readonly body: unknown }
type Asked = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly role: Role
  readonly hasBody: boolean
}
const contract: readonly Listed[] = registry as readonly Operation[]
const session: readonly Listed[] = sessionRegistry as readonly SessionOperation[]
const unknownId = '00000000-0000-4000-8000-000000000000'
const filled = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => (name === 'kind' ? 'openai' : unknownId))
const asked = ({ id, method, path, body }: Listed, role: Role): Asked => ({
  id,
  method,
  path: filled(path),
  role,
  hasBody: body !== null,
})

const ofContract: Asked[] = contract
  .filter(({ id }) => !notAtDashboard.includes(id))
  .map((each) => asked({ ...each, path: `/v1${each.path}` }, leastRole[each.id]!))
const ofSession: Asked[] = session.flatMap((each) =>
  leastSessionRole[each.id] === 'anybody' ? [] : [asked(each, leastSessionRole[each.id] as Role)],
)
const everything = [...ofContract, ...ofSession]
const forAnybody = session
  .filter(({ id }) => leastSessionRole[id] === 'anybody')
  .map((each) => ({ ...each, path: filled(each.path) }))
/** A body that no operation accepts, so that permitted callers change nothing. */
const nonsense = { nonsense: [] }

describe('the roles written down', () => {
  it('are those of every operation of both registries, and of no other', () => {
    expect(Object.keys(leastRole).sort()).toEqual(contract.map(({ id }) => id).sort())
    expect(Object.keys(leastSessionRole).sort()).toEqual(session.map(({ id }) => id).sort())
  })
})

let team: Team
let members: Record<Role, MemberBrowser>
let stranger: Browser

beforeAll(async () => {
  team = await world.team()
  members = {
    viewer: await memberOf(world, team, 'viewer'),
    member: await memberOf(world, team, 'member'),
    owner: await memberOf(world, team, 'owner'),
  }
  stranger = await signUp(world)
})

const ask = (browser: Pick<Browser, 'send'>, asked: Asked, headers?: Record<string, string>) =>
  browser.send(asked.method, `/app/api/teams/${team.id}${asked.path}`, asked.hasBody ? nonsense : undefined, headers)

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
    for (const role of roles.filter((each) => !mayDo(each, asked.role))) {
      const refused = await ask(members[role], asked)
      expect([role, refused.status, refused.body.code, refused.body.needed]).toEqual([
        role,
        403,
        'role_required',
        asked.role,
      ])
    }
  })

  it('none of these refusals has written anything', async () => {
    expect(await snapshot(world.database.pool)).toEqual(before)
  })

  it.each(everything)('$method $path: $role and above are let in', async (asked) => {
    for (const role of roles.filter((each) => mayDo(each, asked.role))) {
      const answer = await ask(members[role], asked)
      expect([401, 500]).not.toContain(answer.status)
      expect(answer.body.code).not.toBe('role_required')
      expect(answer.body.error).not.toBe('No such team')
      expect(answer.body.error).not.toBe('No such endpoint')
    }
  })

  it.each(everything.filter(({ method }) => method !== 'GET'))(
    '$method $path: a change from another site, or from nowhere, is refused',
    async (asked) => {
      for (const headers of [
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        { origin: 'https://evil.example' },
        { origin: 'null', 'sec-fetch-site': '' },
      ]) {
        const refused = await ask(members.owner, asked, headers as Record<string, string>)
        expect([refused.status, refused.body.code]).toEqual([403, 'origin_refused'])
      }
    },
  )
})

describe('a viewer who sends `dryRun: true`', () => {
  const writes = ofContract.filter(({ role, hasBody }) => role !== 'viewer' && hasBody)
  it('is let in where criteria are tried, refused everywhere else, and changes nothing [AUT-05]', async () => {
    const before = await snapshot(world.database.pool)
    for (const { id, method, path } of writes) {
      const send = (body: unknown) => members.viewer.send(method, `/app/api/teams/${team.id}${path}`, body)
      const tried = await send({ dryRun: true })
      expect([id, tried.body.code === 'role_required']).toEqual([id, leastRoleToTry[id] !== 'viewer'])
      for (const body of [{}, { dryRun: 'true' }, { dryRun: false, rules: [] }])
        expect([id, (await send(body)).body.code]).toEqual([id, 'role_required'])
    }
    expect(await snapshot(world.database.pool)).toEqual(before)
  })
})

describe('what belongs to no team', () => {
  it.each(forAnybody)(
    '$method $path: is for whoever is signed in, and for nobody else [AUT-05]',
    async ({ method, path, body }) => {
      const send = (browser: Pick<Browser, 'send'>) =>
        browser.send(method, `/app/api${path}`, body === null ? undefined : nonsense)
      const nobody = await send(openBrowser(world))
      expect([nobody.status, nobody.body.code]).toEqual([401, 'session_required'])
      for (const browser of [stranger, members.viewer])
        expect([401, 403, 405, 500]).not.toContain((await send(browser)).status)
    },
  )

  it.each(notAtDashboard)('%s is not served at the dashboard, not even for an owner', async (id) => {
    const { method, path } = contract.find((each) => each.id === id)!
    expect((await members.owner.call(method, `/v1${filled(path)}?posts=1`)).status).toBe(404)
  })
})

describe('a viewer of a team that has something of everything', () => {
  let full: FilledTeam
  let viewer: MemberBrowser
  let secrets: string[]
  let reads: { readonly id: string; readonly role: Role; readonly path: string }[]
  beforeAll(async () => {
    full = await fillTeam(world)
    const { team: of, sourceId, searchId, runId, leadId, deliveryId } = full
    const owner = await memberOf(world, of, 'owner')
    const aiKey = world.handle('sk-ai-key-of-the-team')
    expect((await owner.put('/credentials/openai', { key: aiKey })).status).toBe(200)
    const made = await of.post('/keys', { name: 'Second' })
    viewer = await memberOf(world, of, 'viewer')
    secrets = [of.signingSecret, of.apiKey, made.body.key, aiKey, full.outreachKey, full.slackAddress]
    const sources: any[] = (await of.get('/sources')).body.sources
    const handleOf = (type: string): string => sources.find((source) => source.type === type).username
    const { jobId } = (await of.post('/profile/posts', { username: handleOf('person') })).body
    const { pushId } = (await of.post(`/sources/${sourceId}/push`, {})).body
    const exported = await of.post('/exports', { format: 'csv' })
    const erased = await of.post('/privacy/erasures', { profileUrl: world.handle('never-seen') })
    await world.drain()
    const { rows: known } = await world.database.pool.query('select id from person where team_id = $1 limit 1', [of.id])
    const personId = known[0].id
    const idOf: Record<string, string> = {
      listKeptPosts: searchId,
      getErasure: erased.body.id,
      listSourcePosts: sources.find((source) => source.mode === 'posts_only').id,
    }
    const idBelow: Record<string, string> = {
      sources: sourceId,
      keyword: searchId,
      discover: runId,
      leads: leadId,
      deliveries: deliveryId,
      destinations: full.destinationId,
      exports: exported.body.id,
      requests: (await viewer.get('/requests')).body.requests[0].id,
    }
    const queryOf: Record<string, string> = {
      listSortedLeads: '?sort=captured&direction=down',
      getCreditStatement: '?month=2026-11',
      searchPeople: '?query=nobody',
    }
    const withIds = ({ id, path }: Listed) =>
      path.replace(
        /\{(\w+)\}/g,
        (_all, name: string) =>
          ({
            id: idOf[id] ?? idBelow[path.split('/')[1]!],
            username: handleOf(path.startsWith('/company') ? 'company' : 'person'),
            jobId,
            pushId,
            personId,
            leadId,
          })[name] ?? `no ${name} for ${path}`,
      )
    reads = [
      ...contract
        .filter(({ id, method }) => method === 'GET' && !notAtDashboard.includes(id))
        .map((each) => ({
          id: each.id,
          role: leastRole[each.id]!,
          path: `/v1${withIds(each)}${queryOf[each.id] ?? ''}`,
        })),
      ...session
        .filter(({ id, method }) => method === 'GET' && leastSessionRole[id] !== 'anybody')
        .map((each) => ({
          id: each.id,
          role: leastSessionRole[each.id] as Role,
          path: `${withIds(each)}${queryOf[each.id] ?? ''}`,
        })),
      { id: 'export of leads', role: 'viewer', path: '/leads/export' },
    ]
  }, 120_000)

  it('reads no secret anywhere; a member reads the signing secret where webhooks are set [AUT-05]', async () => {
    for (const { id, role, path } of reads) {
      const answer = await viewer.get(path)
      expect([id, answer.status]).toEqual([id, role === 'viewer' ? 200 : 403])
      for (const secret of secrets) expect(answer.text.includes(secret), `${id} says a secret`).toBe(false)
    }
    const member = await memberOf(world, full.team, 'member')
    expect((await member.get(`/v1/sources/${full.sourceId}/webhook`)).body.signingSecret).toBe(full.team.signingSecret)
  })

  it('changes nothing by whatever they may ask [AUT-05]', async () => {
    const look = () => snapshot(world.database.pool, ['vendor_slot', 'vendor_minute', 'vendor_limit'])
    const before = await look()
    for (const { path } of reads) await viewer.get(path)
    const estimate = await viewer.post('/v1/keyword/estimate', {
      keyword: 'pipeline',
      creditCap: 5,
      datePosted: 'PAST_WEEK',
      captureMode: 'depth',
    })
    expect([estimate.status, (await viewer.post('/keyword/parse', { expression: 'sales AND hiring' })).status]).toEqual(
      [200, 200],
    )
    expect(await look()).toEqual(before)
  })
})

describe('a session', () => {
  it.each((registry as readonly Operation[]).map((each) => ({ method: each.method, path: filled(each.path) })))(
    'is not accepted by $method /api/v1$path [AUT-01]',
    async ({ method, path }) => {
      const answer = await members.owner.send(method, `/api/v1${path}`)
      expect([answer.status, answer.body.error]).toEqual([401, 'Missing X-API-Key header'])
    },
  )
})
