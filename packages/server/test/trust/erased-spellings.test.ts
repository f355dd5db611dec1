/** Texts about an erased person in spellings that differ from the displayed name. */
import { expect, it } from 'vitest'
import { memberOf } from '../dashboard/stage.ts'
import { post as postTo } from '../results/stage.ts'
import { connect } from '../scenarios/outreach-stage.ts'
import { fastClock, likes, sweep } from '../scenarios/sync-stage.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { placesOf } from './canary-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: { system: fastClock } })

/** A unique last name, without the signs that handles contain. */
const lastName = () => `Zq${world.handle('name').replaceAll(/[^a-z0-9]/g, '')}`

/** What storing and comparing texts may change; every further spelling is in `mentions.test.ts`. */
const spellings: readonly [as: string, name: (last: string) => string, said: (last: string) => string][] = [
  ['with a line break in it', (last) => `Prof. Dr. Zoë ${last}, PhD`, (last) => `Zoë\n${last}`],
  ['with a nickname in quotes', (last) => `Zoë "Zee" ${last}`, (last) => `Zoë "Zee" ${last}`],
  ['last name first', (last) => `Zoë ${last}`, (last) => `${last}, Zoe`],
  ['as in an address', (last) => `Zoë ${last}`, (last) => `Zo%C3%AB+${last}`],
  ['in bold letters', (last) => `Zoë ${last}`, (last) => `𝗭𝗼𝗲 ${last}`],
  ['with what nobody sees', (last) => `Zoë ${last}`, (last) => `Z\u200boë\u2009${last}`],
]

/** Spellings that an address of a post cannot have. */
const unlikeInAddress = ['as in an address', 'in bold letters', 'with what nobody sees']

it.each(spellings)('somebody named %s is in no text that stays [PRV-04]', async (as, nameOf, saidOf) => {
  const { team } = await connect(world)
  const owner = await memberOf(world, team, 'owner')
  const last = lastName()
  const said = saidOf(last)
  const [author, fan, other] = [world.handle('author'), world.handle('fan'), world.handle('other')]
  world.network.seedPerson({ handle: fan, name: nameOf(last) })
  world.network.seedPerson({ handle: other, title: `Aide to ${said}` })
  world.network.seedPost({
    author,
    text: `${unlikeInAddress.includes(as) ? 'So many people came to our fair in the old town, and then we met ' : ''}With ${said} today`,
    reactions: likes([fan, other]),
    comments: [{ person: other, text: `Thanks ${said}!` }],
  })
  await sweep(world, team, author)
  const about = { profileUrl: `https://www.linkedin.com/in/${other}`, outcome: 'meeting' }
  const { entries: charges } = (await team.get('/credits/ledger?kind=charge&limit=1')).body
  const criterion = { column: 'jobTitle', operator: 'contains', value: `to ${said}` }
  const exclusions = [
    { kind: 'title', value: `Aide to ${said}` },
    { kind: 'person', value: other, reason: `as ${said} asked` },
  ]
  const answers = [
    await team.post('/results', {
      results: [{ ...about, note: `Came with ${said} too`, externalId: `with ${nameOf(last)}` }],
    }),
    await team.post('/credits/disputes', { entryId: charges[0].id, reason: 'other', note: `${said} was here` }),
    await team.post('/exclusions', { entries: exclusions }),
    await owner.put('/views', { page: 'leads', name: `Like ${said}`, query: { search: `x ${said} y` } }),
    await team.put(`/profile/${author}/icp`, { rules: [criterion] }),
    await team.put('/agent', {
      topics: [`what ${said} does`],
      titles: [`Aide to ${said}`],
      webhook: { url: 'https://receiver.example/', filters: [criterion] },
    }),
    await team.get(`/leads?search=${encodeURIComponent(said)}`),
    await team.put(`/profile/${author}/webhook`, { webhookUrl: 'https://receiver.example/', filters: [criterion] }),
  ]
  for (const { status, text } of answers) expect(status, text).toBeLessThan(300)
  const { resultsUrl } = (await team.get('/integrations/outreach')).body
  expect(await postTo(resultsUrl, { unread: `about ${said}` })).toBe(200)
  await owner.get('/requests')
  expect((await placesOf(world, [last])).length).toBeGreaterThan(20)
  const made = await team.post('/privacy/erasures', { profileUrl: fan })
  expect(made.status, made.text).toBe(201)
  await owner.get('/requests')
  expect(await placesOf(world, [last])).toEqual([])
  // The rest of these texts stays.
  const { leads } = (await team.get('/leads?engagementType=Comment')).body
  expect(leads[0].commentText).toMatch(/^Thanks \S*\[erased\]!$/)
})

it('a post of the outreach platform with escaped letters names nobody who was erased [PRV-04]', async () => {
  const { team } = await connect(world)
  const [author, fan, last] = [world.handle('author'), world.handle('fan'), lastName()]
  world.network.seedPerson({ handle: fan, name: `Zoë ${last}` })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  const { resultsUrl } = (await team.get('/integrations/outreach')).body
  const escaped = [...`Zoë ${last}`]
    .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
  const posted = await fetch(resultsUrl, { method: 'POST', body: `{"unread":"about ${escaped}"}` })
  expect(posted.status).toBe(200)
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  const { rows } = await world.database.pool.query('select body from result_inbox where team_id = $1', [team.id])
  expect(rows).toEqual([])
})

it('somebody whose handle or mail has theirs as a part keeps their job, entries, view and what the outreach platform posts [PRV-04]', async () => {
  const { team } = await connect(world)
  const owner = await memberOf(world, team, 'owner')
  const [fan, note] = [world.handle('max'), 'Told a friend of ']
  const [longer, genitive, before] = [`${fan}-2`, `${fan}s`, `dr-${fan}`]
  const username = longer
  const { jobId } = (await team.post('/enrich/profile', { username })).body
  const values = [`${fan}.mueller@mail.example`, `info@${fan}.example`]
  const reasons = [longer, genitive, before].map((handle) => ({ kind: 'person', value: handle, reason: note + handle }))
  await team.post('/exclusions', { entries: [...values.map((value) => ({ kind: 'email', value })), ...reasons] })
  await owner.put('/views', {
    page: 'leads',
    name: longer,
    query: { sourceUsername: before, post: `/in/${fan}%C3%A9` },
  })
  const { resultsUrl } = (await team.get('/integrations/outreach')).body
  const lead = { profile_url: `https://www.linkedin.com/in/${longer}`, full_name: 'Ann', email_address: values[0] }
  const event = { event_type: 'message_reply_received', timestamp: '2026-11-21T09:00:00.000Z' }
  expect(await postTo(resultsUrl, { ...event, lead, message: `Ask—${fan}—first` })).toBe(200)
  const kept = async () => {
    const job = await team.get(`/jobs/${jobId}/status`)
    return [job.status, (await owner.get('/views')).body.views, (await team.get('/exclusions')).body.entries]
  }
  const had = await kept()
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  expect(await kept()).toEqual(had)
  // The post may wait to be applied.
  const { rows } = await world.database.pool.query('select body from result_inbox where team_id = $1', [team.id])
  expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([
    { ...event, lead: { full_name: 'Ann' }, message: null },
  ])
})

it('a reply of somebody else that names them, and waits to be applied, stays a reply [PRV-04, RSL-02]', async () => {
  const { team } = await connect(world)
  const [author, fan, other] = [world.handle('author'), world.handle('fan'), world.handle('other')]
  world.network.seedPost({ author, reactions: likes([fan, other]), comments: [] })
  await sweep(world, team, author)
  const { resultsUrl } = (await team.get('/integrations/outreach')).body
  const lead = { profile_url: `https://www.linkedin.com/in/${other}` }
  const recent_messages = [{ is_reply: true, message: `Ask @${fan} first` }]
  expect(await postTo(resultsUrl, { lead, recent_messages })).toBe(200)
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  await world.drain()
  const { rows } = await world.database.pool.query('select outcome from result where team_id = $1', [team.id])
  expect(rows).toEqual([{ outcome: 'replied' }])
  expect(await placesOf(world, [fan])).toEqual([])
})

it('an author whose handle goes on behind theirs with a letter that addresses encode stays with their posts and leads [PRV-04]', async () => {
  const team = await world.team({ credits: 100 })
  const [fan, author] = [world.handle('fan'), world.handle('ren')]
  world.network.seedPost({ author: `${author}é`, reactions: likes([fan]), comments: [] })
  await sweep(world, team, `${author}é`)
  const had = [(await team.get('/sources')).body.sources, (await team.get('/leads')).body.leads]
  expect((await team.post('/privacy/erasures', { profileUrl: author })).status).toBe(201)
  expect([(await team.get('/sources')).body.sources, (await team.get('/leads')).body.leads]).toEqual(had)
})

it('a company page whose slug is the handle of somebody keeps its posts and job, and is tracked on [PRV-04]', async () => {
  const team = await world.team({ credits: 100 })
  const [slug, fan] = [world.handle('acme'), world.handle('fan')]
  world.network.seedCompany({
    slug,
    name: 'Acme Robotics',
    posts: [{ text: 'We are hiring', reactions: likes([fan]) }],
  })
  const { jobId } = (await team.post('/enrich/company', { username: slug, saveTrackedProfile: true })).body
  await world.drain()
  const kept = async () => [
    (await team.get('/leads')).body.leads,
    (await team.get('/sources')).body.sources,
    (await team.get(`/jobs/${jobId}/status`)).body,
  ]
  const had = await kept()
  expect(had[0]).toMatchObject([{ postUrl: expect.stringContaining(`/posts/${slug}_`) }])
  expect((await team.post('/privacy/erasures', { profileUrl: slug })).status).toBe(201)
  expect(await kept()).toEqual(had)
  const { rows } = await world.database.pool.query('select author_kind, text from post where team_id = $1', [team.id])
  expect(rows).toEqual([{ author_kind: 'company', text: 'We are hiring' }])
})

it('what is said of their mail beside an address, or is a name of one word, is a word of others and stays [PRV-04]', async () => {
  const { team } = await connect(world)
  const [author, fan, other] = [world.handle('author'), world.handle('fan'), world.handle('other')]
  world.network.seedPerson({ handle: fan, name: 'Marketing' })
  world.network.seedPerson({ handle: other, title: 'None of the verified' })
  world.network.seedPost({ author, reactions: likes([fan, other]), comments: [] })
  await sweep(world, team, author)
  expect((await team.put('/agent', { topics: ['Marketing'], titles: ['Head of Marketing'] })).status).toBe(200)
  const { resultsUrl } = (await team.get('/integrations/outreach')).body
  const lead = { profile_url: `https://www.linkedin.com/in/${fan}`, email_address: 'none', email_status: 'verified' }
  expect(await postTo(resultsUrl, { event_type: 'message_sent', lead })).toBe(200)
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  expect((await team.get('/leads')).body.leads).toMatchObject([{ jobTitle: 'None of the verified' }])
  expect((await team.get('/agent')).body.agent.profile).toMatchObject({
    topics: ['Marketing'],
    titles: ['Head of Marketing'],
  })
})

it('somebody never captured, whom members call by the handle alone, is in no criteria, filter, name or export; addresses of webhooks stay [PRV-04]', async () => {
  const { team } = await connect(world)
  const owner = await memberOf(world, team, 'owner')
  const [author, fan] = [world.handle('author'), world.handle('call-me')]
  world.network.seedPost({ author, reactions: [], comments: [] })
  await sweep(world, team, author)
  const filters = [{ column: 'commentText', operator: 'contains', value: `see ${fan} too` }]
  const url = `https://receiver.example/in/${fan}`
  const credentials = { webhookUrl: 'https://hooks.slack.com/services/T0/B0/handle' }
  const answers = [
    await team.put(`/profile/${author}/icp`, { rules: filters }),
    await team.put(`/profile/${author}/webhook`, { webhookUrl: 'https://receiver.example/', filters }),
    await team.post('/destinations', { kind: 'slack', name: `Of ${fan}`, settings: {}, credentials, filters }),
    await team.put('/agent', { topics: ['x'], webhook: { url: 'https://receiver.example/', filters } }),
    await team.post('/exports', { format: 'jsonl', filters }),
    await owner.put('/defaults/person', { webhook: { url }, criteria: { rules: filters } }),
  ]
  for (const { status, text } of answers) expect(status, text).toBeLessThan(300)
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  await owner.get('/requests')
  expect(await placesOf(world, [fan])).toEqual([expect.stringMatching(/^public\.team_default\.webhook: /)])
})

it('a handle from before is known by what keeps it with the member id: tracked people, sends, exclusions [PRV-04]', async () => {
  const { team, campaignId } = await connect(world)
  const owner = await memberOf(world, team, 'owner')
  const [author, id] = [world.handle('author'), `ACoAA${lastName()}AbCdEfGhIjKlMnOpQrStUvWxYz`.slice(0, 39)]
  const [before, now] = [world.handle('before'), world.handle('renamed')]
  world.network.seedPerson({ handle: before, id, name: `Zoë ${lastName()}` })
  world.network.seedPost({ author, reactions: likes([before]), comments: [] })
  await sweep(world, team, author)
  expect((await team.post('/exclusions', { entries: [{ kind: 'person', value: before }] })).status).toBe(201)
  const people = [{ profileUrl: `https://www.linkedin.com/in/${before}` }]
  await team.post('/integrations/outreach/send', { campaignId, people, includeExcluded: true })
  await team.get(`/leads?search=${before}`)
  await owner.get('/requests')
  // The directory and the leads know only the new handle.
  await world.database.pool.query(
    `update person set handle = $2, linkedin_url = 'https://www.linkedin.com/in/' || $2 where team_id = $1 and urn = $3`,
    [team.id, now, id],
  )
  await world.database.pool.query(
    `update lead set handle = $2, linkedin_url = 'https://www.linkedin.com/in/' || $2 where team_id = $1 and person_urn = $3`,
    [team.id, now, id],
  )
  expect((await team.post('/privacy/erasures', { profileUrl: now })).status).toBe(201)
  await owner.get('/requests')
  expect(await placesOf(world, [before, now])).toEqual([])
  expect((await team.post('/privacy/objections', { profileUrl: before })).status).toBe(400)
})

it('a mail address is theirs with its domain in its own letters or as it is sent [PRV-04]', async () => {
  const { team, campaignId } = await connect(world)
  const owner = await memberOf(world, team, 'owner')
  const [fan, name] = [world.handle('fan'), world.handle('mail')]
  const people = [{ profileUrl: `https://www.linkedin.com/in/${fan}`, email: `${name}@bücher.example` }]
  expect((await team.post('/integrations/outreach/send', { campaignId, people })).status).toBe(200)
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  const alias = [
    { profileUrl: `https://www.linkedin.com/in/${world.handle('alias')}`, email: `${name}@xn--bcher-kva.example` },
  ]
  const sent = await team.post('/integrations/outreach/send', { campaignId, people: alias, includeExcluded: true })
  expect([sent.status, sent.body.sent], sent.text).toEqual([200, 0])
  const entries = [{ kind: 'email', value: `${name}@XN--bcher-kva.example` }]
  expect((await team.post('/exclusions', { entries })).status).toBe(400)
  await owner.get('/requests')
  expect(await placesOf(world, [name])).toEqual([])
})

it('a call whose id names the person has another in the log, before and after the erasure [PRV-04]', async () => {
  const team = await world.team()
  const owner = await memberOf(world, team, 'owner')
  const fan = world.handle('fan')
  const called = { headers: { 'x-request-id': `send_${fan}`, 'idempotency-key': `key-of-${fan}` } }
  const told = { results: [{ profileUrl: `https://www.linkedin.com/in/${world.handle('other')}`, outcome: 'won' }] }
  await team.post('/results', told, called)
  await owner.get('/requests')
  expect(await placesOf(world, [fan])).not.toEqual([])
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  expect(await placesOf(world, [fan])).toEqual([])
  await team.post('/results', told, called)
  await team.get('/credits', { headers: { 'x-request-id': fan } })
  await owner.get('/requests')
  expect(await placesOf(world, [fan])).toEqual([])
})

it('somebody whose name stands where a log cuts a text is not in what it keeps [PRV-04]', async () => {
  const team = await world.team({ credits: 100 })
  const [author, fan, other, last] = [world.handle('author'), world.handle('fan'), world.handle('other'), lastName()]
  world.network.seedPerson({ handle: fan, name: `Zoë ${last}` })
  world.network.seedPost({ author, reactions: likes([fan, other]), comments: [] })
  await sweep(world, team, author)
  const profileUrl = `https://www.linkedin.com/in/${other}`
  // Logs keep 200 signs.
  const results = [{ profileUrl, outcome: 'won', note: `${'so '.repeat(64)}Zoë ${last}` }]
  expect((await team.post('/results', { results })).status).toBe(200)
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  expect(await placesOf(world, [`zoë ${last.slice(0, 4)}`])).toEqual([])
})

it('somebody who was never captured is named by what calls and the outreach platform say beside their address [PRV-04]', async () => {
  const { team, campaignId } = await connect(world)
  const owner = await memberOf(world, team, 'owner')
  const [sent, posted, author] = [world.handle('sent'), world.handle('posted'), world.handle('author')]
  const [first, second, mail] = [lastName(), lastName(), `${lastName()}@mail.example`]
  const people = [{ profileUrl: `https://www.linkedin.com/in/${sent}`, name: `Zoë ${first}` }]
  expect((await team.post('/integrations/outreach/send', { campaignId, people })).status).toBe(200)
  const { resultsUrl } = (await team.get('/integrations/outreach')).body
  const lead = { profile_url: `https://www.linkedin.com/in/${posted}`, full_name: `Zoë ${second}`, email_address: mail }
  expect(await postTo(resultsUrl, { event_type: 'message_sent', lead })).toBe(200)
  expect((await team.post('/exclusions', { entries: [{ kind: 'email', value: mail }] })).status).toBe(201)
  const text = `Thanks Zoe ${first} and #Zoe${second}`
  world.network.seedPost({ author, reactions: [], comments: [{ person: world.handle('fan'), text }] })
  await sweep(world, team, author)
  await team.get(`/leads?name=${encodeURIComponent(`Zoë ${first}`)}`)
  await owner.put('/views', { page: 'leads', name: `As Zoë ${second}`, query: {} })
  await owner.get('/requests')
  for (const profileUrl of [sent, posted])
    expect((await team.post('/privacy/erasures', { profileUrl })).status).toBe(201)
  await owner.get('/requests')
  expect(await placesOf(world, [sent, posted, first, second, mail])).toEqual([])
})

it("a name that a list showed, and that is no lead's since the profile was looked up, is in no text that lists are searched by [PRV-04]", async () => {
  const team = await world.team({ credits: 100 })
  const [author, fan, [before, now]] = [world.handle('author'), world.handle('fan'), [lastName(), lastName()]]
  world.network.seedPerson({ handle: fan, name: `Zoë ${before}` })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  world.network.seedPerson({ handle: fan, name: `Zoë ${now}` })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await world.advance('25h')
  expect(await placesOf(world, [now!])).toEqual([expect.stringContaining('lead_text.folded')])
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  expect(await placesOf(world, [before!, now!])).toEqual([])
})
