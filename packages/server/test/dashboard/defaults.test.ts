/** Team defaults: applied to what is tracked on the dashboard, and written to existing sources after a preview. */
import { expect, it } from 'vitest'
import { capture, connect, fans } from '../scenarios/outreach-stage.ts'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, type Answer, drainOnlyUnlessLongRun } from '../world/world.ts'
import { leadsOf, ok, trackWith } from '../scenarios/fit-stage.ts'
import { memberOf } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const growth = { rules: [{ column: 'jobTitle', operator: 'contains', value: 'growth' }], matchMode: 'all' }

const search = (keyword: string, more: Record<string, unknown> = {}) => ({
  keywords: [keyword],
  creditCap: 60,
  captureMode: 'depth',
  datePosted: 'PAST_WEEK',
  confirmSpend: true,
  ...more,
})

/** A team with defaults of all kinds, a receiver, a campaign, and the member who set them. */
async function scene(settings: Record<string, unknown> = {}) {
  const connected = await connect(world, { name: 'Autumn' }, settings)
  const { team, campaignId } = connected
  const inbox = await world.inbox()
  const member = await memberOf(world, team, 'member')
  const set = async () => {
    await ok(
      member.put('/defaults/all', {
        webhook: { url: inbox.url, icpOnly: true },
        criteria: growth,
        outreach: { campaignId, autoSend: false },
        cap: { credits: 40 },
      }),
    )
    await ok(member.put('/defaults/company', { cap: { credits: 7 } }))
  }
  const settingsOf = async (id: string) => {
    const { webhookUrl, icpOnly, autoSend } = (await team.get(`/sources/${id}/webhook`)).body
    const { rules } = (await team.get(`/sources/${id}/icp`)).body
    const { outreach } = (await team.get(`/sources/${id}/outreach`)).body
    const source = (await team.get('/sources')).body.sources.find((each: Answer['body']) => each.id === id)
    return {
      webhookUrl,
      icpOnly,
      autoSend,
      rules,
      campaign: outreach?.campaignName ?? null,
      cap: source.creditCapPerSync,
    }
  }
  const sourceOf = async (username: string): Promise<Answer['body']> =>
    (await team.get('/sources')).body.sources.find((each: Answer['body']) => each.username === username)
  return { ...connected, inbox, member, set, settingsOf, sourceOf }
}

/** Captures nothing, because only settings are examined. */
const still = { captureAllowed: false }
const nothing = { webhookUrl: null, icpOnly: false, autoSend: true, rules: [], campaign: null }

it(
  'are given to what is tracked at the dashboard without values of its own, in one unit with the tracking, and to ' +
    'nothing that is tracked with a key [TRK-13, WHK-17]',
  async () => {
    const { team, inbox, member, set, settingsOf, sourceOf } = await scene(still)
    await set()
    const [person, company, capped, keyed] = ['person', 'company', 'capped', 'keyed'].map((each) => world.handle(each))
    await ok(member.post('/v1/enrich/profile', { username: person, saveTrackedProfile: true }))
    await ok(member.post('/v1/enrich/company', { username: company, saveTrackedProfile: true }))
    await ok(member.post('/v1/enrich/profile', { username: capped, saveTrackedProfile: true, creditCapPerSync: 3 }))
    await ok(team.post('/enrich/profile', { username: keyed, saveTrackedProfile: true }))
    const given = { webhookUrl: inbox.url, icpOnly: true, autoSend: true, rules: growth.rules, campaign: 'Autumn' }
    expect(await settingsOf((await sourceOf(person!)).id)).toEqual({ ...given, cap: 40 })
    expect(await settingsOf((await sourceOf(company!)).id)).toEqual({ ...given, cap: 7 })
    expect(await settingsOf((await sourceOf(capped!)).id)).toEqual({ ...given, cap: 3 })
    expect(await settingsOf((await sourceOf(keyed!)).id)).toEqual({ ...nothing, cap: null })
    const made = await member.post('/v1/keyword/track', search(world.handle('term')))
    expect(made.status).toBe(201)
    expect(await settingsOf(made.body.id)).toMatchObject(given)
    const post = world.network.seedPost({ author: world.handle('author') })
    const urn = `urn:li:activity:${post.id}`
    expect((await member.post('/v1/post/track', { postUrl: urn })).status).toBe(201)
    expect(await settingsOf((await sourceOf(urn)).id)).toEqual({ ...given, cap: 40 })
    // Tracked again, a source keeps its own settings.
    const { id } = await sourceOf(keyed!)
    await ok(team.del(`/profile/${keyed}`))
    await ok(member.post('/v1/enrich/profile', { username: keyed, saveTrackedProfile: true }))
    expect(await settingsOf(id)).toEqual({ ...nothing, cap: null })
  },
)

it(
  'change chosen sources by one act: shown first with what it costs, then all of it, each source as a single edit ' +
    'would [WHK-17, ICP-05, OUT-23]',
  async () => {
    const { team, inbox, member, set, settingsOf } = await scene()
    const sources = []
    for (let at = 0; at < 3; at++)
      sources.push(await capture(world, team, fans(2), { settings: { creditCapPerSync: 100 } }))
    const [first, second, third] = sources.map(({ id }) => id) as [string, string, string]
    const { body: made } = await team.post('/keyword/track', search(world.handle('term')))
    await set()
    await world.drain()
    await ok(team.put(`/sources/${second}/icp`, growth))
    const all = { sources: { by: 'all' } }
    const shown = await refusedWithoutTrace(world, () => member.post('/defaults/preview', all))
    const { agreed, ...preview } = shown.body
    const to = { webhook: `${inbox.url}, only leads that fit`, outreach: 'Autumn, by hand only' }
    expect(preview).toMatchObject({ sources: 4, changes: 4, same: 0, kept: [], leadsJudged: 4 })
    expect(preview.daily).toMatchObject({ before: 360, after: 160 })
    expect(preview.rows.find((row: Answer['body']) => row.id === second).changes).toEqual([
      { part: 'webhook', from: 'none', to: to.webhook },
      { part: 'outreach', from: 'none', to: to.outreach },
      { part: 'cap', from: 'at most 100 credits', to: 'at most 40 credits' },
    ])
    const some = { sources: { by: 'ids', ids: [first, second] }, parts: ['webhook', 'criteria', 'cap'] }
    const ofSome = (await ok(member.post('/defaults/preview', some))).agreed
    // Consent to a preview of other sources, or of something else, does not count.
    for (const wrong of [agreed, 'nothing'])
      expect(
        (await refusedWithoutTrace(world, () => member.post('/defaults/apply', { ...some, agreed: wrong }))).body.code,
      ).toBe('changes_outdated')
    const stranger = await memberOf(world, await world.team(), 'owner')
    expect((await stranger.post('/defaults/preview', some)).body).toMatchObject({ sources: 0, changes: 0 })
    // A failure rolls everything back, so the request can be repeated.
    await world.arm('handler')
    const failed = await refusedWithoutTrace(world, () => member.post('/defaults/apply', { ...some, agreed: ofSome }), [
      'armed_fault',
    ])
    expect(failed.status).toBe(500)
    expect(await ok(member.post('/defaults/apply', { ...some, agreed: ofSome }))).toEqual({ changed: 2 })
    const given = { webhookUrl: inbox.url, icpOnly: true, autoSend: true, rules: growth.rules, campaign: null, cap: 40 }
    for (const id of [first, second]) expect(await settingsOf(id)).toEqual(given)
    expect(await settingsOf(third)).toEqual({ ...nothing, cap: 100 })
    await world.drain()
    const { leads } = (await team.get(`/leads?profileId=${first}`)).body
    expect(leads.map((lead: Answer['body']) => [lead.isIcp, lead.webhookStatus])).toEqual([
      [false, 'no_webhook'],
      [false, 'no_webhook'],
    ])
    expect(inbox.received).toEqual([])
    const rest = await ok(member.post('/defaults/preview', all))
    expect(rest).toMatchObject({ changes: 4, same: 0 })
    expect(await ok(member.post('/defaults/apply', { ...all, agreed: rest.agreed }))).toEqual({ changed: 4 })
    expect(await ok(member.post('/defaults/preview', all))).toMatchObject({ changes: 0, same: 4, rows: [] })
    expect((await ok(team.get(`/sources/${made.id}/icp`))).rules).toEqual(growth.rules)
    const told = (await ok(member.get('/audit'))).entries.filter(
      (entry: Answer['body']) => entry.operation === 'applyDefaults',
    )
    expect(told).toHaveLength(2)
  },
)

it(
  'give a webhook to sources beside the one they have: what an endpoint that was switched off held goes to the new ' +
    'address, and what was captured while nothing was sent by itself waits for a push [WHK-08, WHK-09, WHK-27]',
  async () => {
    const { team, inbox, member, set } = await scene()
    const gone = await world.inbox()
    gone.answer(410)
    const growing = [{ title: 'Head of growth' }]
    const off = await trackWith(world, team, growing, { hook: { webhookUrl: gone.url } })
    const quiet = await trackWith(world, team, growing, {
      hook: { webhookUrl: gone.url, autoSend: false },
      drain: false,
    })
    world.network.hold({ operation: 'profile' })
    const drained = world.drain()
    await world.network.untilWaiting(1, { operation: 'profile' })
    // Captured but not enriched yet when automatic sending is switched on.
    await world.move('1s')
    await set()
    const all = { sources: { by: 'all' }, parts: ['webhook'] }
    const { agreed } = await ok(member.post('/defaults/preview', all))
    expect(await ok(member.post('/defaults/apply', { ...all, agreed }))).toEqual({ changed: 2 })
    world.network.release()
    await drained
    await world.drain()
    expect(gone.received).toHaveLength(1)
    expect(inbox.received.map(({ headers }) => headers['webhook-id'])).toEqual([
      gone.received[0]!.headers['webhook-id'],
    ])
    expect((await leadsOf(team, off)).map((lead) => lead.webhookStatus)).toEqual(['sent'])
    expect((await leadsOf(team, quiet)).map((lead) => lead.webhookStatus)).toEqual(['pending'])
    await ok(team.post(`${quiet.path}/push`))
    await world.drain()
    expect((await leadsOf(team, quiet)).map((lead) => lead.webhookStatus)).toEqual(['sent'])
  },
)

it('leave alone what posts cost and what needs a cap, and take nothing that a source could not be set to [G54, KRN-09]', async () => {
  const { team, member, campaignId } = await scene(still)
  const watch = world.handle('watch')
  await ok(
    team.post('/enrich/profile', {
      username: watch,
      saveTrackedProfile: true,
      mode: 'posts_only',
      postsPerSync: 5,
      confirmSpend: true,
    }),
  )
  const { body: made } = await team.post('/keyword/track', search(world.handle('term')))
  await world.drain()
  for (const [of, body, said] of [
    ['keyword', { cap: { credits: null } }, 'cap.credits'],
    ['all', { cap: { credits: 0 } }, 'credits'],
    ['all', { webhook: { url: 'ftp://files.example.com/' } }, 'webhookUrl'],
    ['all', { criteria: { rules: [{ column: 'shoes', operator: 'contains', value: 'x' }] } }, 'column'],
    ['boats', { cap: null }, 'of'],
  ] as const) {
    const refused = await refusedWithoutTrace(world, () => member.put(`/defaults/${of}`, body))
    expect([refused.status, refused.body.error.includes(said)]).toEqual([400, true])
  }
  const unknown = await refusedWithoutTrace(world, () =>
    member.put('/defaults/all', { outreach: { campaignId: `${campaignId}9` } }),
  )
  expect([unknown.status, unknown.body.error]).toEqual([404, 'No such campaign on the outreach platform'])
  await ok(member.put('/defaults/all', { cap: { credits: null } }))
  expect(await ok(member.post('/defaults/preview', { sources: { by: 'all' } }))).toMatchObject({
    sources: 2,
    changes: 0,
    kept: expect.arrayContaining([{ reason: 'needs_a_cap', count: 1 }]),
    daily: { before: 65, after: 65 },
  })
  await ok(member.put('/defaults/all', { cap: { credits: 30 } }))
  const shown = await ok(member.post('/defaults/preview', { sources: { by: 'all' } }))
  expect(shown).toMatchObject({
    changes: 1,
    kept: [{ reason: 'posts_only', count: 1 }],
    daily: { before: 65, after: 35 },
  })
  await ok(member.patch(`/v1/keyword/${made.id}`, { creditCap: 50 }))
  expect((await member.post('/defaults/apply', { sources: { by: 'all' }, agreed: shown.agreed })).body.code).toBe(
    'changes_outdated',
  )
  await ok(member.put('/defaults/all', { cap: null }))
  expect((await ok(member.get('/defaults'))).defaults[0]).toMatchObject({ of: 'all', cap: null, webhook: null })
})

it('are written to 2,000 sources by one act; of more, none is [WHK-17]', async () => {
  const { team, member } = await scene(still)
  const { rows: made } = await world.database.pool.query<{ id: string }>(
    `insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at)
      select $1, gen_random_uuid(), 'person', 'one-of-' || n, sha256(('one-of-' || n)::bytea), 'active', 'engagers', true, false,
        '2026-11-21T09:00:00.000Z' from generate_series(1, 2001) n returning id`,
    [team.id],
  )
  await ok(member.put('/defaults/all', { cap: { credits: 5 } }))
  const all = { sources: { by: 'all' } }
  for (const path of ['/defaults/preview', '/defaults/apply']) {
    const agreed = path.endsWith('apply') ? { agreed: 'what was shown' } : {}
    const { status, body } = await refusedWithoutTrace(world, () => member.post(path, { ...all, ...agreed }))
    expect([status, body.error.includes('at most 2000 sources')]).toEqual([400, true])
  }
  await ok(team.del('/profile/one-of-2001'))
  const shown = await ok(member.post('/defaults/preview', all))
  expect([shown.sources, shown.changes, shown.rows.length]).toEqual([2_000, 2_000, 500])
  expect(await ok(member.post('/defaults/apply', { ...all, agreed: shown.agreed }))).toEqual({ changed: 2_000 })
  const { rows } = await world.database.pool.query<{ count: number }>(
    `select count(*)::integer as count from source where team_id = $1 and credit_cap_per_sync = 5`,
    [team.id],
  )
  expect([made.length, rows[0]!.count]).toEqual([2_001, 2_000])
})
