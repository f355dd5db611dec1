/** All refusals of a body of `POST /keyword/track` and `/keyword/estimate`, none with effect, and values just inside bounds. */
import { beforeAll, describe, expect, it } from 'vitest'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'
import { edit, estimate, refused, scope, search, word } from './keyword-stage.ts'

const world = useWorld({ config: { roles: ['http'] } })

const isSubject = (field: string) => ['keywords', 'keyword', 'expression'].includes(field)
const withTerm = (body: Record<string, unknown>) => {
  const fields = Object.keys(body)
  return fields.length === 0 || fields.some(isSubject) ? body : { keyword: 'a', ...body }
}

const both = [
  [
    'POST /keyword/track',
    (team: Team, body: Record<string, unknown>) => team.post('/keyword/track', { ...scope, ...body }),
  ],
  ['POST /keyword/estimate', (team: Team, body: Record<string, unknown>) => estimate(team, body)],
] as const

const term = (index: number) => `bound${index}`
const terms = (count: number) => Array.from({ length: count }, (_, index) => term(index))
const member = `ACoAA${'m'.repeat(34)}`

/** Bodies, what the message must name, and the code; a body without anything to search for is sent with a term. */
const bad: [Record<string, unknown>, RegExp, string?][] = [
  [{}, /`keywords` or `expression`/],
  [{ keywords: ['a'], expression: 'a' }, /only one of/],
  [{ keywords: ['a'], keyword: 'a' }, /only one of/],
  [{ keywords: [] }, /`keywords` must be a list of 1 to 10/],
  [{ keywords: terms(11) }, /`keywords` must be a list of 1 to 10/],
  [{ keywords: 'a' }, /`keywords`/],
  [{ keywords: ['a', 5] }, /`keywords\[1\]`/],
  [{ keywords: ['a', '  '] }, /`keywords\[1\]`/],
  [{ keywords: ['Sales  Ops', 'sales ops '] }, /`keywords\[1\]`.*sales ops/],
  [{ keywords: ['a'.repeat(1_001)] }, /`keywords\[0\]`/],
  [{ keywords: ['a (b)'] }, /`keywords\[0\]`.*parenthesis/],
  [{ keyword: '"head of growth' }, /`keyword`.*quote/],
  [{ keyword: ' ' }, /`keyword`/],
  [{ keywords: ['a', 'saas OR leadership'] }, /`keywords\[1\]`.*OR.*`expression`/],
  [{ keywords: ['a NOT "b c"'] }, /`keywords\[0\]`.*NOT.*`expression`/],
  [{ keyword: 'a AND b' }, /`keyword`.*AND.*`expression`/],
  [{ expression: '"head of growth" AND hiring NOT intern' }, /`expression`.*`NOT` at character 29.*AND NOT/],
  [{ expression: 5 }, /`expression` must be text of 1 to 1000 characters/],
  [{ expression: '  ' }, /`expression`/],
  [{ expression: '(a OR b) AND c' }, /`expression`.*"?\(/],
  [{ expression: 'a AND' }, /`expression`.*AND/],
  [{ expression: 'a AND "b c' }, /`expression`.*"b c/],
  [{ expression: 'sales AND -webinar' }, /`-webinar` at character 11 .*AND NOT webinar/],
  [{ expression: 'sales AND !webinar' }, /`!webinar` at character 11 .*AND NOT webinar/],
  [{ keywords: ['sales -webinar'] }, /`keywords\[0\]` .*`expression` with AND NOT webinar/],
  [{ keyword: '-webinar' }, /`keyword` .*`expression` with AND NOT webinar/],
  [{ authorKeyword: ['cto', '-recruiter'] }, /`authorKeyword\[1\]` .*\(-recruiter\)/],
  [{ expression: 'NOT a' }, /`expression`.*NOT/],
  [{ expression: terms(11).join(' OR ') }, /`expression`.*bound10/],
  [{ expression: `${terms(1)}${' AND NOT x'.repeat(20)} y` }, /`expression`/],
  [{ expression: 'a'.repeat(1_001) }, /`expression`/],
  [{ name: 'n'.repeat(201) }, /`name`/],
  [{ name: ' \t' }, /`name`/],
  [{ name: '' }, /`name`/],
  [{ name: null }, /`name`/],
  [{ sort: 'relevance' }, /`sort`/],
  [{ datePosted: 'PAST_YEAR' }, /`datePosted`/],
  [{ contentType: 'PODCAST' }, /`contentType`/],
  [{ authorIndustry: ['4', 'software'] }, /`authorIndustry\[1\]`/, 'invalid_urn'],
  [{ authorIndustry: ['urn:li:organization:4'] }, /`authorIndustry\[0\]`/, 'invalid_urn'],
  [{ authorCompany: ['acme'] }, /`authorCompany\[0\]`/, 'invalid_urn'],
  [{ authorCompany: [''] }, /`authorCompany\[0\]`/, 'invalid_urn'],
  [{ fromPerson: ['john-doe'] }, /`fromPerson\[0\]`/, 'invalid_urn'],
  [{ fromPerson: ['urn:li:person:john-doe'] }, /`fromPerson\[0\]`/, 'invalid_urn'],
  [{ fromPerson: ['12345'] }, /`fromPerson\[0\]`/, 'invalid_urn'],
  [{ fromCompany: ['acme'] }, /`fromCompany\[0\]`/, 'invalid_urn'],
  [{ mentionsPerson: ['jane'] }, /`mentionsPerson\[0\]`/, 'invalid_urn'],
  [{ mentionsCompany: ['acme'] }, /`mentionsCompany\[0\]`/, 'invalid_urn'],
  [{ authorKeyword: [' '] }, /`authorKeyword\[0\]`/],
  [{ authorIndustry: '4' }, /`authorIndustry`/],
  [{ fromPerson: null }, /`fromPerson`/],
  [{ authorIndustry: [4] }, /`authorIndustry/],
  [{ authorIndustry: Array.from({ length: 101 }, (_, index) => String(index)) }, /`authorIndustry`/],
  [{ aiProvider: 'cohere', aiPrompt: 'x' }, /`aiProvider`/],
  [{ aiProvider: 'openai' }, /`aiPrompt`/],
  [{ aiProvider: 'openai', aiPrompt: ' ' }, /`aiPrompt`/],
  [{ aiPrompt: 'x' }, /`aiPrompt`.*`aiProvider`/],
  [{ aiModel: 'gpt' }, /`aiModel`.*`aiProvider`/],
  [{ creditCap: 0 }, /`creditCap`/],
  [{ creditCap: 2_147_483_648 }, /`creditCap`/],
  [{ mode: 'raw' }, /`mode`/],
  [{ mode: 'posts_only' }, /`postsPerSync`/],
  [{ mode: 'posts_only', postsPerSync: 61 }, /`postsPerSync`/],
  [{ postsPerSync: 5 }, /`postsPerSync`/],
  [{ captureEngagers: false }, /`captureEngagers`/, 'no_capture_target'],
  [{ mode: 'posts_only', postsPerSync: 5, captureEngagers: false }, /`captureEngagers`/],
  [{ mode: 'posts_only', postsPerSync: 5, captureEngagers: true }, /`captureEngagers`/],
  [{ mode: 'posts_only', postsPerSync: 5, capturePostAuthors: true }, /`capturePostAuthors`/],
  [{ captureMode: 'width' }, /`captureMode`/],
  [{ captureMode: 'depth', maxEngagementsPerPost: 5 }, /`maxEngagementsPerPost`/],
  [{ captureMode: 'breadth', maxEngagementsPerPost: 0 }, /`maxEngagementsPerPost`/],
  [{ endAt: '2026-11-21T08:59:59Z' }, /`endAt`/],
  [{ endAt: '2026-11-21T09:00:00Z' }, /`endAt`/],
  [{ endAt: 'tomorrow' }, /`endAt`/],
  [{ maxRuns: 3_651 }, /`maxRuns`/],
  [{ runOnce: true, maxRuns: 2 }, /`maxRuns`/],
  [{ runOnce: true, maxRuns: null }, /`maxRuns`/],
  [{ contractVersion: '2025-01-01' }, /`contractVersion`/, 'invalid_contract_version'],
  [{ contractVersion: 20261101 }, /`contractVersion`/, 'invalid_contract_version'],
  [{ contractVersion: null }, /`contractVersion`/, 'invalid_contract_version'],
  ...(
    [
      'captureReplies',
      'enrichLeads',
      'captureEngagers',
      'capturePostAuthors',
      'runOnce',
      'confirmChanges',
      'confirmSpend',
    ] as const
  ).map((field): [Record<string, unknown>, RegExp] => [{ [field]: 'true' }, new RegExp(`\`${field}\``)]),
]

// Refusals change nothing, so one team gets them all.
let team: Team
let tracked: string
beforeAll(async () => {
  team = await world.team({ credits: 100 })
  tracked = (await search(team, { keyword: word(world) })).id
})

describe.each(both)('%s', (_name, call) => {
  it(
    'refuses what is out of bounds, naming it, on both routes alike ' +
      '[KEY-47, KEY-10..KEY-15, KEY-17..KEY-36, KEY-39, KEY-40, AIF-01, AIF-05..AIF-07, EXP-06..EXP-10] ' +
      '[KEY-20, KEY-21, KEY-23, KEY-24, KEY-25, KEY-26, AIF-07, EXP-14, EXP-15, ERR-06, ERR-08, ERR-09, VER-03, WLD-19, G63, G73, G74, G78, G147, G164, C21, C23]',
    () =>
      refusedWithoutTrace(world, async () => {
        for (const [body, message, code] of bad) {
          const answer = await call(team, withTerm(body))
          const told = [answer.status, answer.body.code, answer.body.error]
          expect([body, ...told]).toEqual([body, 400, code, expect.stringMatching(message)])
        }
      }),
  )

  it('accepts what is just inside [KEY-10, KEY-15, KEY-20..KEY-26, KEY-29, KEY-31, KEY-36, KEY-40, EXP-07..EXP-09, LIM-02, WLD-19]', async () => {
    const team = await world.team({ credits: 100 })
    const inside: Record<string, unknown>[] = [
      { keywords: terms(10) },
      { expression: terms(10).join(' OR ') },
      { expression: `${terms(1)}${' AND NOT x'.repeat(19)} AND y` },
      { expression: 'a'.repeat(1_000) },
      { keyword: 'c++', name: 'n'.repeat(200) },
      { expression: Array.from({ length: 10 }, (_, index) => `${index}`.padEnd(99, 'x')).join(' ') },
      { keyword: '❤' },
      { expression: 'sales AND "-webinar"' },
      { keywords: ['"sales -webinar"'] },
      { keywords: ['™', '&', '"this OR that"', 'either or', 'ORACLE'] },
      { expression: 'some OR ❤ OR &' },
      { keyword: 'מנכ"ל' },
      { keyword: '"head of growth"', creditCap: 1 },
      { keyword: 'inside one', creditCap: 2_147_483_647, maxRuns: 1 },
      { keyword: 'inside two', maxRuns: 3_650, captureMode: 'breadth', maxEngagementsPerPost: 2_147_483_647 },
      { keyword: 'inside three', mode: 'posts_only', postsPerSync: 1 },
      { keyword: 'inside four', mode: 'posts_only', postsPerSync: 60 },
      { keyword: 'inside five', endAt: '2026-11-21T09:00:01Z' },
      { keyword: 'inside six', captureEngagers: false, capturePostAuthors: true },
      {
        keyword: 'inside seven',
        authorIndustry: ['urn:li:industry:4'],
        authorCompany: ['1', 'urn:li:organization:2'],
        authorKeyword: ['anything at all: é/(x)'],
        fromPerson: [member, `urn:li:person:${member}`],
        fromCompany: ['3'],
        mentionsPerson: [member],
        mentionsCompany: ['4'],
      },
    ]
    for (const body of inside) {
      const answer = await call(team, body)
      expect([body, answer.body.error]).toEqual([body, undefined])
    }
  })
})

describe('PATCH /keyword/{id}', () => {
  const createOnly = ['confirmChanges', 'contractVersion']
  const editable = bad.filter(([body]) => {
    const fields = Object.keys(body)
    return fields.length > 0 && body.name !== null && !fields.some((one) => isSubject(one) || createOnly.includes(one))
  })
  it('refuses what creation does, judged on the settings it comes to, and writes nothing [KEY-71, KEY-70]', () =>
    refusedWithoutTrace(world, async () => {
      for (const [body, message, code] of editable) {
        const { status, body: answer } = await edit(team, tracked, { sort: 'RELEVANCE', ...body })
        const words = Object.keys(body).some((field) => field.startsWith('ai')) ? /./ : message
        expect([body, status, answer.code, answer.error]).toEqual([body, 400, code, expect.stringMatching(words)])
      }
    }))

  it('refuses keywords, keyword and expression whatever they hold [KEY-61, EXP-01]', async () => {
    const team = await world.team({ credits: 100 })
    const keyword = word(world)
    const { id } = await search(team, { keyword })
    for (const body of [
      { keywords: [keyword] },
      { keywords: [] },
      { keywords: null },
      { keyword },
      { expression: keyword },
      { expression: null },
    ]) {
      const answer = await refusedWithoutTrace(world, () => edit(team, id, { name: 'New', ...body }))
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(`\`${Object.keys(body)[0]}\``)])
    }
  })

  it('refuses a body that names no setting, and an id that is no tracked search of the team [KEY-72, CON-22, ERR-16]', async () => {
    const team = await world.team({ credits: 100 })
    const { id } = await search(team, { keyword: word(world) })
    for (const body of [{}, { confirmSpend: true }, { foo: 1 }, { postBudget: 5 }])
      expect((await refusedWithoutTrace(world, () => edit(team, id, body))).status).toBe(400)
    const stranger = await world.team({ credits: 100 })
    const answers = [
      await refusedWithoutTrace(world, () => edit(stranger, id, { name: 'Mine' })),
      await refusedWithoutTrace(world, () => edit(team, '01a1fd55-7a80-7003-a3e3-0123456789ab', { name: 'Mine' })),
      await refusedWithoutTrace(world, () => edit(team, 'no-uuid', { name: 'Mine' })),
    ]
    await team.del(`/keyword/${id}`)
    answers.push(await refusedWithoutTrace(world, () => edit(team, id, { name: 'Mine' })))
    expect(new Set(answers.map(({ body, status }) => `${status} ${body.code} ${body.error}`)).size).toBe(1)
    expect(refused(answers[0]!)).toEqual([404, {}])
  })
})
