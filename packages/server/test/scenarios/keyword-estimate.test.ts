import { describe, expect, it } from 'vitest'
import { snapshot } from '../world/snapshot.ts'
import { silent, track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'
import { edit, estimate, scope, search, searchRow, settingsIn, word } from './keyword-stage.ts'

const world = useWorld({ config: { roles: ['http'] } })

describe('an estimate', () => {
  it(
    'of a new search has its scope, its figures and the ceiling, and no previous, changed or settings ' +
      '[KEY-49..KEY-51, KEY-53..KEY-57, KEY-59, SPD-18, VER-09, G67, G76]',
    async () => {
      const team = await world.team({ credits: 250, keywordDailyCeiling: 777 })
      const keywords = [word(world), word(world)]
      const expected = {
        matchLogic: 'any',
        creditCap: 100,
        captureMode: 'depth',
        datePosted: 'PAST_WEEK',
        captureEngagers: true,
        capturePostAuthors: false,
        resumed: false,
        remainingBalance: 250,
        estimatedDailyMax: 100,
        daysToExhaustAtCap: 2,
        dailyCeiling: 777,
        filtering: { applied: false, suggestion: expect.stringContaining('aiProvider'), aiKeyStoredFor: [] },
      }
      for (const flags of [
        {},
        { confirmSpend: true },
        { confirmSpend: false, confirmChanges: true },
        { contractVersion: '2026-11-01' },
      ]) {
        const answer = await estimate(team, { keywords, ...flags })
        expect([answer.status, answer.body]).toEqual([200, expected])
      }
    },
  )

  it('of posts-only costs the smaller of posts and cap, and captures nobody [KEY-52, KEY-57]', async () => {
    const team = await world.team({ credits: 30 })
    const of = async (postsPerSync: number, creditCap: number) =>
      (await estimate(team, { keyword: 'x', mode: 'posts_only', postsPerSync, creditCap })).body
    expect(await of(9, 50)).toMatchObject({
      captureEngagers: null,
      capturePostAuthors: null,
      creditCap: 50,
      estimatedDailyMax: 9,
      daysToExhaustAtCap: 3,
    })
    expect(await of(50, 9)).toMatchObject({ creditCap: 9, estimatedDailyMax: 9 })
  })

  it('shows a balance that lasts no day as 0 days, and no figure as null [KEY-56, SPD-20]', async () => {
    const team = await world.team({ credits: 0 })
    const { body, text } = await estimate(team, { keyword: 'x' })
    expect(body).toMatchObject({ remainingBalance: 0, estimatedDailyMax: 100, daysToExhaustAtCap: 0 })
    expect(text).not.toMatch(/"(?:remainingBalance|estimatedDailyMax|daysToExhaustAtCap)":null/)
  })

  it('of a search that exists, active or deleted, has its settings and what would change [KEY-02, KEY-53..KEY-55]', async () => {
    const team = await world.team({ credits: 100 })
    const keyword = word(world)
    const made = await search(team, {
      keyword,
      name: 'Mine',
      authorIndustry: ['4'],
      captureEngagers: false,
      capturePostAuthors: true,
    })
    const { body: same } = await estimate(team, {
      keyword: keyword.toUpperCase(),
      name: 'Mine',
      authorIndustry: ['urn:li:industry:4'],
      creditCap: 100,
    })
    expect(same.resumed).toBe(true)
    expect(same).not.toHaveProperty('changed')
    expect(same).not.toHaveProperty('settings')
    const whole = settingsIn(made)
    expect(same.previous).toEqual(whole)
    await team.del(`/keyword/${made.id}`)
    const { status, body } = await estimate(team, {
      keyword,
      creditCap: 20,
      datePosted: 'PAST_MONTH',
      authorIndustry: ['4', '5'],
      aiProvider: 'openai',
      aiPrompt: 'Hiring',
      captureEngagers: true,
    })
    expect([status, body.previous, body.settings]).toEqual([
      200,
      whole,
      {
        ...whole,
        creditCap: 20,
        datePosted: 'PAST_MONTH',
        authorIndustry: ['4', '5'],
        aiProvider: 'openai',
        aiModel: 'gpt-6-luna',
        aiPrompt: 'Hiring',
        captureEngagers: true,
      },
    ])
    expect(body.changed).toEqual([
      { field: 'datePosted', from: 'PAST_WEEK', to: 'PAST_MONTH' },
      { field: 'authorIndustry', from: ['4'], to: ['4', '5'] },
      { field: 'aiProvider', from: null, to: 'openai' },
      { field: 'aiModel', from: null, to: 'gpt-6-luna' },
      { field: 'aiPrompt', from: null, to: 'Hiring' },
      { field: 'creditCap', from: 100, to: 20 },
      { field: 'captureEngagers', from: false, to: true },
    ])
    expect(body).toMatchObject({
      creditCap: 20,
      datePosted: 'PAST_MONTH',
      captureEngagers: true,
      capturePostAuthors: true,
      estimatedDailyMax: 20,
    })
  })

  it('names the providers whose key is stored, and warns when the filter has none, as tracking does [KEY-59, AIF-11, G65]', async () => {
    const team = await world.team({ credits: 10 })
    const ai = { keyword: 'x', aiProvider: 'google', aiPrompt: 'Hiring' }
    const { filtering } = (await estimate(team, ai)).body
    expect(filtering).toEqual({
      applied: true,
      suggestion: expect.stringContaining('google'),
      warning: expect.stringContaining('google'),
      aiKeyStoredFor: [],
    })
    // Tracking, resuming and editing say the same.
    for (const made of [await search(team, ai), await search(team, ai)]) expect(made.filtering).toEqual(filtering)
    expect((await edit(team, (await search(team, ai)).id, { name: 'Named' })).body.filtering).toEqual(filtering)
    for (const kind of ['mistral', 'google', 'outreach'])
      expect(
        (await world.operator('PUT', `/operator/teams/${team.id}/credentials/${kind}`, { key: 'k-123456789' })).status,
      ).toBeLessThan(300)
    expect((await estimate(team, ai)).body.filtering).toEqual({ applied: true, aiKeyStoredFor: ['google', 'mistral'] })
    expect((await estimate(team, { keyword: 'y' })).body.filtering).toMatchObject({
      applied: false,
      suggestion: expect.any(String),
      aiKeyStoredFor: ['google', 'mistral'],
    })
    const { id } = await search(team, { keyword: 'kept', aiProvider: 'openai', aiPrompt: 'Hiring' })
    expect((await estimate(team, { keyword: 'kept' })).body.filtering).toMatchObject({
      applied: true,
      suggestion: expect.stringContaining('openai'),
      warning: expect.stringContaining('openai'),
    })
    await edit(team, id, { aiProvider: null })
    expect((await estimate(team, { keyword: 'kept' })).body.filtering.applied).toBe(false)
  })

  it('never asks and never refuses for what exists: a rewrite, a known identifier, no yes [KEY-49, KEY-50, SPD-18, ERR-19]', async () => {
    const team = await world.team({ credits: 5 })
    const keyword = word(world)
    await search(team, { keyword })
    const handle = silent(world)
    await track(team, handle)
    for (const body of [
      { keyword, datePosted: 'PAST_MONTH' },
      { keyword: handle },
      { keyword: word(world), creditCap: 2_147_483_647 },
    ])
      expect((await estimate(team, body)).status).toBe(200)
    expect((await estimate(team, { keyword: handle })).body).toMatchObject({ resumed: false })
    // Several terms without an expression match any; the first test shows that it is told.
    for (const body of [{ keyword: 'one' }, { expression: 'one OR two' }])
      expect((await estimate(team, body)).body).not.toHaveProperty('matchLogic')
  })

  it('creates, resumes and charges nothing, and lists retired fields [KEY-41, KEY-42, KEY-48, KEY-58, CON-25]', async () => {
    const team = await world.team({ credits: 100 })
    const keyword = word(world)
    const { id } = await search(team, { keyword })
    await team.del(`/keyword/${id}`)
    const before = await snapshot(world.database.pool)
    for (const body of [
      { keyword, creditCap: 5, datePosted: 'PAST_MONTH' },
      { keyword: word(world) },
      { expression: 'a AND b' },
    ]) {
      expect(
        (await estimate(team, { ...scope, ...body, confirmChanges: true, postBudget: 'abc', foo: 1 })).body
          .ignoredFields,
      ).toEqual(['postBudget'])
      expect((await estimate(team, body)).body).not.toHaveProperty('ignoredFields')
    }
    expect(await snapshot(world.database.pool)).toEqual(before)
    expect((await searchRow(team, id)).status).toBe('inactive')
    expect(await team.balance()).toBe(100)
  })

  it('judges combinations on the settings a resume would come to, as tracking does [KEY-47, KEY-32]', async () => {
    const team = await world.team({ credits: 100 })
    const keyword = word(world)
    await search(team, { keyword, capturePostAuthors: true })
    expect((await estimate(team, { keyword, captureEngagers: false })).status).toBe(200)
    expect((await estimate(team, { keyword: word(world), captureEngagers: false })).body.code).toBe('no_capture_target')
  })
})
