/** Company enrichment as a job: free, flat, and whose leads it refreshes. Nothing runs before a drain. */
import { describe, expect, it } from 'vitest'
import { countWaiting } from '../world/locks.ts'
import { jobOf, leadsOf, refusedWithoutTrace, silent, sourcesOf, track } from '../world/tracking.ts'
import { useWorld, type Answer, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

async function enrich(team: Team, username: string, settings: Record<string, unknown> = {}): Promise<Answer['body']> {
  const answer = await team.post('/enrich/company', { username, ...settings })
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  await world.drain()
  return jobOf(team, answer.body.jobId)
}

const known = {
  name: 'Acme Robotics',
  description: 'Robots for harbours.',
  website: 'https://www.acme-robotics.example/en',
  logo: 'https://media.licdn.com/acme.png',
  industry: 'Robotics Engineering',
  employees: 142,
  followers: 5_310,
  foundedYear: 2011,
  country: 'DE',
  city: 'Hamburg',
  specialities: ['cranes', 'welding'],
}

describe('the result', () => {
  it('is flat and holds the firmographic set under its names, free of charge [ENR-02, ENR-55..ENR-58, CRD-12, VER-11, G22]', async () => {
    const [team, slug] = [await world.team({ credits: 5 }), world.handle('acme')]
    const { id } = world.network.seedCompany({ slug, ...known, posts: [] })
    const { status, result } = await enrich(team, slug, { saveTrackedProfile: true })
    expect(status).toBe('completed')
    expect(result).toMatchObject({
      creditsCharged: 0,
      name: 'Acme Robotics',
      username: slug,
      urn: `urn:li:company:${id}`,
      linkedinUrl: `https://www.linkedin.com/company/${slug}`,
      website: known.website,
      industry: known.industry,
      employeeCount: 142,
      staffRange: '51-200',
      description: known.description,
      foundedYear: 2011,
      followerCount: 5_310,
      specialties: ['cranes', 'welding'],
      images: { logo: known.logo },
    })
    expect(result.headquarters).toContain('Hamburg')
    expect(Object.keys(result)).not.toContain('data')
    expect(Object.keys(result)).not.toContain('Images')
    expect(await team.balance()).toBe(5)
  })

  it('has every field, null where the page says nothing [ENR-56, ENR-58]', async () => {
    const [team, slug] = [await world.team(), world.handle('bare')]
    world.network.seedCompany({
      slug,
      website: null,
      logo: null,
      foundedYear: null,
      country: null,
      specialities: [],
      posts: [],
    })
    const { result } = await enrich(team, slug, { saveTrackedProfile: true })
    expect(result).toMatchObject({
      website: null,
      foundedYear: null,
      headquarters: null,
      specialties: [],
      creditsCharged: 0,
    })
    expect(result.images.logo).toBeNull()
    const fields =
      'industry employeeCount staffRange headquarters description foundedYear followerCount specialties urn'
    for (const field of fields.split(' ')) expect(result).toHaveProperty(field)
  })
})

describe('without saveTrackedProfile', () => {
  it('refreshes the leads who work there, free, and tracks nothing [ENR-02, ENR-06, CRD-12]', async () => {
    const team = await world.team()
    const [author, fan, slug] = [world.handle('author'), world.handle('fan'), world.handle('acme')]
    world.network.seedCompany({ slug, ...known })
    world.network.seedPerson({ handle: fan, title: 'Engineer', company: slug })
    world.network.seedPost({ author, reactions: [{ person: fan }] })
    await track(team, author)
    await world.drain()
    expect(await leadsOf(team, author)).toMatchObject([
      { companyName: 'Acme Robotics', companyIndustry: 'Robotics Engineering', companyEmployeeCount: 142 },
    ])
    world.network.seedCompany({ slug, ...known, industry: 'Shipbuilding', employees: 900 })
    const [sources, balance] = [await sourcesOf(team), await team.balance()]
    expect(await enrich(team, `https://www.linkedin.com/company/${slug}/`)).toMatchObject({
      status: 'completed',
      result: { creditsCharged: 0, leadsUpdated: 1, username: slug, industry: 'Shipbuilding' },
    })
    expect(await leadsOf(team, author)).toMatchObject([{ companyIndustry: 'Shipbuilding', companyEmployeeCount: 900 }])
    expect([await sourcesOf(team), await team.balance()]).toEqual([sources, balance])
  })

  it('fills a lead that is enriched meanwhile with the newer facts, and judges it by them [ENR-02, ENR-06, ICP-01]', async () => {
    const { pool } = world.database
    const [team, slug] = [await world.team(), world.handle('acme')]
    world.network.seedCompany({ slug, industry: 'Robotics Engineering', employees: 40 })
    const [earlier, author] = [world.handle('author'), world.handle('author')]
    const engage = (writer: string) => {
      const fan = world.handle('fan')
      world.network.seedPerson({ handle: fan, company: slug })
      world.network.seedPost({ author: writer, reactions: [{ person: fan }] })
    }
    engage(earlier)
    world.network.seedPerson({ handle: author, posts: [] })
    for (const username of [earlier, author]) await track(team, username)
    await world.drain()
    // Lookups of people fail for a while, so that the lead exists and waits.
    for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'status_500', operation })
    engage(author)
    await world.advance('25h')
    world.network.clearFaults()
    await world.move('10m')
    const builds = [{ column: 'companyIndustry', operator: 'contains', value: 'shipbuilding' }]
    expect((await team.put(`/profile/${author}/icp`, { rules: builds })).status).toBe(200)
    const holder = await pool.connect()
    try {
      await holder.query('begin')
      const { rows } = await holder.query(
        `select pg_backend_pid() as pid from ${await world.shardOf(team)}.lead where team_id = $1 and enrichment = 'pending' for update`,
        [team.id],
      )
      expect(rows).toHaveLength(1)
      world.beginDrain()
      // The company has been read, the lead not yet written.
      await expect.poll(() => countWaiting(pool, rows[0].pid)).toBe(1)
      world.network.seedCompany({ slug, industry: 'Shipbuilding', employees: 900 })
      const { jobId } = (await team.post('/enrich/company', { username: slug })).body
      world.beginDrain()
      const ended = async () => (await jobOf(team, jobId)).status === 'completed'
      const blocked =
        'select 1 from pg_stat_activity where datname = current_database() and pg_blocking_pids(pid) <> $1'
      await expect.poll(async () => (await ended()) || (await pool.query(blocked, [[]])).rowCount === 2).toBe(true)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    await world.settle()
    await world.drain()
    expect(await leadsOf(team, author)).toMatchObject([
      { companyIndustry: 'Shipbuilding', companyEmployeeCount: 900, isIcp: true },
    ])
  })

  it('of a tracked page with leads is answered; without a lead it is 404 Lead not found [ENR-07, ENR-06, CRD-12]', async () => {
    const team = await world.team()
    const [slug, quiet] = [world.handle('acme'), silent(world, 'company')]
    world.network.seedPost({ author: { company: slug }, reactions: 2 })
    await track(team, slug, {}, '/enrich/company')
    await track(team, quiet, {}, '/enrich/company')
    await world.drain()
    const balance = await team.balance()
    expect(await enrich(team, slug)).toMatchObject({ status: 'completed', result: { creditsCharged: 0 } })
    for (const username of [quiet, world.handle('missing'), silent(world, 'company')]) {
      const answer = await refusedWithoutTrace(world, () => team.post('/enrich/company', { username }), ['job'])
      expect([answer.status, answer.body.error]).toEqual([404, 'Lead not found'])
      expect(await jobOf(team, answer.body.jobId)).toMatchObject({ status: 'failed', error: { status: 404 } })
    }
    expect(await team.balance()).toBe(balance)
  })
})

describe('a failing job', () => {
  it('of a page that the network does not have says so and charges nothing [CRD-12, JOB-05]', async () => {
    const team = await world.team()
    expect(await enrich(team, world.handle('missing'), { saveTrackedProfile: true })).toMatchObject({
      status: 'failed',
      error: { status: 404, error: 'Company not found' },
    })
    expect(await team.balance()).toBe(10_000)
  })
})
