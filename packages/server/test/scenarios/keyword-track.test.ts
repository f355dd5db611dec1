import { describe, expect, it } from 'vitest'
import { refusedWithoutTrace, sourcesOf } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'
import { defaults, refused, search, searchRow, send, word } from './keyword-stage.ts'

const world = useWorld({ config: { roles: ['http'] } })

describe('a new search', () => {
  it(
    'is 201 with every default, its first run queued at once, and is listed under its joined terms ' +
      '[KEY-01, KEY-16..KEY-19, KEY-28..KEY-30, KEY-32, KEY-34, KEY-35, KEY-38, KEY-78, TRK-43, KRN-24, SRC-05]',
    async () => {
      const team = await world.team({ credits: 100 })
      const [one, two] = [word(world), word(world)]
      const answer = await send(team, { keywords: [one, two] })
      expect(answer.status).toBe(201)
      const { id, syncId, schedule, ...rest } = answer.body
      const username = `${one} OR ${two}`
      expect(rest).toEqual({
        ...defaults,
        sourceId: id,
        type: 'keyword',
        username,
        status: 'active',
        keywords: [one, two],
        expression: null,
        config: { creditCap: 100 },
        filtering: { applied: false, suggestion: expect.any(String), aiKeyStoredFor: [] },
        seenPosts: 0,
        resumed: false,
      })
      expect(syncId).toMatch(/^[0-9a-f-]{36}$/)
      expect(schedule).toEqual({
        runsCompleted: 0,
        maxRuns: null,
        runOnce: false,
        endAt: null,
        nextRunAt: '2026-11-22T09:00:00.000Z',
        stoppedAt: null,
        stoppedReason: null,
      })
      const {
        sourceId: _source,
        expression: _none,
        filtering: _filter,
        seenPosts: _seen,
        resumed: _new,
        ...listed
      } = rest
      const row = await searchRow(team, id)
      expect(row).toMatchObject({ ...listed, id, schedule, creditCapPerSync: null })
      expect(row).not.toHaveProperty('filters')
      expect((await team.get(`/keyword/${id}/sync`)).body).toMatchObject({
        sourceId: id,
        type: 'keyword',
        username,
        state: 'queued',
        syncId,
        capture: { stoppedBy: null },
      })
      expect((await team.get('/sources?type=keyword')).body.sources.map((source: { id: string }) => source.id)).toEqual(
        [id],
      )
      expect((await team.get('/sources?type=person')).body.sources).toEqual([])
    },
  )

  it('keeps every setting it is given, filters as bare ids each once, and has no capture targets when it is posts-only [KEY-30, KEY-31, KEY-33, KEY-52, KEY-20..KEY-28, CON-03, ENR-54]', async () => {
    const team = await world.team({ credits: 100 })
    const [member, other] = [`ACoAA${'b'.repeat(34)}`, `ACoAA${'C-_'.repeat(11)}x`]
    const given = {
      name: '  Growth  ',
      captureReplies: false,
      enrichLeads: false,
      sort: 'RELEVANCE',
      datePosted: 'PAST_MONTH',
      contentType: 'VIDEO',
      aiProvider: 'mistral',
      aiModel: 'mistral-small',
      aiPrompt: 'Keep hiring posts',
      creditCap: 2_147_483_647,
      captureEngagers: false,
      capturePostAuthors: true,
      captureMode: 'breadth',
      maxEngagementsPerPost: 1,
      endAt: '2026-12-01T00:00:00Z',
      maxRuns: 3_650,
    }
    const filters = {
      authorIndustry: ['urn:li:industry:4', '4', '96'],
      authorCompany: ['urn:li:organization:1035', '1035'],
      authorKeyword: ['Head of Growth', 'founder'],
      fromPerson: [member, `urn:li:person:${member}`, other],
      fromCompany: ['1441', 'urn:li:organization:1441'],
      mentionsPerson: [`urn:li:person:${other}`],
      mentionsCompany: ['77'],
    }
    const bare = {
      authorIndustry: ['4', '96'],
      authorCompany: ['1035'],
      authorKeyword: ['Head of Growth', 'founder'],
      fromPerson: [member, other],
      fromCompany: ['1441'],
      mentionsPerson: [other],
      mentionsCompany: ['77'],
    }
    const made = await search(team, { keyword: word(world), ...given, ...filters })
    expect(made).toMatchObject({
      ...given,
      name: 'Growth',
      endAt: '2026-12-01T00:00:00.000Z',
      ...bare,
      filters: bare,
      schedule: { maxRuns: 3_650, endAt: '2026-12-01T00:00:00.000Z' },
    })
    expect(await searchRow(team, made.id)).toMatchObject({
      ...bare,
      filters: bare,
      config: { creditCap: 2_147_483_647 },
      captureReplies: false,
      enrichLeads: false,
    })
    expect(Object.keys((await searchRow(team, made.id)).filters)).toEqual(Object.keys(bare))
    const watch = { mode: 'posts_only', postsPerSync: 7 }
    const posts = await search(team, { keyword: word(world), ...watch })
    expect(posts).toMatchObject({ ...watch, captureEngagers: null, capturePostAuthors: null })
    expect(await searchRow(team, posts.id)).toMatchObject({ ...watch, captureEngagers: null })
  })

  it('with a blank model or none has the default of its provider, and takes no key [AIF-02, AIF-03, AIF-04]', async () => {
    const team = await world.team({ credits: 100 })
    const ai = { aiProvider: 'openai', aiPrompt: 'Keep hiring posts', aiKey: 'sk-secret', apiKey: 'sk-secret' }
    const [blank, none] = [
      await send(team, { keyword: word(world), ...ai, aiModel: '  ' }),
      await send(team, { keyword: word(world), ...ai }),
    ]
    for (const { status, text, body } of [blank, none]) {
      expect([status, body.aiProvider, body.aiModel, body.aiPrompt]).toEqual([
        201,
        'openai',
        'gpt-6-luna',
        'Keep hiring posts',
      ])
      expect(text).not.toContain('sk-secret')
    }
    expect(JSON.stringify(await sourcesOf(team))).not.toContain('sk-secret')
    expect(await searchRow(team, blank.body.id)).toMatchObject({ aiModel: 'gpt-6-luna' })
  })

  it('postBudget of any type is ignored and said so; unknown fields silently [KEY-41, KEY-42, VER-10, CON-25]', async () => {
    const team = await world.team({ credits: 100 })
    for (const postBudget of ['abc', 5, null, { a: [1] }, false])
      expect(await search(team, { keyword: word(world), postBudget, foo: 1 })).toMatchObject({
        ignoredFields: ['postBudget'],
        resumed: false,
      })
    expect(await search(team, { keyword: word(world), foo: 1 })).not.toHaveProperty('ignoredFields')
  })

  it('that many requests make at once is one search [CON-21, KEY-02]', async () => {
    const team = await world.team({ credits: 100 })
    const keyword = word(world)
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(team, { keyword })))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    expect(new Set(answers.map((answer) => `${answer.body.id} ${answer.body.syncId}`)).size).toBe(1)
    expect(await sourcesOf(team)).toHaveLength(1)
  })
})

describe('the identity of a search', () => {
  it('is its joined terms, in any case and spacing, whatever its name; keyword is a list of one [KEY-02, KEY-03, KEY-13]', async () => {
    const team = await world.team({ credits: 100 })
    const [one, two] = [word(world), word(world)]
    const first = await search(team, { keywords: [`${one} growth`, `"${two}"`], name: 'First' })
    for (const keywords of [
      [`${one} growth`, `"${two}"`],
      [` ${one.toUpperCase()}   GROWTH `, `“${two}”`],
    ]) {
      const again = await send(team, { keywords, name: 'Second' })
      expect([again.status, again.body]).toMatchObject([
        200,
        { id: first.id, resumed: true, seenPosts: 0, name: 'Second', username: first.username },
      ])
    }
    // Another order of the words is another search.
    expect((await send(team, { keywords: [`"${two}"`, `${one} growth`] })).status).toBe(201)
    const single = await search(team, { keyword: one, name: 'Second' })
    expect((await send(team, { keywords: [one] })).body).toMatchObject({ id: single.id, resumed: true })
    expect(await sourcesOf(team)).toHaveLength(3)
  })

  it('of an expression is its canonical form; a plain OR is the list of its terms [G60, EXP-06, EXP-11, EXP-16, KEY-14]', async () => {
    const team = await world.team({ credits: 100 })
    const [a, b, c] = [word(world), word(world), word(world)]
    const made = await search(team, { expression: `${a} AND  NOT ${b} OR "${c}  ops"` })
    expect(made).toMatchObject({ keywords: [a, `"${c} ops"`], resumed: false })
    const row = await searchRow(team, made.id)
    expect([row.expression, row.keywords]).toEqual([made.username, [a, `"${c} ops"`]])
    expect((await send(team, { expression: row.expression })).body).toMatchObject({ id: made.id, resumed: true })
    const list = await search(team, { keywords: [a, b] })
    expect((await send(team, { expression: `${a} ${b}` })).body).toMatchObject({ id: list.id, resumed: true })
  })
})

describe('a resume', () => {
  it('applies what it names, leaves the rest, and opens no second run [KEY-04, CON-03]', async () => {
    const team = await world.team({ credits: 100 })
    const keyword = word(world)
    const settings = { name: 'Mine', enrichLeads: false, capturePostAuthors: true, authorIndustry: ['4'], maxRuns: 9 }
    const first = await search(team, { keyword, ...settings })
    const again = await search(team, { keyword, creditCap: 7 })
    expect(again).toMatchObject({ id: first.id, syncId: first.syncId, creditCap: 7, ...settings })
    expect(await searchRow(team, first.id)).toMatchObject({
      config: { creditCap: 7 },
      name: 'Mine',
      enrichLeads: false,
    })
  })

  const rewrites: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['authorIndustry', { authorIndustry: ['4'] }, { authorIndustry: ['urn:li:industry:5'] }],
    ['authorKeyword', { authorKeyword: ['cto'] }, { authorKeyword: ['cto', 'ceo'] }],
    ['fromCompany', { fromCompany: ['1', '2'] }, { fromCompany: [] }],
    ['datePosted', {}, { datePosted: 'PAST_MONTH' }],
    ['contentType', { contentType: 'VIDEO' }, { contentType: 'IMAGE' }],
    ['aiPrompt', { aiProvider: 'openai', aiPrompt: 'One' }, { aiProvider: 'openai', aiPrompt: 'Two' }],
    ['aiModel', { aiProvider: 'openai', aiModel: 'small', aiPrompt: 'One' }, { aiProvider: 'openai', aiPrompt: 'One' }],
  ]
  it.each(rewrites)(
    'that would rewrite %s is 409 with previous, the result and what differs, until it is acknowledged [KEY-06, KEY-07, KEY-08, ERR-19]',
    async (field, before, after) => {
      const team = await world.team({ credits: 100 })
      const keyword = word(world)
      const { id } = await search(team, { keyword, ...before, name: 'Before' })
      const present = (await searchRow(team, id))[field]
      for (const flag of [{}, { confirmChanges: false }]) {
        const [status, body] = refused(
          await refusedWithoutTrace(world, () =>
            send(team, { keyword, ...after, ...flag, name: 'After', creditCap: 55 }),
          ),
        )
        expect([status, body]).toMatchObject([
          409,
          {
            code: 'settings_conflict',
            previous: { [field]: present, name: 'Before', creditCap: 100 },
            settings: { name: 'After', creditCap: 55 },
          },
        ])
        expect(body.changed).toEqual([{ field, from: present, to: (body.settings as Record<string, unknown>)[field] }])
      }
      const done = await search(team, { keyword, ...after, name: 'After', creditCap: 55, confirmChanges: true })
      expect([done.id, done[field]]).not.toEqual([id, present])
      expect(await searchRow(team, id)).toMatchObject({ name: 'After', creditCap: 55, [field]: done[field] })
    },
  )

  it('that repeats equal values is no rewrite, whatever their order, wrapping and number [KEY-09, G78]', async () => {
    const team = await world.team({ credits: 100 })
    const keyword = word(world)
    const { id } = await search(team, {
      keyword,
      authorIndustry: ['4', '96'],
      contentType: 'IMAGE',
      aiProvider: 'google',
      aiPrompt: 'Hiring',
    })
    const again = await send(team, {
      keyword,
      authorIndustry: ['urn:li:industry:96', '4', '96'],
      contentType: 'IMAGE',
      aiProvider: 'google',
      aiModel: '',
      aiPrompt: 'Hiring',
      sort: 'DATE_POSTED',
    })
    expect([again.status, again.body.id]).toEqual([200, id])
  })
})

describe('the yes to spending', () => {
  it(
    'is asked of a creation with the scope and the figures, and nothing is made; the same request with it goes ' +
      'through [KEY-43, SPD-01, SPD-02, SPD-04, SPD-05, SPD-13]',
    async () => {
      const team = await world.team({ credits: 250 })
      const body = { keyword: word(world), creditCap: 100, captureMode: 'breadth', datePosted: 'PAST_MONTH' }
      for (const flag of [{}, { confirmSpend: false }]) {
        expect(
          refused(await refusedWithoutTrace(world, () => team.post('/keyword/track', { ...body, ...flag }))),
        ).toEqual([
          409,
          {
            code: 'spend_confirmation_required',
            creditCap: 100,
            captureMode: 'breadth',
            datePosted: 'PAST_MONTH',
            estimatedDailyMax: 100,
            remainingBalance: 250,
            daysToExhaustAtCap: 2,
          },
        ])
      }
      for (const confirmSpend of ['true', 1, null])
        expect(
          (await refusedWithoutTrace(world, () => team.post('/keyword/track', { ...body, confirmSpend }))).status,
        ).toBe(400)
      expect((await team.post('/keyword/track', { ...body, confirmSpend: true })).status).toBe(201)
    },
  )

  it(
    'of a resume quotes the settings it comes to and a rewrite with it; the confirmed retry is still told of the ' +
      'rewrite [KEY-44, SPD-03, SPD-13, SPD-21, C14, G3]',
    async () => {
      const team = await world.team({ credits: 30 })
      const keyword = word(world)
      const { id } = await search(team, { keyword })
      const plain = { keyword, creditCap: 40, captureMode: 'depth', datePosted: 'PAST_WEEK' }
      const [status, body] = refused(await refusedWithoutTrace(world, () => team.post('/keyword/track', plain)))
      expect([status, body]).toEqual([
        409,
        {
          code: 'spend_confirmation_required',
          creditCap: 40,
          captureMode: 'depth',
          datePosted: 'PAST_WEEK',
          estimatedDailyMax: 40,
          remainingBalance: 30,
          daysToExhaustAtCap: 0,
        },
      ])
      const rewriting = { ...plain, datePosted: 'PAST_24_HOURS' }
      const asked = refused(await refusedWithoutTrace(world, () => team.post('/keyword/track', rewriting)))
      expect(asked).toMatchObject([
        409,
        {
          code: 'spend_confirmation_required',
          changed: [{ field: 'datePosted', from: 'PAST_WEEK', to: 'PAST_24_HOURS' }],
        },
      ])
      expect(
        (await refusedWithoutTrace(world, () => team.post('/keyword/track', { ...rewriting, confirmSpend: true }))).body
          .code,
      ).toBe('settings_conflict')
      expect(
        (await team.post('/keyword/track', { ...rewriting, confirmSpend: true, confirmChanges: true })).body,
      ).toMatchObject({ id, creditCap: 40, datePosted: 'PAST_24_HOURS' })
    },
  )
})
