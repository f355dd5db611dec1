/** A team with lists known by hand and rows that must be hidden: raw, of untracked or syncing sources, of another team. */
import { expect, vi } from 'vitest'
import type { Answer, Team, World } from '../world/world.ts'
import { onlySeeded, search, topic } from './keyword-run-stage.ts'
import { ok } from './outreach-stage.ts'

/** Names of this stage's sources. */
export type SourceName = 'person' | 'company' | 'post' | 'search' | 'gone' | 'raw' | 'rawGone' | 'watch' | 'busy'

/** The team, another one that must not appear anywhere, and the team's sources by identifier and id. */
export type Listed = {
  readonly team: Team
  readonly other: Team
  readonly ids: Readonly<Record<SourceName, string>>
  readonly handles: Readonly<Record<SourceName, string>>
  readonly later: string
}

const titles: Readonly<Record<string, string>> = {
  Ann: 'Head of Growth',
  Ben: 'Baker',
  Cem: 'Head of Sales',
  Dot: 'Cook',
  Eve: 'Headhunter',
  Fay: 'Pilot',
  Gus: 'Nurse',
  Kim: 'Head Chef',
  Lou: 'Clerk',
  Mia: 'Judge',
}

/** Sets up everything, does the work, and leaves one source in the middle of its sync. */
export async function setLists(world: World): Promise<Listed> {
  const [team, other] = [await world.team(), await world.team()]
  const inbox = await world.inbox()
  onlySeeded(world)
  const people = Object.fromEntries(
    ['Ann', 'Ben', 'Cem', 'Dot', 'Eve', 'Fay', 'Gus', 'Hal', 'Ivy', 'Jon', 'Kim', 'Lou', 'Mia'].map((name) => [
      name,
      world.handle(name.toLowerCase()),
    ]),
  )
  for (const [name, handle] of Object.entries(people))
    world.network.seedPerson({
      handle,
      name: `${name} Example`,
      title: titles[name] ?? 'Engineer',
      country: name === 'Ann' ? 'FR' : 'DE',
      posts: [],
    })
  const likes = (...names: string[]) => names.map((name) => ({ person: people[name]! }))
  const comments = (...names: string[]) => names.map((name) => ({ person: people[name]!, text: `Says ${name}` }))
  const word = topic(world)
  const handles = {
    person: world.handle('author'),
    company: world.handle('page'),
    post: '',
    search: word,
    gone: world.handle('gone'),
    raw: world.handle('raw'),
    rawGone: world.handle('raw-gone'),
    watch: world.handle('watch'),
    busy: world.handle('busy'),
  }
  world.network.seedPost({ author: handles.person, reactions: likes('Ann', 'Ben'), comments: comments('Ann', 'Cem') })
  world.network.seedPost({ author: { company: handles.company }, reactions: likes('Dot'), comments: comments('Eve') })
  const tracked = world.network.seedPost({
    author: world.handle('poster'),
    reactions: likes('Fay', 'Ann'),
    comments: [],
  })
  handles.post = `urn:li:activity:${tracked.id}`
  world.network.seedSearch({
    generated: false,
    posts: [
      { author: world.handle('writer'), text: `One about ${word}`, reactions: likes('Gus'), comments: [] },
      { author: world.handle('writer'), text: `Two about ${word}`, reactions: [], comments: [] },
      { author: world.handle('writer'), text: `Three about ${word}, spam`, reactions: likes('Ben'), comments: [] },
    ],
  })
  world.network.seedPost({ author: handles.gone, reactions: likes('Kim'), comments: comments('Lou') })
  world.network.seedPost({ author: handles.raw, reactions: likes('Hal'), comments: comments('Ivy') })
  world.network.seedPost({ author: handles.rawGone, reactions: likes('Jon'), comments: [] })
  for (let count = 0; count < 3; count++)
    world.network.seedPost({ author: handles.watch, reactions: likes('Ann'), comments: [] })
  const busyPost = world.network.seedPost({
    author: handles.busy,
    reactions: likes('Mia', 'Ann'),
    comments: comments('Mia'),
  })

  const profile = async (of: Team, username: string, settings: Record<string, unknown> = {}) => {
    await ok(of.post('/enrich/profile', { username, saveTrackedProfile: true, ...settings }))
    // Creates sources at different instants, so that their order is known.
    await world.move('1s')
  }
  for (const of of [team, other]) {
    await profile(of, handles.person)
    await profile(of, handles.raw, { enrichLeads: false })
    await profile(of, handles.watch, { mode: 'posts_only', postsPerSync: 5, confirmSpend: true })
    await search(of, { expression: `${word} AND NOT spam`, enrichLeads: true })
    await world.move('1s')
  }
  await ok(team.post('/enrich/company', { username: handles.company, saveTrackedProfile: true }))
  await world.move('1s')
  expect((await team.post('/post/track', { postUrl: handles.post })).status).toBe(201)
  await world.move('1s')
  await profile(team, handles.gone)
  await profile(team, handles.rawGone, { enrichLeads: false })
  await world.drain()
  const idOf = async (type: string, username?: string): Promise<string> =>
    (await team.get(`/sources?type=${type}`)).body.sources.find(
      (source: { username: string }) => username === undefined || source.username === username,
    ).id
  const person = (name: keyof typeof handles) => idOf('person', handles[name])
  const found = {
    person: await person('person'),
    company: await idOf('company'),
    post: await idOf('post'),
    search: await idOf('keyword'),
    gone: await person('gone'),
    raw: await person('raw'),
    rawGone: await person('rawGone'),
    watch: await person('watch'),
  }
  await ok(
    team.put(`/sources/${found.person}/icp`, {
      rules: [{ column: 'jobTitle', operator: 'contains', value: 'head of' }],
    }),
  )
  await ok(
    team.put(`/sources/${found.gone}/icp`, { rules: [{ column: 'jobTitle', operator: 'contains', value: 'chef' }] }),
  )
  await ok(team.put(`/sources/${found.company}/webhook`, { webhookUrl: inbox.url }))
  await ok(team.post(`/sources/${found.company}/push`, {}))
  for (const name of ['gone', 'rawGone'] as const) await ok(team.del(`/profile/${handles[name]}`))
  await world.move('1h')
  await world.drain()
  const later = (await world.now()).toISOString()
  world.network.hold({ operation: 'post-comments', match: { post: busyPost.id } })
  // Timeouts are real time: on a busy machine the first vendor may time out, and the other must not finish the run.
  world.network.hold({ operation: 'posts/comments', match: { urn: busyPost.id } })
  await profile(team, handles.busy)
  // One unit waits for the comments, the other enriches the people stored before.
  world.beginDrain()
  world.beginDrain()
  await world.network.untilWaiting(1, { operation: 'post-comments' })
  // Waits until they are enriched, because a list must not change between two of its pages.
  const waiting = `select from lead where team_id = $1 and enrichment in ('pending', 'processing')`
  const isEnriched = async () => expect((await world.database.pool.query(waiting, [team.id])).rowCount).toBe(0)
  await vi.waitFor(isEnriched, { timeout: 20_000, interval: 20 })
  return { team, other, handles, later, ids: { ...found, busy: await person('busy') } }
}

/** One row of a page as text. */
export type Told = (row: Answer['body']) => string

/** Reads a list by pages of one and of two, to its end and beyond; checks rows, the total and `hasMore` on every page. */
export async function expectPages(
  read: (query: string) => Promise<Answer>,
  query: string,
  list: string,
  told: Told,
  wanted: readonly string[],
): Promise<void> {
  const page = async (limit: number, offset: number): Promise<Answer['body']> => {
    const answer = await read(`?limit=${limit}&offset=${offset}${query && `&${query}`}`)
    expect([query, answer.status, answer.body.error]).toEqual([query, 200, undefined])
    const due = Math.min(limit, Math.max(0, wanted.length - offset))
    const { [list]: rows, total, hasMore } = answer.body
    expect([query, offset, rows.length, total, hasMore, answer.body.limit, answer.body.offset]).toEqual([
      query,
      offset,
      due,
      wanted.length,
      offset + due < wanted.length,
      limit,
      offset,
    ])
    expect(answer.body.totalExact).toBeUndefined()
    return rows
  }
  const singles: Answer['body'][] = []
  for (let offset = 0; offset <= wanted.length; offset++) singles.push(...(await page(1, offset)))
  expect([query, singles.map(told).sort()]).toEqual([query, wanted.toSorted()])
  const pairs: Answer['body'][] = []
  for (let offset = 0; offset < wanted.length; offset += 2) pairs.push(...(await page(2, offset)))
  expect(pairs).toEqual(singles)
  await page(1, wanted.length + 7)
}

/** Reads a list by cursors, one row per page; expects exactly these rows in this order and no cursor on the last page. */
export async function expectCursors(
  read: (query: string) => Promise<Answer>,
  query: string,
  list: string,
  told: Told,
  wanted: readonly string[],
): Promise<void> {
  const rows: Answer['body'][] = []
  let [pages, cursor] = [0, '' as string | null]
  while (cursor !== null && pages <= wanted.length) {
    const answer = await read(`?limit=1${query && `&${query}`}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    expect([query, answer.status, answer.body.error]).toEqual([query, 200, undefined])
    rows.push(...answer.body[list])
    cursor = answer.body.nextCursor
    pages += 1
  }
  expect([query, rows.map(told), pages, cursor]).toEqual([query, wanted, Math.max(1, wanted.length), null])
  const whole = await read(`?limit=200${query && `&${query}`}`)
  expect([whole.body[list], whole.body.nextCursor]).toEqual([rows, null])
}
