/** The upgrade that writes handles plainly: what an older version had stored in percent-encoding keeps all it has [G146]. */
import { beforeEach, expect, it } from 'vitest'
import { statements } from '../../migrations/0015-one-spelling.ts'
import { sha256 } from '../../src/platform/secrets.ts'
import { sourceOf, sourcesOf, track } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

const query = (text: string, values: unknown[] = []) => world.database.pool.query(text, values)

/** Puts the database back to before the upgrade, and runs it. */
async function upgrade(): Promise<void> {
  await query('begin; drop table source_report; drop index source_network_urn; commit')
  for (const statement of statements) await query(statement)
}

/** A source as older versions stored it: named in a spelling that is another identity. */
async function tracked(team: Team, stored: string, type: 'profile' | 'company' = 'profile'): Promise<string> {
  const plain = world.handle('person')
  if (type === 'profile') world.network.seedPost({ author: plain, reactions: [{ person: world.handle('fan') }] })
  else world.network.seedCompany({ slug: plain, posts: [] })
  await track(team, plain, {}, `/enrich/${type}`)
  await world.drain()
  const { id } = await sourceOf(team, plain)
  await query('update source set username = $2, identity = $3, network_urn = null where id = $1', [
    id,
    stored,
    sha256(stored),
  ])
  return id
}

const reports = async (team: Team): Promise<unknown[]> =>
  (await world.operator('GET', '/operator/source-reports')).body.reports.filter(
    (report: { teamId: string }) => report.teamId === team.id,
  )

let team: Team
beforeEach(async () => {
  team = await world.team({ credits: 100 })
})

it('gives a source its plain name when nobody holds it: id, leads and ledger stay [G146]', async () => {
  const id = await tracked(team, 'jos%c3%a9-garc%25c3%25ada')
  const page = await tracked(team, 'caf%c3%a9', 'company')
  await upgrade()
  expect([await sourceOf(team, 'josé-garcía'), await sourceOf(team, 'café')]).toMatchObject([
    { id, type: 'person' },
    { id: page, type: 'company' },
  ])
  expect((await team.get('/profile/jos%C3%A9-garc%C3%ADa/sync')).body).toMatchObject({ sourceId: id })
  expect((await team.get(`/leads?username=${encodeURIComponent('JOSÉ-garcía')}`)).body.total).toBe(1)
  const charges = await query(
    `select count(*)::int as count from credit_entry where source_id = $1 and kind = 'charge'`,
    [id],
  )
  expect([charges.rows[0].count, await reports(team)]).toEqual([1, []])
})

it('keeps two sources of one name, reports them to the operator, and both can be read and untracked by name [G146]', async () => {
  const [kept, double] = [await tracked(team, 'josé'), await tracked(team, 'jos%c3%a9')]
  await upgrade()
  const report = {
    teamId: team.id,
    sourceId: double,
    reason: 'double',
    type: 'person',
    username: 'jos%c3%a9',
    status: 'active',
    leads: 1,
    plainName: 'josé',
    other: { sourceId: kept, type: 'person', status: 'active', leads: 1 },
  }
  expect(await reports(team)).toEqual([report])
  expect([
    (await team.get(`/leads?profileId=${kept}`)).body.total,
    (await team.get(`/leads?profileId=${double}`)).body.total,
    (await team.get('/leads')).body.total,
  ]).toEqual([1, 1, 2])
  expect((await team.get(`/profile/jos%C3%A9/sync`)).body.sourceId).toBe(kept)
  for (const expected of [200, 200, 404]) expect((await team.del('/profile/jos%C3%A9')).status).toBe(expected)
  expect((await sourcesOf(team)).map(({ status }) => status)).toEqual(['inactive', 'inactive'])
  expect((await team.get(`/leads?profileId=${double}&includeInactive=true`)).body.total).toBe(1)
  await track(team, 'jos%C3%A9')
  expect((await sourcesOf(team)).filter(({ status }) => status === 'active').map(({ id }) => id)).toEqual([kept])
})

it('a double that alone is still tracked is the source of its name: tracking again revives no other [G146]', async () => {
  const [kept, double] = [await tracked(team, 'acme-é', 'company'), await tracked(team, 'acme-%c3%a9', 'company')]
  await upgrade()
  expect((await team.del('/company/acme-%C3%A9')).status).toBe(200)
  expect((await track(team, 'acme-%C3%A9', {}, '/enrich/company')).syncId).toBeNull()
  expect((await sourcesOf(team)).map(({ id, status }) => [id, status]).sort()).toEqual(
    [
      [kept, 'inactive'],
      [double, 'active'],
    ].sort(),
  )
})

it('reports what is no handle, and member ids that lost their case; nothing of them changes [G146]', async () => {
  const lost = `acoaab${'x'.repeat(33)}`
  const [odd, lower] = [await tracked(team, '50%-off'), await tracked(team, lost)]
  const before = await sourcesOf(team)
  await upgrade()
  expect(await sourcesOf(team)).toEqual(before)
  const common = { teamId: team.id, type: 'person', status: 'active', leads: 1, other: null }
  expect(
    (await reports(team)).toSorted((a, b) =>
      (a as { reason: string }).reason < (b as { reason: string }).reason ? -1 : 1,
    ),
  ).toEqual([
    { ...common, sourceId: lower, reason: 'lower_case_id', username: lost, plainName: lost },
    { ...common, sourceId: odd, reason: 'no_handle', username: '50%-off', plainName: '50%-off' },
  ])
  expect((await team.get(`/sources/${odd}/sync`)).status).toBe(200)
})

it('writes the handles of people and of leads plainly, as far as they are UTF-8 [G146]', async () => {
  const id = await tracked(team, 'plain-author')
  for (const [stored, plain] of [
    ['jos%c3%a9', 'josé'],
    ['%25e5%25bc%25a0', '张'],
    ['JOSE%CC%81', 'josé'],
    ['a%ff', 'a%ff'],
    ['a%00b', 'a%00b'],
    ['%', '%'],
  ] as const) {
    await query('update lead set handle = $2 where source_id = $1', [id, stored])
    await query('update person set handle = $2 where team_id = $1', [team.id, stored])
    await upgrade()
    const { rows } = await query(
      `select l.handle, p.handle as known
       from lead l
       join person p on p.team_id = l.team_id and p.urn = l.person_urn
       where l.source_id = $1`,
      [id],
    )
    expect(rows, stored).toEqual([{ handle: plain, known: plain }])
  }
})
