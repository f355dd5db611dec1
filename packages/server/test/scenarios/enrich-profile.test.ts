/** Profile enrichment as a job: whose leads it fills, what it charges and answers. Nothing runs before a drain. */
import { describe, expect, it } from 'vitest'
import { jobOf, leadsOf, refusedWithoutTrace, silent, sourceOf, sourcesOf, syncOf, track } from '../world/tracking.ts'
import { useWorld, type Answer, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })
const facts = { name: 'Ada Example', title: 'Head of Growth', country: 'DE' } as const

/** Tracks an author, captures these people's reactions, and makes the leads of `gone` people fail. */
async function capture(
  team: Team,
  reactions: readonly string[],
  gone: readonly string[] = [],
  posts = 1,
): Promise<string> {
  const author = world.handle('author')
  for (const handle of gone) world.network.seedPerson({ handle, ...facts, exists: false })
  for (let post = 0; post < posts; post++)
    world.network.seedPost({ author, reactions: reactions.map((person) => ({ person })) })
  await track(team, author)
  await world.drain()
  for (const handle of gone) world.network.seedPerson({ handle, ...facts, exists: true })
  return author
}

async function enrich(team: Team, username: string, settings: Record<string, unknown> = {}): Promise<Answer['body']> {
  const answer = await team.post('/enrich/profile', { username, ...settings })
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  await world.drain()
  return jobOf(team, answer.body.jobId)
}

const statesOf = async (team: Team, username: string): Promise<string[]> =>
  (await leadsOf(team, username)).map((lead) => lead.enrichmentStatus).sort()

describe('without saveTrackedProfile', () => {
  it('fills the leads there are, and neither makes nor changes a source [ENR-05, ENR-06, G21]', async () => {
    const [team, fan] = [await world.team(), world.handle('fan')]
    const author = await capture(team, [fan], [fan])
    expect(await leadsOf(team, author)).toMatchObject([{ enrichmentStatus: 'failed', jobTitle: null }])
    const sources = await sourcesOf(team)
    const job = await enrich(team, fan)
    expect(job).toMatchObject({
      status: 'completed',
      result: {
        creditsCharged: 1,
        leadsUpdated: 1,
        entityUrn: expect.stringMatching(/^ACoAA/),
        linkedinUrl: `https://www.linkedin.com/in/${fan}`,
        name: 'Ada Example',
        jobTitle: 'Head of Growth',
        country: 'Germany',
      },
    })
    expect(await leadsOf(team, author)).toMatchObject([
      { enrichmentStatus: 'completed', jobTitle: 'Head of Growth', name: 'Ada Example', country: 'Germany' },
    ])
    expect(await sourcesOf(team)).toEqual(sources)
  })

  it('on whoever is no lead of a tracked source is 404 Lead not found, its job reads failed, and nothing else is written [ENR-06, ENR-07, ENR-08, JOB-05]', async () => {
    const team = await world.team()
    const [elsewhere, raw, gone] = [world.handle('fan'), world.handle('fan'), world.handle('fan')]
    await capture(await world.team(), [elsewhere])
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: [{ person: raw }] })
    await track(team, author, { enrichLeads: false })
    const tracked = await capture(team, [world.handle('fan')])
    await team.del(`/profile/${await capture(team, [gone])}`)
    for (const username of [world.handle('nobody'), silent(world), tracked, elsewhere, raw, gone]) {
      const answer = await refusedWithoutTrace(world, () => team.post('/enrich/profile', { username }), ['job'])
      expect([username, answer.status, answer.body.error]).toEqual([username, 404, 'Lead not found'])
      expect(await jobOf(team, answer.body.jobId)).toMatchObject({
        status: 'failed',
        error: { status: 404, error: 'Lead not found' },
      })
    }
  })

  it('is 502 without a job when the network must be asked who that is and does not answer', async () => {
    const team = await world.team()
    for (const operation of ['profile-id', 'profile/username-to-urn'])
      world.network.fault({ kind: 'status_500', operation })
    const answer = await refusedWithoutTrace(world, () => team.post('/enrich/profile', { username: silent(world) }))
    expect([answer.status, answer.body.code]).toEqual([502, 'provider_unavailable'])
  })
})

describe('the charge', () => {
  it('is one credit for each matching lead that this call enriched, over all sources [CRD-08, CRD-11, ENR-51]', async () => {
    const team = await world.team()
    const [fan, other] = [world.handle('fan'), world.handle('other')]
    const first = await capture(team, [fan, other], [fan], 2)
    const second = await capture(team, [fan], [fan])
    expect([await statesOf(team, first), await statesOf(team, second)]).toEqual([
      ['completed', 'completed', 'failed', 'failed'],
      ['failed'],
    ])
    const before = await team.balance()
    const { result } = await enrich(team, fan)
    expect([result.creditsCharged, result.leadsUpdated, before - (await team.balance())]).toEqual([3, 3, 3])
    expect([await statesOf(team, first), await statesOf(team, second)]).toEqual([
      ['completed', 'completed', 'completed', 'completed'],
      ['completed'],
    ])
  })

  it('is nothing for leads that are enriched already: the repeat is free, also at a balance of 0 [CRD-09, ENR-52]', async () => {
    const [team, fan] = [await world.team({ credits: 2 }), world.handle('fan')]
    const author = await capture(team, [fan], [fan])
    expect((await enrich(team, fan)).result.creditsCharged).toBe(1)
    expect(await team.balance()).toBe(0)
    for (let repeat = 0; repeat < 2; repeat++)
      expect(await enrich(team, fan)).toMatchObject({
        status: 'completed',
        result: { creditsCharged: 0, leadsUpdated: 1 },
      })
    expect(await team.balance()).toBe(0)
    const paid = await world.team()
    const captured = await capture(paid, [fan])
    expect(await statesOf(paid, captured)).toEqual(['completed'])
    // What the profile says now is written for free.
    world.network.seedPerson({ handle: fan, ...facts, title: 'Chief Revenue Officer' })
    expect((await enrich(paid, fan)).result).toMatchObject({ creditsCharged: 0, jobTitle: 'Chief Revenue Officer' })
    expect(await leadsOf(paid, captured)).toMatchObject([{ jobTitle: 'Chief Revenue Officer' }])
    expect([await paid.balance(), await statesOf(team, author)]).toEqual([9_999, ['completed']])
  })

  it('of leads that two jobs at once would fill is made once [CRD-08, CRD-09]', async () => {
    const [team, fan] = [await world.team(), world.handle('fan')]
    await capture(team, [fan], [fan])
    const answers = await Promise.all([1, 2, 3].map(() => team.post('/enrich/profile', { username: fan })))
    await world.drain()
    const jobs = await Promise.all(answers.map(({ body }) => jobOf(team, body.jobId)))
    expect(jobs.map((job) => job.result.creditsCharged).sort()).toEqual([0, 0, 1])
    expect(await team.balance()).toBe(9_998)
  })

  it('is nothing when the profile is gone by then: the job fails and the leads stay [CRD-10, JOB-05]', async () => {
    const [team, fan] = [await world.team(), world.handle('fan')]
    const author = await capture(team, [fan], [fan])
    const { body } = await team.post('/enrich/profile', { username: fan })
    world.network.seedPerson({ handle: fan, exists: false })
    await world.drain()
    expect(await jobOf(team, body.jobId)).toMatchObject({
      status: 'failed',
      error: { status: 404, error: 'Profile not found' },
    })
    expect([await team.balance(), await statesOf(team, author)]).toEqual([9_999, ['failed']])
  })

  it('is nothing when the network does not answer: the job is tried again, then fails, and a new one succeeds [CRD-10]', async () => {
    const [team, fan] = [await world.team(), world.handle('fan')]
    const author = await capture(team, [fan], [fan])
    for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'truncated_json', operation })
    const { body } = await team.post('/enrich/profile', { username: fan })
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await jobOf(team, body.jobId)).status).not.toBe('failed')
      await world.advance('30s')
    }
    expect(await jobOf(team, body.jobId)).toMatchObject({
      status: 'failed',
      error: { status: 502, code: 'provider_unavailable' },
    })
    expect([await team.balance(), await statesOf(team, author)]).toEqual([9_999, ['failed']])
    world.network.clearFaults()
    expect((await enrich(team, fan)).result.creditsCharged).toBe(1)
  })

  it('is nothing for an empty answer, which writes nothing; the first that says something is charged [CRD-10]', async () => {
    const [team, fan] = [await world.team(), world.handle('fan')]
    const author = await capture(team, [fan], [fan])
    const { body } = await team.post('/enrich/profile', { username: fan })
    world.network.seedPerson({ handle: fan, hidden: true })
    await world.drain()
    const job = await jobOf(team, body.jobId)
    expect(job).toMatchObject({ status: 'completed', result: { creditsCharged: 0, leadsUpdated: 0 } })
    expect([await team.balance(), await statesOf(team, author)]).toEqual([9_999, ['failed']])
    world.network.seedPerson({ handle: fan, ...facts, hidden: false })
    expect((await enrich(team, fan)).result).toMatchObject({ creditsCharged: 1, entityUrn: job.result.entityUrn })
    expect([await team.balance(), await statesOf(team, author)]).toEqual([9_998, ['completed']])
    // A later lookup without facts does not erase those of an enriched lead.
    const filled = await leadsOf(team, author)
    expect(filled).toMatchObject([{ jobTitle: 'Head of Growth' }])
    const later = (await team.post('/enrich/profile', { username: fan })).body
    world.network.seedPerson({ handle: fan, hidden: true })
    await world.drain()
    expect(await jobOf(team, later.jobId)).toMatchObject({ status: 'completed', result: { creditsCharged: 0 } })
    expect(await leadsOf(team, author)).toEqual(filled)
  })

  it('stops at the balance: as many leads are filled as can be paid; none at all fails the job with 402 [CRD-08, JOB-05]', async () => {
    const [team, fan] = [await world.team({ credits: 1 }), world.handle('fan')]
    const author = await capture(team, [fan], [fan], 3)
    expect(await enrich(team, fan)).toMatchObject({
      status: 'failed',
      error: { status: 402, code: 'insufficient_enriching_credits' },
    })
    expect([await team.balance(), await statesOf(team, author)]).toEqual([0, ['failed', 'failed', 'failed']])
    await team.change({ grantCredits: 1 })
    expect((await enrich(team, fan)).result).toMatchObject({ creditsCharged: 1, leadsUpdated: 1 })
    expect([await team.balance(), await statesOf(team, author)]).toEqual([0, ['completed', 'failed', 'failed']])
    await team.change({ grantCredits: 5 })
    expect((await enrich(team, fan)).result.creditsCharged).toBe(2)
    expect([await team.balance(), await statesOf(team, author)]).toEqual([3, ['completed', 'completed', 'completed']])
  })

  it(
    'is nothing for leads that still wait: their capture was paid, the call fills them all, and the waiting ' +
      'enrichment then finds nothing to do [G141, CRD-08, ENR-52]',
    async () => {
      const team = await world.team({ credits: 2 })
      const [first, second, fan] = [world.handle('author'), world.handle('author'), world.handle('fan')]
      world.network.seedPerson({ handle: fan, ...facts })
      world.network.seedPost({
        author: first,
        reactions: [{ person: fan }],
        comments: [
          { person: fan, text: 'one' },
          { person: fan, text: 'two' },
        ],
      })
      world.network.seedPost({ author: second, reactions: [{ person: fan }] })
      for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'truncated_json', operation })
      await track(team, first)
      await track(team, second)
      await world.drain()
      expect([await statesOf(team, first), await statesOf(team, second), await team.balance()]).toEqual([
        ['pending', 'pending', 'pending'],
        ['pending'],
        0,
      ])
      world.network.clearFaults()
      // Nothing is charged, so an empty balance does not matter (G16).
      expect(await enrich(team, fan)).toMatchObject({
        status: 'completed',
        result: { creditsCharged: 0, leadsUpdated: 4, jobTitle: 'Head of Growth' },
      })
      expect([await statesOf(team, first), await statesOf(team, second)]).toEqual([
        ['completed', 'completed', 'completed'],
        ['completed'],
      ])
      await world.advance('1h')
      expect(await syncOf(team, first)).toMatchObject({
        isFinal: true,
        enrichment: { pending: 0, completed: 3, failed: 0, skipped: 0 },
      })
      expect((await enrich(team, fan)).result.creditsCharged).toBe(0)
      expect(await team.balance()).toBe(0)
    },
  )

  it('is made for those given up on alone, where some of the same person were and others still wait [G141, CRD-08]', async () => {
    const [team, fan] = [await world.team({ credits: 100 }), world.handle('fan')]
    const given = await capture(team, [fan], [fan], 2)
    const waiting = world.handle('author')
    world.network.seedPost({
      author: waiting,
      reactions: [{ person: fan }],
      comments: [{ person: fan, text: 'again' }],
    })
    for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'truncated_json', operation })
    await track(team, waiting)
    await world.drain()
    expect([await statesOf(team, given), await statesOf(team, waiting)]).toEqual([
      ['failed', 'failed'],
      ['pending', 'pending'],
    ])
    const before = await team.balance()
    world.network.clearFaults()
    expect((await enrich(team, fan)).result).toMatchObject({ creditsCharged: 2, leadsUpdated: 4 })
    expect(before - (await team.balance())).toBe(2)
    await world.advance('1h')
    expect(await team.balance()).toBe(before - 2)
  })

  it('is nothing for somebody a Discover run has added and who still waits [G141, CRD-08]', async () => {
    const team = await world.team({ credits: 100 })
    const [word, fan] = [world.handle('topic'), world.handle('fan')]
    world.network.seedPerson({ handle: fan, ...facts })
    world.network.seedPost({ author: fan, text: `about ${word}`, reactions: 30 })
    for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'truncated_json', operation })
    expect((await team.post('/discover', { keywords: [word], maxInfluencers: 5, confirmSpend: true })).status).toBe(201)
    await world.drain()
    expect((await team.get('/leads')).body.leads).toMatchObject([
      { sourceKind: 'discover', enrichmentStatus: 'pending' },
    ])
    expect(await team.balance()).toBe(99)
    world.network.clearFaults()
    expect((await enrich(team, fan)).result).toMatchObject({ creditsCharged: 0, leadsUpdated: 1 })
    expect(await team.balance()).toBe(99)
  })

  it('is nothing for leads of a source that is untracked before the job runs: they are written off [CRD-08]', async () => {
    const [team, fan] = [await world.team(), world.handle('fan')]
    const author = await capture(team, [fan], [fan])
    const { body } = await team.post('/enrich/profile', { username: fan })
    await team.del(`/profile/${author}`)
    await world.drain()
    expect(await jobOf(team, body.jobId)).toMatchObject({
      status: 'completed',
      result: { creditsCharged: 0, leadsUpdated: 0 },
    })
    expect(await team.balance()).toBe(9_999)
  })

  it('survives a process that dies between the charge and its end: charged once [CRD-08, CRD-09]', async () => {
    const [team, fan] = [await world.team(), world.handle('fan')]
    const author = await capture(team, [fan], [fan])
    const { body } = await team.post('/enrich/profile', { username: fan })
    await world.arm('enrich-job.charged')
    expect((await world.operator('POST', '/operator/drain')).status).toBe(500)
    expect([await team.balance(), await statesOf(team, author)]).toEqual([9_999, ['failed']])
    await world.database.pool.query('update job set lease_until_ms = null where team_id = $1', [team.id])
    await world.database.pool.query('update work_turn set look_ms = 0 where look_ms is not null')
    await world.drain()
    expect(await jobOf(team, body.jobId)).toMatchObject({ status: 'completed', result: { creditsCharged: 1 } })
    expect([await team.balance(), await statesOf(team, author)]).toEqual([9_998, ['completed']])
  })
})

describe('tracking again', () => {
  it('enriches the profile itself and not the leads it has captured [ENR-48, CRD-11]', async () => {
    const team = await world.team()
    const [person, fan] = [world.handle('person'), world.handle('fan')]
    // The person is a lead of another source, not enriched; their own source has an unenriched lead too.
    const other = await capture(team, [person], [person])
    world.network.seedPerson({ handle: fan, ...facts, exists: false })
    world.network.seedPost({ author: person, reactions: [{ person: fan }] })
    const first = await enrich(team, person, { saveTrackedProfile: true })
    expect(first.result).toMatchObject({ creditsCharged: 1, leadsUpdated: 1, name: 'Ada Example' })
    expect([await statesOf(team, other), await statesOf(team, person)]).toEqual([['completed'], ['failed']])
    world.network.seedPerson({ handle: fan, ...facts, exists: true })
    const before = [await team.balance(), await leadsOf(team, person), await syncOf(team, person)]
    world.network.clearCalls()
    const again = await enrich(team, person, { saveTrackedProfile: true })
    expect(again.result).toMatchObject({ creditsCharged: 0, leadsUpdated: 1, entityUrn: first.result.entityUrn })
    expect([await team.balance(), await leadsOf(team, person), await syncOf(team, person)]).toEqual(before)
    expect(world.network.calls().map((call) => call.operation)).toEqual(['profile'])
  })
})

describe('the member id', () => {
  it('in the result is that of the free resolver: AC and base64url characters, about 39 long [ENR-51, ENR-53, ENR-60, TRK-40]', async () => {
    const team = await world.team()
    const username = silent(world)
    world.network.seedPerson({ handle: username, ...facts, posts: [] })
    const { status, result } = await enrich(team, username, { saveTrackedProfile: true })
    expect([status, result.creditsCharged]).toEqual(['completed', 0])
    expect(result.entityUrn).toMatch(/^AC[A-Za-z0-9_-]{30,45}$/)
    expect((await team.get(`/profile/${username}/urn`)).body.entityUrn).toBe(result.entityUrn)
    expect(result).toMatchObject({
      name: 'Ada Example',
      jobTitle: 'Head of Growth',
      country: 'Germany',
      linkedinUrl: `https://www.linkedin.com/in/${username}`,
      leadsUpdated: 0,
    })
    expect(await sourceOf(team, username)).toMatchObject({ status: 'active' })
  })

  it('is resolved for a handle that nobody tracks, at a balance of 0, and enriches and tracks nobody [TRK-40, TRK-41, ENR-60]', async () => {
    const team = await world.team({ credits: 0 })
    const username = silent(world)
    const entityUrn = world.network.person(username)!.id
    world.network.clearCalls()
    const answer = await refusedWithoutTrace(world, () => team.get(`/profile/${username}/urn`))
    expect([answer.status, answer.body]).toEqual([200, { username, entityUrn, creditsCharged: 0 }])
    expect(world.network.calls().map((call) => call.operation)).toEqual(['profile-id'])
    expect((await team.get(`/profile/%20%40${username.toUpperCase()}/urn`)).body).toMatchObject({ entityUrn })
    await world.drain()
    expect([(await team.get('/sources')).body.total, (await team.get('/leads')).body.total]).toEqual([0, 0])
  })

  it('of nobody is 404, of a URL 400, and 502 when the network does not answer [TRK-40]', async () => {
    const team = await world.team()
    const told = async (name: string) => {
      const { status, body } = await refusedWithoutTrace(world, () => team.get(`/profile/${name}/urn`))
      return [status, body.code]
    }
    expect(await told(world.handle('nobody'))).toEqual([404, undefined])
    expect(await told(encodeURIComponent('https://www.linkedin.com/in/jane-doe'))).toEqual([400, undefined])
    for (const operation of ['profile-id', 'profile/username-to-urn'])
      world.network.fault({ kind: 'status_500', operation })
    expect(await told(silent(world))).toEqual([502, 'provider_unavailable'])
  })
})
