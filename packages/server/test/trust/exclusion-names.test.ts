/** People and pages with several names: an entry for one counts for all, whatever happens to others (EXC-01, EXC-05..EXC-08). */
import { describe, expect, it } from 'vitest'
import { findExcludedContacts } from '../../src/modules/leads/index.ts'
import { rememberPeople, saveProfiles } from '../../src/modules/network/index.ts'
import { askForPerson } from '../../src/modules/enrichment/lookup.ts'
import { ok } from '../scenarios/outreach-stage.ts'
import { likes, sweep } from '../scenarios/sync-stage.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { entryOf, exclude, excludedBy } from './exclusions-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

let ids = 0
const idOf = (start: string) => `${start}${String((ids += 1)).padStart(34, 'q')}`
const urlOf = (name: string) => `https://www.linkedin.com/in/${name}`
const personOf = (handle: string, urn: string, otherUrns: readonly string[]) => ({
  urn,
  otherUrns,
  handle,
  name: null,
  headline: null,
  linkedinUrl: urlOf(handle),
  avatarUrl: null,
})
const isListed = async (team: Team, contact: Parameters<typeof findExcludedContacts>[2][number]) =>
  world.unit(team, async (tx) => (await findExcludedContacts(tx.db, team.id, [contact])).size === 1)

describe('who is listed by several names', () => {
  it('and takes another stays excluded while one of their entries is there [EXC-05, EXC-07]', async () => {
    for (const first of [0, 1]) {
      const team = await world.team()
      const [author, fan, renamed] = [world.handle('author'), world.handle('fan'), world.handle('renamed')]
      const { id } = world.network.seedPerson({ handle: fan })
      for (const value of [fan, id, `${fan}-before`]) await exclude(team, [{ kind: 'person', value }])
      world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
      await sweep(world, team, author)
      world.network.seedPerson({ id, handle: renamed })
      await ok(team.post('/enrich/profile', { username: renamed }))
      await world.drain()
      const entries = [await entryOf(team, fan), await entryOf(team, id)]
      const order = first === 0 ? entries : entries.toReversed()
      for (const entry of order) {
        expect(await excludedBy(team)).toEqual({ [renamed]: 'do_not_contact' })
        await ok(team.del(`/exclusions/${entry}`))
      }
      expect(await excludedBy(team)).toEqual({ [renamed]: null })
    }
  })

  it('and moves to another list, by a name that they had, stays excluded under the one that they have [EXC-07]', async () => {
    const team = await world.team()
    const [author, fan, renamed] = [world.handle('author'), world.handle('fan'), world.handle('renamed')]
    const { id } = world.network.seedPerson({ handle: fan })
    await exclude(team, [{ kind: 'person', value: fan }])
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await sweep(world, team, author)
    world.network.seedPerson({ id, handle: renamed })
    await ok(team.post('/enrich/profile', { username: renamed }))
    await world.drain()
    expect(await exclude(team, [{ kind: 'person', value: fan }])).toMatchObject({ added: 0, alreadyListed: 1 })
    const entries = [{ kind: 'person', value: fan, reason: 'Customer' }]
    const [other, stays] = [world.handle('other'), world.handle('stays')]
    await exclude(team, [{ kind: 'person', value: stays }])
    const replaces = [await entryOf(team, fan), await entryOf(team, stays)]
    const moved = await team.post('/exclusions', {
      entries: [...entries, { kind: 'person', value: other }],
      list: 'customers',
      replaces,
    })
    expect([moved.status, moved.body]).toMatchObject([201, { added: 1, alreadyListed: 1 }])
    expect(await excludedBy(team)).toEqual({ [renamed]: 'customers' })
    const listed = (await ok(team.get('/exclusions'))).entries
    expect(listed.map(({ value, list, reason }: Record<string, string>) => [value, list, reason]).toSorted()).toEqual(
      [
        [fan, 'customers', 'Customer'],
        [other, 'customers', null],
        [stays, 'do_not_contact', null],
      ].toSorted(),
    )
    const [{ id: foreign }] = listed
    const stranger = await world.team()
    const answer = await stranger.post('/exclusions', { entries, replaces: [foreign] })
    expect([answer.status, answer.body]).toMatchObject([201, { added: 1, alreadyListed: 0 }])
    expect((await ok(team.get('/exclusions'))).total).toBe(3)
    for (const wrong of ['x', ['x'], [1], Array.from({ length: 1_001 }, () => foreign)])
      expect((await team.post('/exclusions', { entries, replaces: wrong })).status).toBe(400)
  })
})

it('who took another name before their entry was removed is the same person when that is taken back [EXC-03, EXC-05]', async () => {
  const team = await world.team()
  const [author, fan, renamed] = [world.handle('author'), world.handle('fan'), world.handle('renamed')]
  const { id } = world.network.seedPerson({ handle: fan })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  await exclude(team, [{ kind: 'person', value: fan }])
  expect(await ok(team.del(`/exclusions/${await entryOf(team, fan)}`))).not.toHaveProperty('heldBy')
  await exclude(team, [{ kind: 'person', value: fan }])
  world.network.seedPerson({ id, handle: renamed })
  await ok(team.post('/enrich/profile', { username: renamed }))
  await world.drain()
  const { heldBy } = await ok(team.del(`/exclusions/${await entryOf(team, fan)}`))
  await exclude(
    team,
    [fan, heldBy].map((value) => ({ kind: 'person', value })),
  )
  expect(await excludedBy(team)).toEqual({ [renamed]: 'do_not_contact' })
})

it('who is listed by what they are stays so when somebody else takes their handle, who is not [EXC-05, EXC-07]', async () => {
  const [team, fan] = [await world.team(), world.handle('fan')]
  await exclude(team, [{ kind: 'title', value: 'intern' }])
  for (const title of ['Intern', 'CTO']) {
    const author = world.handle('author')
    world.network.seedPerson({ handle: fan, id: idOf('ACoAA'), title })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await sweep(world, team, author)
    await world.move('1d')
  }
  const leads: { jobTitle: string; excluded: unknown }[] = (await team.get('/leads')).body.leads
  for (const { jobTitle, excluded } of leads) expect(excluded === null, jobTitle).toBe(jobTitle === 'CTO')
  expect(leads.map(({ jobTitle }) => jobTitle)).toContain('Intern')
  expect((await ok(team.get('/leads?excluded=only'))).total).toBe(1)
})

describe('who has several ids', () => {
  it('and is listed by each stays excluded under each when one entry replaces them [EXC-01, EXC-07]', async () => {
    const team = await world.team()
    const [fan, renamed] = [world.handle('fan'), world.handle('renamed')]
    const both = [idOf('ACoAA'), idOf('ACwAA')] as const
    for (const value of both) await exclude(team, [{ kind: 'person', value }])
    // The first row keeps the handle which its person gives up, and so links the newer id to it.
    const captured = [
      { id: both[1], handle: fan },
      { id: both[1], handle: renamed },
      { id: both[0], handle: fan },
    ]
    for (const { id, handle } of captured) {
      const author = world.handle('author')
      world.network.seedPerson({ handle, id })
      world.network.seedPost({ author, reactions: likes([handle]), comments: [] })
      await sweep(world, team, author)
      await world.move('200d')
    }
    const replaces = (await ok(team.get('/exclusions'))).entries.map(({ id }: { id: string }) => id)
    const moved = { entries: [{ kind: 'person', value: fan }], list: 'customers', replaces }
    expect((await team.post('/exclusions', moved)).body).toMatchObject({ added: 0, alreadyListed: 1 })
    expect(await excludedBy(team)).toEqual({ [fan]: 'customers', [renamed]: 'customers' })
  })

  it('and is listed by the handle or an id, by an entry, an objection or a result, before or after the newer was met, stays so under each when they take another name under the newer [EXC-05, EXC-07]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    const somebody = (way: string) => ({
      fan: world.handle(way),
      renamed: world.handle(`renamed-${way}`),
      ids: [idOf('ACoAA'), idOf('ACwAA')] as const,
    })
    const [entry, objection, result] = [somebody('entry'), somebody('objection'), somebody('result')]
    const [early, older, newer] = [somebody('early'), somebody('older'), somebody('newer')]
    const people = [entry, objection, result, early, older, newer]
    const list = (value: string) => exclude(team, [{ kind: 'person', value }])
    for (const place of [0, 1] as const) {
      for (const { fan, ids: own } of people) world.network.seedPerson({ handle: fan, id: own[place] })
      const comments = people.map(({ fan, ids: own }) => ({ person: fan, text: own[place] }))
      world.network.seedPost({ author, reactions: [], comments })
      await world.move('25h')
      await sweep(world, team, author)
      if (place === 0) await list(early.fan)
    }
    await list(entry.fan)
    await team.post('/privacy/objections', { profileUrl: objection.fan })
    await ok(team.post('/results', { results: [{ profileUrl: urlOf(result.fan), outcome: 'unsubscribed' }] }))
    await list(older.ids[0])
    await list(newer.ids[1])
    for (const { renamed, ids: own } of people) {
      world.network.seedPerson({ handle: renamed, id: own[1] })
      await ok(team.post('/enrich/profile', { username: renamed }))
    }
    await world.drain()
    const excluded = people.flatMap(({ fan, renamed }) => [fan, renamed]).map((handle) => [handle, 'do_not_contact'])
    expect(await excludedBy(team)).toEqual(Object.fromEntries(excluded))
  })

  it('and the listed one takes another name after somebody else has taken theirs: both names stay theirs [EXC-05]', async () => {
    const team = await world.team()
    const [fan, first, second] = [world.handle('fan'), world.handle('first'), world.handle('second')]
    const [listed, other] = [idOf('ACoAA'), idOf('ACoAA')]
    for (const [id, handle] of [
      [listed, fan],
      [other, fan],
      [other, second],
      [listed, first],
    ] as const) {
      const author = world.handle('author')
      world.network.seedPerson({ id, handle })
      world.network.seedPost({ author, reactions: likes([handle]), comments: [] })
      await world.move('40d')
      await sweep(world, team, author)
      if (handle === fan && id === listed) await exclude(team, [{ kind: 'person', value: fan }])
    }
    expect(await excludedBy(team)).toMatchObject({ [first]: 'do_not_contact' })
  })

  it('is excluded by any that their profile carries, and stays so when they take another name [EXC-05]', async () => {
    const team = await world.team()
    const [author, fan, renamed] = [world.handle('author'), world.handle('fan'), world.handle('renamed')]
    const [shown, other] = [idOf('ACoAA'), idOf('ACwAA')]
    world.network.seedPerson({ handle: fan, id: shown })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await sweep(world, team, author)
    await exclude(team, [{ kind: 'person', value: other }])
    const facts = { jobs: [], jobTitle: null, country: null, countryCode: null, company: null }
    for (const handle of [fan, renamed]) {
      await world.unit(team, (tx) => saveProfiles(tx, team.id, [{ ...personOf(handle, shown, [other]), ...facts }]))
      expect(Object.values(await excludedBy(team))).toEqual(['do_not_contact'])
    }
  })

  it('is excluded by the id of their profile where a list showed another one alone [EXC-05, EXC-07]', async () => {
    const team = await world.team()
    const [author, fan, renamed] = [world.handle('author'), world.handle('fan'), world.handle('renamed')]
    const [shown, alone] = [idOf('ACoAA'), idOf('ACwAA')]
    world.network.seedPerson({ handle: fan, id: alone })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await sweep(world, team, author)
    await exclude(team, [{ kind: 'person', value: shown }])
    const facts = { jobs: [], jobTitle: null, country: null, countryCode: null, company: null }
    const network = { profile: async () => ({ ...personOf(renamed, shown, []), ...facts }) }
    const nobody = { findBlocked: async () => ({ has: () => false }) }
    const { profile } = await world.unit(team, async ({ db, now }) =>
      askForPerson({ network, blockList: nobody, db, serviceNow: async () => now } as never, team.id, { urn: alone }),
    )
    await world.unit(team, (tx) => saveProfiles(tx, team.id, [profile!]))
    expect(Object.values(await excludedBy(team))).toEqual(['do_not_contact'])
  })

  it('is excluded under each of them when they are sent by address before they were captured [EXC-08]', async () => {
    const team = await world.team()
    const [shown, other, stranger] = [idOf('ACoAA'), idOf('ACwAA'), idOf('ACoAA')]
    await world.unit(team, (tx) => rememberPeople(tx, team.id, [personOf(world.handle('fan'), shown, [other])]))
    await exclude(team, [{ kind: 'person', value: other }])
    expect(await isListed(team, { profileUrl: urlOf(shown) })).toBe(true)
    expect(await isListed(team, { profileUrl: urlOf(stranger) })).toBe(false)
  })
})

it('who has the name that somebody else was listed by is listed by their own id, and stays so under another [EXC-01, EXC-05, PRV-10]', async () => {
  const team = await world.team()
  const [fan, first, second] = [world.handle('fan'), world.handle('first'), world.handle('second')]
  const ids = [idOf('ACoAA'), idOf('ACoAA')]
  const captureFan = async (id: string) => {
    const author = world.handle('author')
    world.network.seedPerson({ handle: fan, id })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await sweep(world, team, author)
  }
  const rename = async (id: string, handle: string) => {
    world.network.seedPerson({ id, handle })
    await ok(team.post('/enrich/profile', { username: handle }))
    await world.drain()
  }
  await captureFan(ids[0]!)
  await exclude(team, [{ kind: 'person', value: fan }], 'customers')
  await rename(ids[0]!, first)
  await captureFan(ids[1]!)
  expect((await team.post('/privacy/objections', { profileUrl: fan })).body).toMatchObject({ value: ids[1] })
  await rename(ids[1]!, second)
  expect(await excludedBy(team)).toEqual({ [first]: 'customers', [second]: 'do_not_contact' })
})

it('who works at a page that has taken the name of one that is listed is excluded [EXC-05, EXC-06]', async () => {
  const team = await world.team()
  const [fan, slug] = [world.handle('fan'), world.handle('page')]
  const { id } = world.network.seedCompany({ slug })
  for (const number of [id, String(Number(id) + 1_000_000_000)]) {
    const author = world.handle('author')
    world.network.seedCompany({ slug, id: number })
    world.network.seedPerson({ handle: fan, company: slug })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await sweep(world, team, author)
    if (number === id) await exclude(team, [{ kind: 'company', value: slug }])
    world.network.seedCompany({ id, slug: world.handle('merged') })
    await ok(team.post('/enrich/company', { username: id }))
    await world.move('200d')
  }
  for (const path of ['/leads', '/leads?excluded=only'])
    expect((await ok(team.get(path))).leads.map((lead: { excluded: unknown }) => lead.excluded !== null)).toEqual([
      true,
      true,
    ])
})

it('a page is listed by the number of the one that has its name by now, and stays so under another [EXC-05]', async () => {
  const team = await world.team()
  const [fan, slug] = [world.handle('fan'), world.handle('page')]
  const numbers = [world.network.seedCompany({ slug }).id, '9876543210'] as const
  for (const id of numbers) {
    const author = world.handle('author')
    world.network.seedCompany({ slug, id })
    world.network.seedPerson({ handle: fan, company: slug })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await sweep(world, team, author)
    await world.move('200d')
  }
  await exclude(team, [{ kind: 'company', value: slug }])
  world.network.seedCompany({ slug: world.handle('renamed'), id: numbers[1] })
  await ok(team.post('/enrich/company', { username: numbers[1] }))
  await world.drain()
  expect(await excludedBy(team)).toEqual({ [fan]: 'do_not_contact' })
})

it('a page listed by its slug alone, which only another team has met, stays listed under another slug [EXC-05]', async () => {
  const team = await world.team()
  const other = await world.team({}, { beside: team })
  const [slug, renamed] = [world.handle('page'), world.handle('renamed')]
  await exclude(team, [{ kind: 'company', value: slug }])
  const { id } = world.network.seedCompany({ slug })
  const captureFanOf = async (who: Team, company: string) => {
    const [author, fan] = [world.handle('author'), world.handle('fan')]
    world.network.seedPerson({ handle: fan, company })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await sweep(world, who, author)
    return fan
  }
  await captureFanOf(other, slug)
  world.network.seedCompany({ id, slug: renamed })
  await world.move('200d')
  await captureFanOf(other, renamed)
  const fan = await captureFanOf(team, renamed)
  expect(await excludedBy(team)).toEqual({ [fan]: 'do_not_contact' })
})

it('a page that takes another name is recognised by the one that it was listed by [EXC-08]', async () => {
  const team = await world.team()
  const [author, fan, slug, renamed] = ['author', 'fan', 'page', 'renamed'].map((name) => world.handle(name)) as [
    string,
    string,
    string,
    string,
  ]
  const { id } = world.network.seedCompany({ slug, name: 'Page' })
  world.network.seedPerson({ handle: fan, company: slug })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  await exclude(team, [{ kind: 'company', value: slug }])
  world.network.seedCompany({ id, slug: renamed, name: 'Page' })
  await ok(team.post('/enrich/company', { username: id }))
  await world.drain()
  const profileUrl = urlOf(world.handle('contact'))
  for (const company of [slug, renamed, id, `https://www.linkedin.com/company/${slug}/`])
    expect(await isListed(team, { profileUrl, company }), company).toBe(true)
  expect(await isListed(team, { profileUrl, company: `${slug}-2` })).toBe(false)
})

it('a page that moves to another domain is recognised by the one that a lead still shows, on every row of its person [EXC-05]', async () => {
  const team = await world.team()
  const page = world.handle('page')
  const [first, later] = [world.handle('fan'), world.handle('fan')]
  for (const [name, fans] of [
    ['old', [first]],
    ['new', [first, later]],
  ] as const) {
    world.network.seedCompany({ slug: page, website: `https://${name}-${page}.example.com` })
    const author = world.handle('author')
    for (const fan of fans) world.network.seedPerson({ handle: fan, company: page })
    world.network.seedPost({ author, reactions: likes([...fans]), comments: [] })
    await sweep(world, team, author)
    await world.move('200d')
  }
  expect(await exclude(team, [{ kind: 'domain', value: `old-${page}.example.com` }])).toMatchObject({
    matchingLeads: 2,
  })
  const { leads } = await ok(team.get('/leads?excluded=only'))
  const shown = leads.map((lead: { linkedinUrl: string; companyDomain: string }) => [
    lead.linkedinUrl.split('/in/')[1],
    lead.companyDomain,
  ])
  expect(shown).toEqual(['new', 'old'].map((name) => [first, `${name}-${page}.example.com`]))
  expect(await excludedBy(team)).toEqual({ [first]: 'do_not_contact', [later]: null })
  // The newest domain, seen by another team, also matches rows that show only the older ones.
  world.network.seedCompany({ slug: page, website: `https://newest-${page}.example.com` })
  const author = world.handle('author')
  world.network.seedPost({ author, reactions: likes([first]), comments: [] })
  await sweep(world, await world.team({}, { beside: team }), author)
  expect(await exclude(team, [{ kind: 'domain', value: `newest-${page}.example.com` }])).toMatchObject({
    matchingLeads: 3,
  })
  expect(await excludedBy(team)).toEqual({ [first]: 'do_not_contact', [later]: 'do_not_contact' })
  expect((await ok(team.get('/leads?excluded=only'))).total).toBe(3)
})
