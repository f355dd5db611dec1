import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { les, type Outcome } from '../../../cli/test/shell.ts'
import { amount } from '../world/amount.ts'
import { silent, sourcesOf } from '../world/tracking.ts'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'les-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const config = (
  team: Team,
  words: readonly string[],
  file: string,
  env: Record<string, string> = {},
): Promise<Outcome> =>
  les(['config', ...words, '--file', join(folder, file)], { url: world.url, env: { LES_API_KEY: team.apiKey, ...env } })
const text = (file: string) => readFileSync(join(folder, file), 'utf8')
const ok = async (outcome: Promise<Outcome>): Promise<Outcome> => {
  const done = await outcome
  expect([done.code, done.stderr]).toEqual([0, done.stderr])
  return done
}

describe('a file', () => {
  let one: Team
  let other: Team
  beforeAll(async () => {
    ;[one, other] = [await world.team({ credits: 5_000 }), await world.team({ credits: 5_000 })]
    world.network.seedSearch({ generated: false, posts: [] })
    const [person, company] = [silent(world), silent(world, 'company')]
    await one.post('/enrich/profile', { username: person, saveTrackedProfile: true, creditCapPerSync: 50 })
    const posts = { mode: 'posts_only', postsPerSync: 5, confirmSpend: true }
    await one.post('/enrich/company', { username: company, saveTrackedProfile: true, ...posts })
    const search = { creditCap: 40, captureMode: 'depth', datePosted: 'PAST_WEEK', confirmSpend: true }
    const terms = [world.handle('term'), world.handle('term')]
    await one.post('/keyword/track', { keywords: terms, ...search, capturePostAuthors: true, fromCompany: ['1234'] })
    const expression = `"${world.handle('word')}" AND hiring AND NOT intern`
    const withExpression = { expression, ...search, creditCap: 30, mentionsCompany: ['urn:li:organization:7'] }
    const { status, body } = await one.post('/keyword/track', withExpression)
    expect([status, body.error]).toEqual([201, undefined])
    const { id } = world.network.seedPost({ author: world.handle('author') })
    await one.post('/post/track', { postUrl: `urn:li:activity:${id}`, creditCapPerSync: 5, captureReplies: false })
    await one.put(`/profile/${person}/webhook`, { webhookUrl: 'http://127.0.0.1:9/hook', autoSend: false })
    const rules = [{ column: 'jobTitle', operator: 'contains', value: 'growth' }]
    await one.put(`/company/${company}/icp`, { rules, matchMode: 'any' })
    await one.put('/agent', { titles: ['Head of Growth'], topics: ['growth'], dailyCredits: 100 })
    await world.drain()
  })

  it('of one team makes another the same: nothing differs afterwards, and a second run does nothing [CLI-02, SPD-01]', async () => {
    await ok(config(one, ['pull'], 'team.yaml'))
    expect((await ok(config(one, ['plan'], 'team.yaml'))).stdout).toMatch(/^Nothing to do\./)
    const plan = await ok(config(other, ['plan'], 'team.yaml'))
    expect(plan.stdout).toContain('Credits: at most 130 a day more; 5000 left now.')
    expect(plan.stdout).not.toContain(one.signingSecret)
    const refused = await config(other, ['apply'], 'team.yaml')
    expect([refused.code, await sourcesOf(other)]).toEqual([3, []])
    const figures = await ok(config(other, ['plan', '--json'], 'team.yaml'))
    expect(JSON.parse(refused.stdout)).toEqual(JSON.parse(figures.stdout))
    const applied = await ok(config(other, ['apply', '--confirm-spend'], 'team.yaml'))
    expect(applied.stderr).toContain('nothing differs')
    expect((await ok(config(other, ['apply'], 'team.yaml'))).stderr).toContain('Nothing to do.')
    await ok(config(other, ['pull'], 'other.yaml'))
    const sorted = (file: string) =>
      text(file)
        .split(/\n(?= {2}- )/)
        .sort()
    expect(sorted('other.yaml').join('\n').split('\n').sort()).toEqual(
      sorted('team.yaml').join('\n').split('\n').sort(),
    )
  })

  it('keeps its comments and what stands in the environment when it is pulled again', async () => {
    const env = { HOOK: 'http://127.0.0.1:9/hook' }
    const commented = text('team.yaml').replace('version: 1', 'version: 1 # ours').replace(env.HOOK, '${env:HOOK}')
    writeFileSync(join(folder, 'kept.yaml'), commented)
    await one.call('PATCH', `/profile/${(await sourcesOf(one)).find(({ type }) => type === 'person').username}`, {
      creditCapPerSync: 60,
    })
    expect((await config(one, ['plan'], 'kept.yaml')).stderr).toContain('HOOK in the environment')
    await ok(config(one, ['pull'], 'kept.yaml', env))
    expect(text('kept.yaml')).toBe(commented.replace('creditCapPerSync: 50', 'creditCapPerSync: 60'))
    const back = await ok(config(one, ['plan'], 'team.yaml'))
    expect(back.stdout).toContain('creditCapPerSync: 60 -> 50')
    await ok(config(one, ['apply'], 'team.yaml'))
    expect((await ok(config(one, ['plan'], 'team.yaml'))).stdout).toMatch(/^Nothing to do\./)
  })

  it('that was applied halfway is applied to its end by the next run, and prunes only when it is told to', async () => {
    const third = await world.team({ credits: 5_000 })
    const person = (await sourcesOf(one)).find(({ type }) => type === 'person').username
    await third.post('/enrich/profile', { username: person, saveTrackedProfile: true, creditCapPerSync: 50 })
    const extra = silent(world)
    await third.post('/enrich/profile', { username: extra, saveTrackedProfile: true })
    await world.drain()
    const plan = await ok(config(third, ['plan'], 'team.yaml'))
    expect(plan.stdout).not.toContain(`+ person ${person}`)
    expect(plan.stdout).toContain('1 tracked and not in the file: kept')
    await ok(config(third, ['apply', '--confirm-spend'], 'team.yaml'))
    expect((await sourcesOf(third)).filter(({ status }) => status === 'active')).toHaveLength(6)
    await ok(config(third, ['apply', '--prune'], 'team.yaml'))
    expect(
      (await sourcesOf(third)).filter(({ status }) => status === 'active').map(({ username }) => username),
    ).not.toContain(extra)
  })

  it('gives every yes that is wanted: to another mode of a search, and to what a revived one looks for [SPD-01, SPD-04]', async () => {
    const team = await world.team({ credits: 1_000 })
    const term = world.handle('term')
    const apply = (settings: string) => {
      writeFileSync(
        join(folder, 'yes.yaml'),
        `version: 1\nsources:\n  - search: [${term}]\n    settings: { captureMode: depth, ${settings} }\n`,
      )
      return ok(config(team, ['apply', '--confirm-spend'], 'yes.yaml'))
    }
    await apply('creditCap: 40, datePosted: PAST_WEEK')
    await apply('creditCap: 40, datePosted: PAST_WEEK, mode: posts_only, postsPerSync: 5')
    await apply('creditCap: 60, datePosted: PAST_WEEK, mode: posts_only, postsPerSync: 5')
    const [source] = await sourcesOf(team)
    expect((await team.del(`/keyword/${source!.id}`)).status).toBe(200)
    await apply('creditCap: 20, datePosted: PAST_MONTH, mode: engagers')
    expect(await sourcesOf(team)).toMatchObject([{ id: source!.id, status: 'active', mode: 'engagers' }])
  })
})

describe('a pulled file', () => {
  const env = { LES_SECRET: 'never to be seen by the network' }
  const texts = fc.oneof(
    fc.constantFrom('${env:LES_SECRET}', '$${env:LES_SECRET}', '$$${env:LES_SECRET}', 'x ${env:LES_SECRET}'),
    fc.constantFrom('yes', 'null', '~', '007', '1e3', '- a', '# no comment', '{a: 1}', 'it\'s: "so"', '&a *b', 'Größe'),
    fc.constantFrom('two\nlines', 'a\n  b\n', 'tab\tin it', 'a, b', '<<', '!!str x', '%'),
  )
  const filled = texts.map((text) => `w ${text}`)
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
  const agents = fc.record({
    website: maybe(fc.constantFrom('https://www.example.com', null)),
    summary: maybe(texts),
    titles: fc.array(texts, { minLength: 1, maxLength: 3 }),
    topics: maybe(fc.array(texts, { maxLength: 2 })),
    countries: maybe(fc.array(fc.constantFrom('Norway', 'Iceland'), { maxLength: 2 })),
    competitors: maybe(fc.array(fc.record({ name: filled }), { maxLength: 2 })),
    companySizes: maybe(fc.constantFrom(['11-50'], [])),
    dailyCredits: maybe(fc.integer({ min: 50, max: 500 })),
    webhook: maybe(
      fc.record({ url: fc.constant('http://127.0.0.1:9/agent'), autoSend: fc.boolean(), filters: fc.constant([]) }),
    ),
  })
  const watched = fc.oneof(
    fc.record({ creditCapPerSync: fc.constantFrom(null, 5, 50), captureReplies: fc.boolean() }),
    fc.record({ mode: fc.constant('posts_only'), postsPerSync: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ firstSyncPosts: fc.constantFrom(null, 3), enrichLeads: fc.boolean() }),
  )
  const searches = fc.record(
    {
      name: filled,
      sort: fc.constantFrom('RELEVANCE', 'DATE_POSTED'),
      contentType: fc.constantFrom('VIDEO', 'IMAGE'),
      authorKeyword: fc.constantFrom(['${env:LES_SECRET}'], ['head']),
      maxRuns: fc.constantFrom(1, 3),
      aiProvider: fc.constant('openai'),
      aiModel: fc.constant('${env:LES_SECRET}'),
      captureMode: fc.constantFrom('depth', 'breadth'),
      mode: fc.constant('posts_only'),
    },
    { requiredKeys: ['captureMode'] },
  )
  const rules = fc.array(
    fc.record({
      column: fc.constantFrom('jobTitle', 'company', 'name'),
      operator: fc.constantFrom('equals', 'contains'),
      value: texts,
    }),
    { maxLength: 2 },
  )
  const hook = fc.record({ autoSend: fc.boolean(), icpOnly: fc.boolean(), syncEvents: fc.boolean() })
  const states = fc.record({
    agent: maybe(agents),
    person: watched,
    company: watched,
    terms: fc.array(fc.constantFrom('growth', '"${env:LES_SECRET}"', 'yes', "it's"), { minLength: 1, maxLength: 3 }),
    search: searches,
    rules,
    hook: maybe(hook),
  })

  it('of whatever a team has set plans to no change, and gives another team the same texts [FIX-03]', async () => {
    await fc.assert(
      fc.asyncProperty(states, async (state) => {
        const [team, other] = [await world.team({ credits: 5_000 }), await world.team({ credits: 5_000 })]
        const made = async (answer: Promise<{ status: number; body: any }>): Promise<void> => {
          const { status, body } = await answer
          expect([status < 300, body]).toEqual([true, body])
        }
        const [person, company] = [silent(world), silent(world, 'company')]
        const tracked = { saveTrackedProfile: true, confirmSpend: true }
        await made(team.post('/enrich/profile', { username: person, ...tracked, ...state.person }))
        await made(team.post('/enrich/company', { username: company, ...tracked, ...state.company }))
        const { search } = state
        await made(
          team.post('/keyword/track', {
            keywords: [...new Set(state.terms)],
            creditCap: 5,
            datePosted: 'PAST_WEEK',
            confirmSpend: true,
            ...search,
            ...(search.mode ? { postsPerSync: 2 } : {}),
            ...(search.aiProvider ? { aiPrompt: '${env:LES_SECRET}' } : { aiModel: undefined }),
          }),
        )
        await made(team.put(`/profile/${person}/icp`, { rules: state.rules, matchMode: 'any' }))
        if (state.hook)
          await made(team.put(`/profile/${person}/webhook`, { webhookUrl: 'http://127.0.0.1:9/hook', ...state.hook }))
        if (state.agent) await made(team.put('/agent', state.agent))
        rmSync(join(folder, 'random.yaml'), { force: true })
        for (const time of ['new', 'again']) {
          await ok(config(team, ['pull'], 'random.yaml', env))
          const { stdout } = await ok(config(team, ['plan'], 'random.yaml', env))
          expect([time, stdout]).toEqual([time, 'Nothing to do.\n'])
        }
        expect((await ok(config(other, ['apply', '--confirm-spend'], 'random.yaml', env))).stderr).not.toContain(
          'secret',
        )
        const settingsOf = async (of: Team) => {
          const { agent } = (await of.get('/agent')).body
          const sources = (await sourcesOf(of)).map(
            ({ type, keywords, aiPrompt, aiModel, name, authorKeyword, mode }) => [
              type,
              { keywords, aiPrompt, aiModel, name, authorKeyword, mode },
            ],
          )
          const criteria = (await of.get(`/profile/${person}/icp`)).body.rules
          return { agent: agent && [agent.profile, agent.dailyCredits], sources: sources.sort(), criteria }
        }
        expect(await settingsOf(other)).toEqual(await settingsOf(team))
      }),
      { numRuns: amount(5, 12) },
    )
  })
})
