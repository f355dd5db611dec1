import { describe, expect, it } from 'vitest'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { leadsOf, ok, trackWith } from './fit-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const title = (value: string) => ({ column: 'jobTitle', operator: 'contains', value })
const verdicts = (leads: { jobTitle: string | null; isIcp: boolean | null }[]) =>
  leads.map(({ jobTitle, isIcp }) => `${jobTitle}: ${isIcp}`).sort()

describe.each(['company', 'post'] as const)('of a %s', (route) => {
  it('are read and set, judge every lead there is, and are cleared by an empty list [ICP-01, ICP-02, ICP-05, ICP-09, POS-25]', async () => {
    const team = await world.team()
    const source = await trackWith(world, team, [{ title: 'Head of Growth' }, { title: 'Plumber' }], { route })
    const named = { sourceId: source.id, type: route, username: source.username }
    expect(await ok(team.get(`${source.path}/icp`))).toEqual({ ...named, rules: [], matchMode: 'all' })
    expect(verdicts(await leadsOf(team, source))).toEqual(['Head of Growth: null', 'Plumber: null'])
    const saved = await ok(team.put(`${source.path}/icp`, { rules: [title('GROWTH')] }))
    expect(saved).toEqual({ ...named, rules: [title('GROWTH')], matchMode: 'all', rescored: 2 })
    expect(await ok(team.get(`${source.path}/icp`))).toEqual({ ...named, rules: [title('GROWTH')], matchMode: 'all' })
    expect(await ok(team.get(`/sources/${source.id}/icp`))).toEqual({
      ...named,
      rules: [title('GROWTH')],
      matchMode: 'all',
    })
    expect(verdicts(await leadsOf(team, source))).toEqual(['Head of Growth: true', 'Plumber: false'])
    expect((await leadsOf(team, source, '&isIcp=true')).map((lead) => lead.jobTitle)).toEqual(['Head of Growth'])
    expect(await ok(team.put(`${source.path}/icp`, { rules: [] }))).toMatchObject({ rules: [], rescored: 2 })
    expect(verdicts(await leadsOf(team, source))).toEqual(['Head of Growth: null', 'Plumber: null'])
  })

  it('are tried without saving, judging or sending anything [ICP-06, ICP-07, ICP-08]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const source = await trackWith(
      world,
      team,
      [...Array.from({ length: 12 }, () => ({ title: 'Head of Growth' })), { title: 'Plumber', country: 'FR' }],
      { route },
    )
    await ok(team.put(`${source.path}/webhook`, { webhookUrl: inbox.url }))
    await ok(team.put(`${source.path}/icp`, { rules: [title('growth'), { column: 'country', operator: 'is_empty' }] }))
    const before = verdicts(await leadsOf(team, source))
    const rules = [title('growth'), { column: 'country', operator: 'is_empty' }]
    const attempt = async (body: object) => {
      const { status, body: answer } = await refusedWithoutTrace(world, () =>
        team.put(`${source.path}/icp`, { ...body, dryRun: true }),
      )
      expect([status, answer.dryRun, answer.sourceId]).toEqual([200, true, source.id])
      return answer
    }
    const any = await attempt({ matchMode: 'any' })
    expect([any.counts, any.icp]).toEqual([
      { matching: 12, notMatching: 1 },
      { matchMode: 'any', rules },
    ])
    expect(any.sample.map((lead: { jobTitle: string }) => lead.jobTitle)).toEqual(Array(10).fill('Head of Growth'))
    expect(await attempt({ rules: [title('plumber')] })).toMatchObject({
      counts: { matching: 1, notMatching: 12 },
      sample: [{ jobTitle: 'Plumber', sourceId: source.id }],
      icp: { rules: [title('plumber')], matchMode: 'all' },
    })
    expect(await attempt({})).toMatchObject({ counts: { matching: 0, notMatching: 13 }, sample: [] })
    // Without rules nobody is judged, which differs from matching nobody.
    expect(await attempt({ rules: [] })).toMatchObject({
      counts: { matching: 0, notMatching: 0, unjudged: 13 },
      sample: [],
      icp: { rules: [] },
    })
    expect(verdicts(await leadsOf(team, source))).toEqual(before)
    await world.drain()
    expect(inbox.received).toEqual([])
  })

  it('are 404 once it is untracked, also with includeInactive [TRK-31, WHK-26]', async () => {
    const team = await world.team()
    const source = await trackWith(world, team, [{ title: 'CTO' }], { route })
    await ok(team.del(route === 'post' ? `/post/${source.username}` : source.path))
    for (const path of [`${source.path}/icp`, `/sources/${source.id}/icp`]) {
      expect((await team.get(`${path}?includeInactive=true`)).status).toBe(404)
      expect(
        (await refusedWithoutTrace(world, () => team.put(`${path}?includeInactive=true`, { rules: [] }))).status,
      ).toBe(404)
      expect((await team.put(path, { rules: [], dryRun: true })).status).toBe(404)
    }
  })
})

describe('criteria', () => {
  it('join rules by all unless told any, and keep what a request leaves out [ICP-03, ICP-08]', async () => {
    const team = await world.team()
    const source = await trackWith(world, team, [
      { title: 'CTO', country: 'DE' },
      { title: 'CTO', country: 'FR' },
      { title: 'Plumber', country: 'DE' },
    ])
    const rules = [title('cto'), { column: 'country', operator: 'equals', value: 'germany' }]
    await ok(team.put(`${source.path}/icp`, { rules }))
    const matching = async () =>
      (await leadsOf(team, source, '&isIcp=true')).map((lead) => `${lead.jobTitle} ${lead.country}`).sort()
    expect(await matching()).toEqual(['CTO Germany'])
    expect(await ok(team.put(`${source.path}/icp`, { matchMode: 'any' }))).toMatchObject({
      rules,
      matchMode: 'any',
      rescored: 3,
    })
    expect(await matching()).toEqual(['CTO France', 'CTO Germany', 'Plumber Germany'])
    expect(await ok(team.put(`${source.path}/icp`, { rules: [title('plumb')] }))).toMatchObject({ matchMode: 'any' })
    expect(await matching()).toEqual(['Plumber Germany'])
  })

  it('see every column, in camelCase and snake_case, and sizes as they are written [ICP-09, WLD-17]', async () => {
    const team = await world.team()
    const company = world.handle('acme')
    world.network.seedCompany({
      slug: company,
      name: `Acme ${company}`,
      website: `https://${company}.example`,
      industry: 'Software Development',
      employees: 120,
      country: 'DE',
      city: 'Berlin',
    })
    const source = await trackWith(world, team, [
      { title: 'Head of Growth', company, comment: '100% agreed' },
      { title: 'Plumber', company: world.handle('other') },
    ])
    const lead = (await leadsOf(team, source)).find((one) => one.jobTitle === 'Head of Growth')
    const rows = [
      ['job_title', 'equals', 'head of growth'],
      ['name', 'contains', lead.name.slice(1, 5)],
      ['country', 'in', ['France', lead.country]],
      ['company', 'contains', company.toUpperCase()],
      ['company_domain', 'equals', `${company}.example`],
      ['companyIndustry', 'contains', 'software'],
      ['companyLocation', 'contains', 'berlin'],
      ['companyEmployeeCount', 'atMost', 120],
      ['company_employee_count', 'notIn', [118, 119]],
      // Sizes as the network or a person writes them.
      ['companyStaffRange', 'equals', '51–200 employees'],
      ['company_staff_range', 'in', ['1,001-5,000', '51 - 200']],
      ['engagement_type', 'equals', 'comment'],
      ['comment_text', 'contains', '100%'],
      ['commentText', 'is_not_empty', undefined],
    ]
    for (const [column, operator, value] of rows) {
      const tried = await ok(
        team.put(`${source.path}/icp`, { rules: [{ column, operator, value }, title('growth')], dryRun: true }),
      )
      expect([column, operator, tried.counts.matching]).toEqual([column, operator, 1])
    }
    expect(
      await ok(team.put(`${source.path}/icp`, { rules: [{ column: 'comment_text', operator: 'is_empty' }] })),
    ).toMatchObject({ rules: [{ column: 'commentText', operator: 'is_empty' }] })
    expect((await leadsOf(team, source, '&isIcp=true')).map((one) => one.jobTitle)).toEqual(['Plumber'])
  })

  it('see through what nobody sees, in leads stored before as well [WLD-09, WLD-25, G167]', async () => {
    const team = await world.team()
    const company = world.handle('acme')
    world.network.seedCompany({ slug: company, name: 'Ac\u200bme\u00a0GmbH\u200e', country: 'DE' })
    const source = await trackWith(world, team, [
      { title: 'Head\u200b of Sa\u00adles', company },
      { title: 'Co\u2011Founder, Women\u2019s Health' },
    ])
    const stored = await leadsOf(team, source)
    expect(stored.map((lead) => lead.jobTitle).sort()).toEqual([
      'Co\u2011Founder, Women\u2019s Health',
      'Head of Sales',
    ])
    expect(stored.map((lead) => lead.companyName)).toContain('Acme GmbH')
    // Rows as an earlier version stored them.
    await world.database.pool.query(
      `update lead set company_name = $2, name = $3 where team_id = $1 and job_title = 'Head of Sales'`,
      [team.id, 'Ac\u200bme\u00a0GmbH', 'Anna\u200b\u00a0Schmidt'],
    )
    for (const [rule, expected] of [
      [{ column: 'company', operator: 'equals', value: 'acme\u00a0gmbh' }, 'Head of Sales'],
      [{ column: 'name', operator: 'equals', value: 'Anna Schmidt' }, 'Head of Sales'],
      [{ column: 'jobTitle', operator: 'contains', value: 'co-founder' }, 'Co\u2011Founder, Women\u2019s Health'],
    ] as const) {
      await ok(team.put(`${source.path}/icp`, { rules: [rule] }))
      expect([rule, (await leadsOf(team, source, '&isIcp=true')).map((one) => one.jobTitle)]).toEqual([
        rule,
        [expected],
      ])
    }
    const listed = async (query: string) => (await leadsOf(team, source, query)).map((one) => one.jobTitle)
    expect(await listed('&company=acme%20gmbh')).toEqual(['Head of Sales'])
    expect(await listed('&name=anna%C2%A0schmidt')).toEqual(['Head of Sales'])
    expect(await listed('&jobTitle=co-founder')).toEqual(['Co\u2011Founder, Women\u2019s Health'])
    expect((await team.get('/leads?name=%E2%80%8B')).status).toBe(400)
  })

  it('judge new leads when they are enriched, and never raw ones [ICP-05, WHK-28]', async () => {
    const team = await world.team()
    const source = await trackWith(world, team, [{ title: 'Plumber' }])
    await ok(team.put(`${source.path}/icp`, { rules: [title('growth')] }))
    const [match, other] = [world.handle('new'), world.handle('new')]
    world.network.seedPerson({ handle: match, title: 'Growth lead' })
    world.network.seedPerson({ handle: other, title: 'Baker' })
    await world.move('1m')
    world.network.seedPost({
      author: source.author,
      postedAt: (await world.now()).toISOString(),
      reactions: [{ person: match }, { person: other }],
    })
    await ok(team.post(`/sources/${source.id}/sync`))
    await world.drain()
    expect(verdicts(await leadsOf(team, source))).toEqual(['Baker: false', 'Growth lead: true', 'Plumber: false'])
    const raw = await trackWith(world, team, [{ title: 'Growth lead' }], { settings: { enrichLeads: false } })
    expect(
      await ok(
        team.put(`${raw.path}/icp`, { rules: [{ column: 'engagementType', operator: 'equals', value: 'Like' }] }),
      ),
    ).toMatchObject({ rescored: 0 })
    const { rows } = await world.database.pool.query(
      'select count(*)::integer as raw, count(is_icp)::integer as judged from lead where owner_id = $1',
      [raw.id],
    )
    expect(rows[0]).toEqual({ raw: 1, judged: 0 })
  })

  it('saved at the very moment of enrichment miss nobody: the newest ones judge every lead [ICP-05]', async () => {
    const team = await world.team()
    for (const operation of ['profile', 'profile/full']) world.network.hold({ operation })
    const source = await trackWith(
      world,
      team,
      Array.from({ length: 10 }, (_one, index) => ({ title: index % 2 === 0 ? 'CTO' : 'Baker' })),
      { drain: false },
    )
    // The author is looked up too, by a separate unit.
    world.beginDrain()
    world.beginDrain()
    await world.network.untilWaiting(4)
    world.network.release()
    for (let round = 0; round < 4; round++)
      await Promise.all([
        ok(team.put(`${source.path}/icp`, { rules: [title('baker')] })),
        ok(team.put(`${source.path}/icp`, { rules: [title(round % 2 === 0 ? 'x' : 'cto')] })),
      ])
    await ok(team.put(`${source.path}/icp`, { rules: [title('cto')] }))
    await world.drain()
    expect(new Set(verdicts(await leadsOf(team, source)))).toEqual(new Set(['CTO: true', 'Baker: false']))
  })
})
