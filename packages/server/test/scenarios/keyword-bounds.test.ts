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
const bad: [string, Record<string, unknown>, RegExp, string?][] = [
  ['neither keywords nor expression [KEY-14]', {}, /`keywords` or `expression`/],
  ['both keywords and expression [KEY-14]', { keywords: ['a'], expression: 'a' }, /only one of/],
  ['both keyword and keywords [KEY-14]', { keywords: ['a'], keyword: 'a' }, /only one of/],
  ['no term [KEY-10]', { keywords: [] }, /`keywords` must be a list of 1 to 10/],
  ['eleven terms [KEY-10]', { keywords: terms(11) }, /`keywords` must be a list of 1 to 10/],
  ['keywords that are no list [KEY-10]', { keywords: 'a' }, /`keywords`/],
  ['a term that is no text [KEY-10]', { keywords: ['a', 5] }, /`keywords\[1\]`/],
  ['a blank term [KEY-10]', { keywords: ['a', '  '] }, /`keywords\[1\]`/],
  [
    'a term twice in other case and spacing [KEY-10, G63]',
    { keywords: ['Sales  Ops', 'sales ops '] },
    /`keywords\[1\]`.*sales ops/,
  ],
  ['a term of 1001 characters', { keywords: ['a'.repeat(1_001)] }, /`keywords\[0\]`/],
  ['a parenthesis in a term [KEY-11]', { keywords: ['a (b)'] }, /`keywords\[0\]`.*parenthesis/],
  ['an unpaired quote in a term [KEY-12]', { keyword: '"head of growth' }, /`keyword`.*quote/],
  ['a blank keyword', { keyword: ' ' }, /`keyword`/],
  ['an operator in a term [G147]', { keywords: ['a', 'saas OR leadership'] }, /`keywords\[1\]`.*OR.*`expression`/],
  ['an operator before a phrase of a term [G147]', { keywords: ['a NOT "b c"'] }, /`keywords\[0\]`.*NOT.*`expression`/],
  ['an operator in keyword [G147]', { keyword: 'a AND b' }, /`keyword`.*AND.*`expression`/],
  [
    'a NOT without an operator before it [G147]',
    { expression: '"head of growth" AND hiring NOT intern' },
    /`expression`.*`NOT` at character 29.*AND NOT/,
  ],
  ['an expression that is no text [EXP-09]', { expression: 5 }, /`expression` must be text of 1 to 1000 characters/],
  ['a blank expression [EXP-14]', { expression: '  ' }, /`expression`/],
  ['a parenthesis in an expression [EXP-06]', { expression: '(a OR b) AND c' }, /`expression`.*"?\(/],
  ['an operator without its right side [EXP-10]', { expression: 'a AND' }, /`expression`.*AND/],
  ['an unclosed quote in an expression [EXP-10]', { expression: 'a AND "b c' }, /`expression`.*"b c/],
  [
    'a sign before a term of an expression [WLD-19, G164]',
    { expression: 'sales AND -webinar' },
    /`-webinar` at character 11 .*AND NOT webinar/,
  ],
  [
    'another sign before a term of an expression [WLD-19, G164]',
    { expression: 'sales AND !webinar' },
    /`!webinar` at character 11 .*AND NOT webinar/,
  ],
  [
    'a sign before a word of a term [WLD-19, G164]',
    { keywords: ['sales -webinar'] },
    /`keywords\[0\]` .*`expression` with AND NOT webinar/,
  ],
  ['a sign before a keyword [WLD-19, G164]', { keyword: '-webinar' }, /`keyword` .*`expression` with AND NOT webinar/],
  [
    'a sign before a word of a filter [WLD-19, G164]',
    { authorKeyword: ['cto', '-recruiter'] },
    /`authorKeyword\[1\]` .*\(-recruiter\)/,
  ],
  ['exclusions only [EXP-15]', { expression: 'NOT a' }, /`expression`.*NOT/],
  ['eleven required terms [EXP-07]', { expression: terms(11).join(' OR ') }, /`expression`.*bound10/],
  ['61 tokens [EXP-08]', { expression: `${terms(1)}${' AND NOT x'.repeat(20)} y` }, /`expression`/],
  ['1001 characters of expression [EXP-09]', { expression: 'a'.repeat(1_001) }, /`expression`/],
  ['a name of 201 characters [KEY-15]', { name: 'n'.repeat(201) }, /`name`/],
  ['a blank name [KEY-15]', { name: ' \t' }, /`name`/],
  ['an empty name [KEY-15, C23]', { name: '' }, /`name`/],
  ['null for name, which only an edit clears [KEY-63]', { name: null }, /`name`/],
  ['another sort [KEY-17]', { sort: 'relevance' }, /`sort`/],
  ['another datePosted [KEY-18]', { datePosted: 'PAST_YEAR' }, /`datePosted`/],
  ['another contentType [KEY-19]', { contentType: 'PODCAST' }, /`contentType`/],
  [
    'an industry by name [KEY-20, ERR-06]',
    { authorIndustry: ['4', 'software'] },
    /`authorIndustry\[1\]`/,
    'invalid_urn',
  ],
  [
    'an industry wrapped as an organisation [KEY-20]',
    { authorIndustry: ['urn:li:organization:4'] },
    /`authorIndustry\[0\]`/,
    'invalid_urn',
  ],
  ['a company by slug [KEY-21]', { authorCompany: ['acme'] }, /`authorCompany\[0\]`/, 'invalid_urn'],
  ['a blank company id [KEY-21]', { authorCompany: [''] }, /`authorCompany\[0\]`/, 'invalid_urn'],
  ['a person by handle [KEY-23, ERR-06]', { fromPerson: ['john-doe'] }, /`fromPerson\[0\]`/, 'invalid_urn'],
  [
    'a person by a wrapped handle [KEY-23]',
    { fromPerson: ['urn:li:person:john-doe'] },
    /`fromPerson\[0\]`/,
    'invalid_urn',
  ],
  ['a person by number [KEY-23]', { fromPerson: ['12345'] }, /`fromPerson\[0\]`/, 'invalid_urn'],
  ['a company post by slug [KEY-24]', { fromCompany: ['acme'] }, /`fromCompany\[0\]`/, 'invalid_urn'],
  ['a mentioned person by handle [KEY-25]', { mentionsPerson: ['jane'] }, /`mentionsPerson\[0\]`/, 'invalid_urn'],
  ['a mentioned company by slug [KEY-26]', { mentionsCompany: ['acme'] }, /`mentionsCompany\[0\]`/, 'invalid_urn'],
  ['a blank word [KEY-22]', { authorKeyword: [' '] }, /`authorKeyword\[0\]`/],
  ['a filter that is no list', { authorIndustry: '4' }, /`authorIndustry`/],
  ['null for a filter [G78]', { fromPerson: null }, /`fromPerson`/],
  ['a number in a filter', { authorIndustry: [4] }, /`authorIndustry/],
  [
    '101 values of a filter',
    { authorIndustry: Array.from({ length: 101 }, (_, index) => String(index)) },
    /`authorIndustry`/,
  ],
  ['another AI provider [AIF-01]', { aiProvider: 'cohere', aiPrompt: 'x' }, /`aiProvider`/],
  ['a provider without a prompt [AIF-06]', { aiProvider: 'openai' }, /`aiPrompt`/],
  ['a provider with a blank prompt [AIF-06]', { aiProvider: 'openai', aiPrompt: ' ' }, /`aiPrompt`/],
  ['a prompt without a provider [AIF-07]', { aiPrompt: 'x' }, /`aiPrompt`.*`aiProvider`/],
  ['a model without a provider [AIF-05]', { aiModel: 'gpt' }, /`aiModel`.*`aiProvider`/],
  ['creditCap 0 [KEY-29]', { creditCap: 0 }, /`creditCap`/],
  ['creditCap 2147483648 [KEY-29]', { creditCap: 2_147_483_648 }, /`creditCap`/],
  ['another mode [KEY-30]', { mode: 'raw' }, /`mode`/],
  ['posts_only without postsPerSync [KEY-31]', { mode: 'posts_only' }, /`postsPerSync`/],
  ['postsPerSync 61 [KEY-31]', { mode: 'posts_only', postsPerSync: 61 }, /`postsPerSync`/],
  ['postsPerSync in engagers mode', { postsPerSync: 5 }, /`postsPerSync`/],
  ['nobody to capture [KEY-32, ERR-09]', { captureEngagers: false }, /`captureEngagers`/, 'no_capture_target'],
  [
    'captureEngagers false with posts_only [KEY-33]',
    { mode: 'posts_only', postsPerSync: 5, captureEngagers: false },
    /`captureEngagers`/,
  ],
  [
    'captureEngagers true with posts_only [KEY-33, C21]',
    { mode: 'posts_only', postsPerSync: 5, captureEngagers: true },
    /`captureEngagers`/,
  ],
  [
    'capturePostAuthors with posts_only [KEY-34]',
    { mode: 'posts_only', postsPerSync: 5, capturePostAuthors: true },
    /`capturePostAuthors`/,
  ],
  ['another captureMode [KEY-35]', { captureMode: 'width' }, /`captureMode`/],
  [
    'maxEngagementsPerPost with depth [KEY-36]',
    { captureMode: 'depth', maxEngagementsPerPost: 5 },
    /`maxEngagementsPerPost`/,
  ],
  [
    'maxEngagementsPerPost 0 [KEY-36, G74]',
    { captureMode: 'breadth', maxEngagementsPerPost: 0 },
    /`maxEngagementsPerPost`/,
  ],
  ['endAt in the past [KEY-39]', { endAt: '2026-11-21T08:59:59Z' }, /`endAt`/],
  ['endAt now [KEY-39]', { endAt: '2026-11-21T09:00:00Z' }, /`endAt`/],
  ['endAt that is no instant [KEY-39]', { endAt: 'tomorrow' }, /`endAt`/],
  ['maxRuns 3651 [KEY-40]', { maxRuns: 3_651 }, /`maxRuns`/],
  ['runOnce with more runs [G73]', { runOnce: true, maxRuns: 2 }, /`maxRuns`/],
  ['runOnce without a limit of runs [G73]', { runOnce: true, maxRuns: null }, /`maxRuns`/],
  [
    'an unknown contractVersion [ERR-08, VER-03]',
    { contractVersion: '2025-01-01' },
    /`contractVersion`/,
    'invalid_contract_version',
  ],
  [
    'a contractVersion that is no text [ERR-08]',
    { contractVersion: 20261101 },
    /`contractVersion`/,
    'invalid_contract_version',
  ],
  ['a contractVersion of null [ERR-08]', { contractVersion: null }, /`contractVersion`/, 'invalid_contract_version'],
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
  ).map((field): [string, Record<string, unknown>, RegExp] => [
    `${field} as text`,
    { [field]: 'true' },
    new RegExp(`\`${field}\``),
  ]),
]

// Refusals change nothing, so one team gets them all.
let team: Team
let tracked: string
beforeAll(async () => {
  team = await world.team({ credits: 100 })
  tracked = (await search(team, { keyword: word(world) })).id
})

describe.each(both)('%s', (_name, call) => {
  it.each(bad)(
    'refuses %s, naming it, on both routes alike ' +
      '[KEY-47, KEY-10..KEY-15, KEY-17..KEY-36, KEY-39, KEY-40, AIF-01, AIF-05..AIF-07, EXP-06..EXP-10] ' +
      '[EXP-14, EXP-15, ERR-06, ERR-08, ERR-09]',
    async (_what, body, message, code) => {
      const answer = await refusedWithoutTrace(world, () => call(team, withTerm(body)))
      expect([answer.status, answer.body.code, answer.body.error]).toEqual([400, code, expect.stringMatching(message)])
    },
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
  const editable = bad.filter(([, body]) => {
    const fields = Object.keys(body)
    return fields.length > 0 && body.name !== null && !fields.some((one) => isSubject(one) || createOnly.includes(one))
  })
  it.each(editable)(
    'refuses %s as creation does, judged on the settings it comes to, and writes nothing [KEY-71, KEY-70]',
    async (_what, body, message, code) => {
      const answer = await refusedWithoutTrace(world, () => edit(team, tracked, { sort: 'RELEVANCE', ...body }))
      expect([answer.status, answer.body.code]).toEqual([400, code])
      if (!('aiModel' in body || 'aiPrompt' in body || 'aiProvider' in body)) expect(answer.body.error).toMatch(message)
    },
  )

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
