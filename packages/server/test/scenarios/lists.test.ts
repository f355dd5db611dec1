/** Every list of the API with every flag and filter, page by page: totals, hidden rows and pages before the last. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDrift } from '../world/oracle.ts'
import { createWorld, drainOnlyUnlessLongRun, type World } from '../world/world.ts'
import { expectPages, setLists, type Listed, type SourceName, type Told } from './lists-stage.ts'

// Not `useWorld`, which releases held network calls after every test: the sync would finish.
let world: World
let stage: Listed
beforeAll(async () => {
  world = await createWorld({ config: drainOnlyUnlessLongRun })
  stage = await setLists(world)
}, 120_000)
afterAll(async () => {
  world.network.release()
  await world.drain()
  expect(await findDrift(world.database.root)).toEqual([])
  await world.close()
})

const nameOf = (id: string): string =>
  Object.entries(stage.ids).find(([, other]) => other === id)?.[0] ?? `a stranger: ${id}`
const first = (name: string) => name.split(' ')[0]!
const lead: Told = (row) => `${first(row.name)} ${row.engagementType} ${nameOf(row.sourceId)}`
const raw: Told = (row) => `${first(row.name)} ${row.action} ${nameOf(row.sourceId)}`
const person: Told = (row) => `${first(row.name)} ${row.engagementCount}`

/** Leads of tracked sources whose sync has finished. */
const settled = [
  'Ann Like person',
  'Ann Comment person',
  'Ben Like person',
  'Cem Comment person',
  'Dot Like company',
  'Eve Comment company',
  'Fay Like post',
  'Ann Like post',
  'Gus Like search',
]
const gone = ['Kim Like gone', 'Lou Comment gone']
/** Stored so far by the syncing source, whose comments have not been read yet. */
const busy = ['Mia Like busy', 'Ann Like busy']
const of = (rows: readonly string[], pattern: RegExp) => rows.filter((row) => pattern.test(row))

/** Queries and the rows they find, listed by hand; a name in brackets is a source's id. */
const found: readonly (readonly [string, readonly string[]])[] = [
  ['', settled],
  ['includeInactive=true', [...settled, ...gone]],
  ['includeSyncing=true', [...settled, ...busy]],
  ['includeSyncing=true&includeInactive=true', [...settled, ...busy, ...gone]],
  ['profileId=[person]', of(settled, /person$/)],
  ['username=<company>', of(settled, /company$/)],
  ['profileId=[busy]', busy],
  ['username=<busy>&includeSyncing=false', busy],
  ['username=<gone>&includeInactive=true', gone],
  ['profileId=[raw]', []],
  [
    'engagementType=Like',
    ['Ann Like person', 'Ben Like person', 'Dot Like company', 'Fay Like post', 'Ann Like post', 'Gus Like search'],
  ],
  ['engagementType=Comment', ['Ann Comment person', 'Cem Comment person', 'Eve Comment company']],
  ['isIcp=true', ['Ann Like person', 'Ann Comment person', 'Cem Comment person']],
  ['isIcp=false&includeInactive=true', ['Ben Like person', 'Lou Comment gone']],
  ['webhookStatus=sent', ['Dot Like company', 'Eve Comment company']],
  ['webhookStatus=no_webhook', settled.filter((row) => !row.endsWith('company'))],
  ['since={later}&includeSyncing=true', busy],
  ['until=2026-11-21T09:30:00.000Z&includeSyncing=true', settled],
  ['name=ann&includeSyncing=true', ['Ann Like person', 'Ann Comment person', 'Ann Like post', 'Ann Like busy']],
  [
    'jobTitle=head&includeInactive=true',
    [...of(settled, /^(Ann|Cem|Eve) .*(person|company)$/), 'Ann Like post', 'Kim Like gone'],
  ],
  ['country=france', ['Ann Like person', 'Ann Comment person', 'Ann Like post']],
  ['sourceKind=profile', of(settled, /(person|company)$/)],
  [
    'sourceKind=profile&includeInactive=true&includeSyncing=true',
    [...of(settled, /(person|company)$/), ...gone, ...busy],
  ],
  ['sourceKind=post', ['Fay Like post', 'Ann Like post']],
  ['sourceKind=keyword', ['Gus Like search']],
]

const rawFound: readonly (readonly [string, readonly string[]])[] = [
  ['', ['Hal Like raw', 'Ivy Comment raw']],
  ['includeInactive=true', ['Hal Like raw', 'Ivy Comment raw', 'Jon Like rawGone']],
  ['action=Like&includeInactive=true', ['Hal Like raw', 'Jon Like rawGone']],
  ['action=Comment', ['Ivy Comment raw']],
  ['profileId=[raw]', ['Hal Like raw', 'Ivy Comment raw']],
  ['username=<rawGone>&includeInactive=true', ['Jon Like rawGone']],
  ['profileId=[person]', []],
  ['until={later}', ['Hal Like raw', 'Ivy Comment raw']],
]

const filled = (query: string): string =>
  query
    .replace(/\[(\w+)\]/, (_all, name: SourceName) => stage.ids[name])
    .replace(/<(\w+)>/, (_all, name: SourceName) => stage.handles[name])
    .replace('{later}', () => stage.later)

const peopleOf = (rows: readonly string[]): string[] =>
  [...Map.groupBy(rows, (row) => first(row))].map(([name, own]) => `${name} ${own.length}`)

describe('with rows that must be hidden', () => {
  it.each(found)(
    'leads by «%s» are these on every page, and so says the total, and people theirs, each once ' +
      '[LED-01, LED-03..LED-05, LED-10..LED-12, LED-23, ENG-01, ENG-02, ENG-03]',
    async (query, rows) => {
      await expectPages((page) => stage.team.get(`/leads${page}`), filled(query), 'leads', lead, rows)
      await expectPages((page) => stage.team.get(`/engagers${page}`), filled(query), 'engagers', person, peopleOf(rows))
    },
  )

  it.each(rawFound)(
    'raw leads by «%s» are these on every page, and so says the total [RAW-01, RAW-07, TRK-34]',
    async (query, rows) => {
      await expectPages((page) => stage.team.get(`/leads/raw${page}`), filled(query), 'leads', raw, rows)
    },
  )

  it('an untracked source is unknown to every list unless inactive ones are asked for [LED-03, LED-11]', async () => {
    for (const list of ['leads', 'leads/raw', 'engagers']) {
      for (const name of ['gone', 'rawGone'] as const) {
        for (const scope of [`profileId=${stage.ids[name]}`, `username=${stage.handles[name]}`])
          expect([list, scope, (await stage.team.get(`/${list}?${scope}&limit=1`)).status]).toEqual([list, scope, 404])
      }
    }
  })

  it.each([
    ['', ['person', 'company', 'post', 'search', 'raw', 'watch', 'busy']],
    ['includeInactive=true', ['person', 'company', 'post', 'search', 'raw', 'watch', 'busy', 'gone', 'rawGone']],
    ['type=person', ['person', 'raw', 'watch', 'busy']],
    ['type=person&includeInactive=true', ['person', 'raw', 'watch', 'busy', 'gone', 'rawGone']],
    ['type=post&includeInactive=true', ['post']],
    ['type=keyword', ['search']],
  ])('sources by «%s» are these, and so says the total [SRC-01, SRC-03, SRC-04]', async (query, names) => {
    const { sources, total } = (await stage.team.get(`/sources?${query}`)).body
    for (const { id, status } of sources) expect(status).toBe(/gone/i.test(nameOf(id)) ? 'inactive' : 'active')
    expect([sources.map(({ id }: { id: string }) => nameOf(id)).sort(), total]).toEqual([
      names.toSorted(),
      names.length,
    ])
  })

  it('posts of a watch, and posts that a search has kept or also swept, are these on every page [SRC-06]', async () => {
    const { team, ids, handles, other } = stage
    const posts = world.network.postsOf(handles.watch).map(({ id }) => `urn:li:activity:${id}`)
    expect(posts).toHaveLength(3)
    await expectPages(
      (page) => team.get(`/sources/${ids.watch}/posts${page}`),
      '',
      'posts',
      (row) => row.postUrn,
      posts,
    )
    const text: Told = (row) => row.text.split(' ')[0]
    await expectPages((page) => team.get(`/sources/${ids.search}/kept-posts${page}`), '', 'posts', text, ['One', 'Two'])
    await expectPages((page) => team.get(`/sources/${ids.search}/kept-posts${page}`), 'include=swept', 'posts', text, [
      'One',
      'Two',
      'Three',
    ])
    for (const path of [`/sources/${ids.watch}/posts`, `/sources/${ids.search}/kept-posts`])
      expect((await other.get(`${path}?limit=1`)).status).toBe(404)
  })
})
