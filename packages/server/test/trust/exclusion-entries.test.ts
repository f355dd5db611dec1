/** Entries of exclusions: which values are equal, which are refused, and whom they match (EXC-01..EXC-03). */
import { describe, expect, it } from 'vitest'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { capture, fans, ok } from '../scenarios/outreach-stage.ts'
import { entryOf, exclude, excludedBy } from './exclusions-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const list = async (team: Team, query = '') => (await ok(team.get(`/exclusions${query}`))).entries
const anyMember = `ACoAA${'b'.repeat(34)}`

describe('a value', () => {
  it('is one entry however it is written [EXC-01]', async () => {
    const team = await world.team()
    const values: [kind: string, value: string, others: string[]][] = [
      [
        'person',
        'jane-doe',
        ['@Jane-Doe', 'https://www.linkedin.com/in/jane%2Ddoe/?trk=x', ' linkedin.com/in/jane-doe '],
      ],
      ['person', anyMember, [`urn:li:fsd_profile:${anyMember}`, `https://www.linkedin.com/in/${anyMember}`]],
      ['company', 'acme', ['https://www.linkedin.com/company/Acme/', '@ACME']],
      ['company', '1035', ['01035', 'urn:li:company:1035', 'https://www.linkedin.com/company/1035/about']],
      ['domain', 'acme.com', ['www.ACME.com', 'https://acme.com/imprint', '@acme.com', 'acme.com.']],
      ['email', 'jane@acme.com', ['Jane@ACME.com', ' mailto:jane@acme.com']],
      ['title', 'Vice President', ['vice-president', 'VICE  PRESIDENT', 'Vice, President']],
      ['country', 'Germany', ['DE', 'deutschland', 'germany ']],
    ]
    for (const [kind, value, others] of values) {
      expect(await exclude(team, [{ kind, value }]), value).toMatchObject({ added: 1, alreadyListed: 0, invalid: [] })
      const again = others.map((other) => ({ kind, value: other }))
      expect(await exclude(team, again, 'customers'), value).toMatchObject({
        added: 0,
        alreadyListed: others.length,
        invalid: [],
      })
    }
    const listed = (await list(team)).map((entry: Record<string, string>) => [entry.kind, entry.value, entry.list])
    expect(listed).toEqual(values.map(([kind, value]) => [kind, value, 'do_not_contact']).toReversed())
  })

  it('that is none of its kind is invalid, by its place [EXC-01]', async () => {
    const team = await world.team()
    const wrong: Record<string, string[]> = {
      person: [
        ...['https://www.linkedin.com/company/acme', 'jane doe', '', 'https://example.com/in/jane', 'jane@acme.com'],
        ...['"jane"', '“jane”', 'jane,', 'jane|joe', anyMember.toLowerCase(), anyMember.toUpperCase()],
      ],
      company: ['https://www.linkedin.com/in/jane-doe', 'Acme Robotics GmbH', ''],
      domain: ['acme', 'not a domain', 'jane@acme.com', ''],
      email: ['jane', 'jane@', '@acme.com', 'jane doe@acme.com', '*@acme.com'],
      title: ['', ' … ', Array.from({ length: 21 }, () => 'word').join(' ')],
      country: ['Berlin, Germany', 'Atlantis', 'America', ''],
      planet: ['mars'],
    }
    for (const [kind, values] of Object.entries(wrong)) {
      const entries = values.map((value) => ({ kind, value }))
      const answer = await exclude(team, [{ kind: 'domain', value: `${kind}.example.com` }, ...entries])
      const places = answer.invalid.map(({ index }: { index: number }) => index)
      expect([kind, answer.added, places]).toEqual([kind, 1, values.map((_value, place) => place + 1)])
      const refused = await refusedWithoutTrace(world, () => team.post('/exclusions', { entries }))
      expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('entries[0]')])
    }
  })

  it('twice in one request is one entry; a known handle and its member id are one person [EXC-01]', async () => {
    const team = await world.team()
    const handle = world.handle('fan')
    await capture(world, team, [{ handle }])
    const [{ urn }] = (
      await world.database.pool.query('select urn from person where team_id = $1 and handle = $2', [team.id, handle])
    ).rows
    const [one, other] = [
      { kind: 'person', value: handle },
      { kind: 'person', value: urn },
    ]
    expect(await exclude(team, [one, one, other])).toMatchObject({ added: 1, alreadyListed: 2, matchingLeads: 1 })
    expect(await exclude(team, [other])).toMatchObject({ added: 0, alreadyListed: 1, matchingLeads: 1 })
  })
})

it('a body that is not as described changes nothing [EXC-01]', async () => {
  const team = await world.team()
  const entry = { kind: 'domain', value: 'acme.com' }
  const bodies: [Record<string, unknown>, string | undefined][] = [
    [{}, undefined],
    [{ entries: [] }, undefined],
    [{ entries: Array.from({ length: 1_001 }, () => entry) }, undefined],
    [{ entries: [{ ...entry, value: 5 }] }, undefined],
    [{ entries: [entry], list: '' }, undefined],
    [{ entries: [entry], list: 'x'.repeat(61) }, undefined],
    [{ entries: [entry], lists: 'customers' }, 'unknown_field'],
    [{ entries: [{ ...entry, note: 'x' }] }, 'unknown_field'],
  ]
  for (const [body, code] of bodies) {
    const refused = await refusedWithoutTrace(world, () => team.post('/exclusions', body))
    expect([refused.status, refused.body.code, JSON.stringify(body).slice(0, 80)]).toEqual([
      400,
      code,
      JSON.stringify(body).slice(0, 80),
    ])
  }
})

describe('an entry', () => {
  it('meets people by every name, at once and on every row of theirs, and other teams never [EXC-01, EXC-05]', async () => {
    const [team, stranger] = [await world.team(), await world.team()]
    const slug = world.handle('acme')
    const { id: number } = world.network.seedCompany({ slug, website: `https://mail.${slug}.example.com` })
    const [jane, works, vp, vpn, german] = ['jane', 'works', 'vp', 'vpn', 'german'].map((name) => world.handle(name))
    const seeds = [
      { handle: jane!, title: 'Baker', country: 'FR' },
      { handle: works!, title: 'Baker', country: 'FR', company: slug },
      { handle: vp!, title: 'VP, Sales', country: 'FR' },
      { handle: vpn!, title: 'Head of VPN', country: 'FR' },
      { handle: german!, title: 'Baker', country: 'DE' },
    ]
    await capture(world, team, seeds)
    // A second source captures the same people, so that each has two rows.
    await capture(world, team, seeds)
    await capture(world, stranger, seeds)
    const cases: [string, string, string][] = [
      ['person', `https://www.linkedin.com/in/${jane}`, jane!],
      ['company', slug, works!],
      ['company', String(number), works!],
      ['domain', `${slug}.example.com`, works!],
      ['title', 'vp', vp!],
      ['title', 'sales', vp!],
      ['country', 'Deutschland', german!],
    ]
    for (const [kind, value, who] of cases) {
      const added = await exclude(team, [{ kind, value, reason: 'why' }], 'customers')
      expect([kind, value, added]).toEqual([kind, value, { added: 1, alreadyListed: 0, invalid: [], matchingLeads: 2 }])
      expect(await excludedBy(team)).toEqual(
        Object.fromEntries(seeds.map(({ handle }) => [handle, handle === who ? 'customers' : null])),
      )
      const { leads } = await ok(team.get('/leads?limit=100'))
      const { entries } = await ok(team.get('/exclusions'))
      expect(leads.filter((lead: { excluded: unknown }) => lead.excluded !== null)).toHaveLength(2)
      expect(leads.find((lead: { excluded: unknown }) => lead.excluded !== null).excluded).toEqual({
        list: 'customers',
        entryId: entries[0].id,
        reason: 'why',
      })
      expect(Object.values(await excludedBy(stranger)).filter((list) => list !== null)).toEqual([])
      expect(await ok(team.del(`/exclusions/${entries[0].id}`))).toEqual({ ok: true, id: entries[0].id, deleted: true })
    }
    expect(Object.values(await excludedBy(team)).filter((list) => list !== null)).toEqual([])
  })

  it('for somebody unknown meets them as soon as they are captured [EXC-01, EXC-05]', async () => {
    const team = await world.team()
    const [named, other] = [world.handle('fan'), world.handle('fan')]
    expect(await exclude(team, [{ kind: 'person', value: named }])).toMatchObject({ added: 1, matchingLeads: 0 })
    await capture(world, team, [{ handle: named }, { handle: other }])
    expect(await excludedBy(team)).toEqual({ [named]: 'do_not_contact', [other]: null })
    expect(await exclude(team, [{ kind: 'person', value: `@${named}` }])).toMatchObject({
      alreadyListed: 1,
      matchingLeads: 1,
    })
  })

  it.each(['company', 'domain'])(
    'of a %s meets people whose employer the vendor names by the slug of the page alone [EXC-05, EXC-07]',
    async (kind) => {
      const team = await world.team()
      const slug = world.handle('page')
      world.network.seedCompany({ slug, website: `https://${slug}.example.com` })
      await exclude(team, [{ kind, value: kind === 'domain' ? `${slug}.example.com` : slug }])
      for (const operation of ['profile', 'profile/full'])
        world.network.fault({ kind: 'status_503', vendor: 'linkdapi', operation })
      world.network.fault({ kind: 'missing_fields', vendor: 'harvestapi', fields: ['companyId'] })
      const { handles } = await capture(world, team, fans(3, { company: slug }))
      expect(await excludedBy(team)).toEqual(Object.fromEntries(handles.map((fan) => [fan, 'do_not_contact'])))
      expect(world.network.calls({ operation: 'company', match: { universalName: slug } })).toHaveLength(1)
    },
  )

  it('is tried without being stored: counts and at most ten leads [EXC-02]', async () => {
    const team = await world.team()
    await capture(world, team, [...Array.from({ length: 12 }, () => ({ title: 'CTO' })), { title: 'Baker' }])
    const answer = await team.post('/exclusions', { entries: [{ kind: 'title', value: 'cto' }], dryRun: true })
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([200, ['counts', 'dryRun', 'sample']])
    expect(answer.body).toMatchObject({ dryRun: true, counts: { matching: 12, notMatching: 1 } })
    expect(answer.body.sample.map((lead: { jobTitle: string }) => lead.jobTitle)).toEqual(Array(10).fill('CTO'))
    expect(await list(team)).toEqual([])
    expect((await team.post('/exclusions', { entries: [{ kind: 'title', value: '' }], dryRun: true })).status).toBe(400)
  })
})

it('entries are paged newest first, narrowed, and gone when removed; whose they are is said [EXC-03]', async () => {
  const team = await world.team()
  const other = await world.team()
  await exclude(team, [{ kind: 'domain', value: 'acme.com', reason: 'Customer since 2024' }], 'customers')
  await exclude(team, [{ kind: 'title', value: 'Intern' }], 'Our own list')
  await exclude(team, [{ kind: 'domain', value: 'beta.com' }], 'customers')
  const values = async (query: string) => (await list(team, query)).map((entry: { value: string }) => entry.value)
  expect(await values('')).toEqual(['beta.com', 'Intern', 'acme.com'])
  expect(await values('?list=customers')).toEqual(['beta.com', 'acme.com'])
  expect(await values('?kind=title')).toEqual(['Intern'])
  expect(await values('?query=ACME')).toEqual(['acme.com'])
  expect(await values('?query=since')).toEqual(['acme.com'])
  expect(await ok(team.get('/exclusions?limit=2&offset=2'))).toMatchObject({
    total: 3,
    limit: 2,
    offset: 2,
    hasMore: false,
  })
  expect(await ok(team.get('/exclusions?limit=2'))).toMatchObject({ total: 3, hasMore: true })
  expect((await team.get('/exclusions?kind=planet')).status).toBe(400)
  const [entry] = await list(team)
  expect(entry).toEqual({
    id: expect.any(String),
    kind: 'domain',
    value: 'beta.com',
    list: 'customers',
    reason: null,
    createdAt: expect.stringMatching(/Z$/),
    createdBy: expect.any(String),
    origin: 'api',
  })
  const id = await entryOf(team, 'acme.com')
  expect((await other.del(`/exclusions/${id}`)).status).toBe(404)
  expect((await team.del('/exclusions/not-an-id')).status).toBe(404)
  expect(await ok(team.del(`/exclusions/${id}`))).toEqual({ ok: true, id, deleted: true })
  expect((await team.del(`/exclusions/${id}`)).status).toBe(404)
  expect(await values('')).toEqual(['beta.com', 'Intern'])
  const { rows } = await world.database.pool.query(
    "select operation, details from audit_entry where team_id = $1 and operation like '%xclusion%' order by at, id",
    [team.id],
  )
  expect(rows.map(({ operation }) => operation)).toEqual([
    'addExclusions',
    'addExclusions',
    'addExclusions',
    'removeExclusion',
  ])
  expect(rows.at(-1).details).toMatchObject({ kind: 'domain', value: 'acme.com', list: 'customers' })
})
