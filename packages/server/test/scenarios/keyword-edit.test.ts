import { describe, expect, it } from 'vitest'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'
import { edit, refused, search, searchRow, word } from './keyword-stage.ts'

const world = useWorld({ config: { roles: ['http'] } })
const member = `ACoAA${'p'.repeat(34)}`

async function tracked(settings: Record<string, unknown> = {}, credits = 100) {
  const team = await world.team({ credits })
  const made = await search(team, { keyword: word(world), ...settings })
  return { team, id: made.id as string, made }
}

/** Writes the schedule as runs would leave it; other files test the runs. */
async function afterRuns(
  team: Team,
  id: string,
  schedule: { runs: number; stopped?: 'max_runs' | 'run_once' | 'end_at' },
): Promise<void> {
  const now = await world.now()
  await world.database.pool.query(
    `update source
     set runs_completed = $3, stopped_reason = $4, stopped_at = $5, open_sync_id = null,
       next_sync_at = case when $4::text is null then next_sync_at end, ever_completed = true
     where team_id = $1 and id = $2`,
    [team.id, id, schedule.runs, schedule.stopped ?? null, schedule.stopped ? now : null],
  )
  await world.database.pool.query(
    `update sync
     set state = 'captured', stopped_by = 'exhausted', finished_at = $3
     where team_id = $1 and source_id = $2 and finished_at is null`,
    [team.id, id, now],
  )
}

describe('an edit', () => {
  it('changes what it names, tells what was and what differs, starts nothing [KEY-60, KEY-68, CON-03, SPD-15]', async () => {
    const { team, id, made } = await tracked({ name: 'Old', authorIndustry: ['4'] })
    const answer = await edit(team, id, {
      name: ' New ',
      captureReplies: false,
      creditCap: 40,
      authorKeyword: ['cto'],
      postBudget: 1,
    })
    expect(answer.status).toBe(200)
    const { previous, changed, ignoredFields, syncId, ...rest } = answer.body
    const { resumed: _resumed, syncId: firstRun, ...before } = made
    expect(rest).toEqual({
      ...before,
      name: 'New',
      captureReplies: false,
      creditCap: 40,
      config: { creditCap: 40 },
      authorKeyword: ['cto'],
      filters: { authorIndustry: ['4'], authorKeyword: ['cto'] },
    })
    expect([previous.name, previous.creditCap, previous.authorKeyword, syncId, ignoredFields]).toEqual([
      'Old',
      100,
      [],
      firstRun,
      ['postBudget'],
    ])
    expect(changed).toEqual([
      { field: 'name', from: 'Old', to: 'New' },
      { field: 'captureReplies', from: true, to: false },
      { field: 'authorKeyword', from: [], to: ['cto'] },
      { field: 'creditCap', from: 100, to: 40 },
    ])
    expect(await searchRow(team, id)).toMatchObject({ name: 'New', captureReplies: false, config: { creditCap: 40 } })
    expect((await edit(team, id, { name: 'New' })).body.changed).toEqual([])
  })

  const filters = {
    authorIndustry: ['4'],
    authorCompany: ['5'],
    authorKeyword: ['cto'],
    fromPerson: [member],
    fromCompany: ['6'],
    mentionsPerson: [member],
    mentionsCompany: ['7'],
  }
  it('clears filters by empty lists, one by one, and filters goes with the last [KEY-62, CON-06, KEY-28]', async () => {
    const { team, id } = await tracked(filters)
    for (const [at, field] of Object.keys(filters).entries()) {
      expect((await edit(team, id, { [field]: [] })).status).toBe(200)
      const row = await searchRow(team, id)
      expect([field, row[field], Object.keys(row.filters ?? {})]).toEqual([
        field,
        [],
        Object.keys(filters).slice(at + 1),
      ])
    }
    expect(await searchRow(team, id)).not.toHaveProperty('filters')
  })

  it('clears name, contentType, maxEngagementsPerPost and the AI filter by null, never by an empty text [KEY-63, C23]', async () => {
    const { team, id } = await tracked({
      name: 'N',
      contentType: 'IMAGE',
      captureMode: 'breadth',
      maxEngagementsPerPost: 4,
      aiProvider: 'openai',
      aiModel: 'm',
      aiPrompt: 'p',
    })
    for (const field of ['name', 'contentType', 'aiProvider', 'aiPrompt'])
      expect([field, (await refusedWithoutTrace(world, () => edit(team, id, { [field]: '' }))).status]).toEqual([
        field,
        400,
      ])
    for (const field of ['name', 'contentType', 'maxEngagementsPerPost'])
      expect((await edit(team, id, { [field]: null })).body[field]).toBeNull()
    const none = { aiProvider: null, aiModel: null, aiPrompt: null }
    expect((await edit(team, id, none)).body).toMatchObject(none)
    const cleared = { name: null, contentType: null, maxEngagementsPerPost: null, ...none }
    expect(await searchRow(team, id)).toMatchObject({ ...cleared, captureMode: 'breadth' })
  })

  it('writes the AI filter together: one of it alone is refused, unless it clears [KEY-64, AIF-05, AIF-06]', async () => {
    const { team, id } = await tracked({ aiProvider: 'openai', aiModel: 'm', aiPrompt: 'p' })
    for (const body of [
      { aiPrompt: 'q' },
      { aiProvider: 'google' },
      { aiModel: 'n' },
      { aiModel: null },
      { aiProvider: 'google', aiPrompt: null },
      { aiProvider: null, aiPrompt: 'q' },
      { aiProvider: null, aiModel: 'n' },
      { aiProvider: 'google', aiModel: 'n' },
    ])
      expect([body, (await refusedWithoutTrace(world, () => edit(team, id, body))).status]).toEqual([body, 400])
    expect((await edit(team, id, { aiProvider: 'google', aiPrompt: 'q' })).body).toMatchObject({
      aiProvider: 'google',
      aiModel: 'gemini-3.5-flash-lite',
      aiPrompt: 'q',
    })
    expect((await edit(team, id, { aiProvider: 'google', aiModel: 'n', aiPrompt: 'q' })).body).toMatchObject({
      aiModel: 'n',
    })
    expect((await edit(team, id, { aiPrompt: null })).body).toMatchObject({
      aiProvider: null,
      aiModel: null,
      aiPrompt: null,
    })
  })

  it('is judged on the result: depth drops the limit per post, posts-only its targets [KEY-71, KEY-36, KEY-32, ERR-09, G74]', async () => {
    const { team, id } = await tracked({ captureMode: 'breadth', maxEngagementsPerPost: 4, capturePostAuthors: true })
    expect((await edit(team, id, { captureEngagers: false })).body).toMatchObject({
      captureEngagers: false,
      capturePostAuthors: true,
    })
    expect(refused(await refusedWithoutTrace(world, () => edit(team, id, { capturePostAuthors: false })))).toEqual([
      400,
      { code: 'no_capture_target' },
    ])
    expect((await edit(team, id, { captureMode: 'depth' })).body).toMatchObject({ maxEngagementsPerPost: null })
    expect((await refusedWithoutTrace(world, () => edit(team, id, { maxEngagementsPerPost: 3 }))).status).toBe(400)
    expect((await refusedWithoutTrace(world, () => edit(team, id, { postsPerSync: 3 }))).status).toBe(400)
    expect((await edit(team, id, { mode: 'posts_only', postsPerSync: 5, confirmSpend: true })).body).toMatchObject({
      mode: 'posts_only',
      postsPerSync: 5,
      captureEngagers: null,
      capturePostAuthors: null,
    })
    expect((await refusedWithoutTrace(world, () => edit(team, id, { capturePostAuthors: true }))).status).toBe(400)
    expect((await edit(team, id, { postsPerSync: 4 })).body).toMatchObject({ postsPerSync: 4 })
    expect((await edit(team, id, { mode: 'engagers', confirmSpend: true })).body).toMatchObject({
      mode: 'engagers',
      postsPerSync: null,
      captureEngagers: true,
      capturePostAuthors: false,
    })
  })
})

describe('the yes an edit needs', () => {
  const usual = {
    creditCap: 100,
    mode: 'engagers',
    postsPerSync: null,
    estimatedDailyMax: 100,
    daysToExhaustAtCap: 1,
    remainingBalance: 100,
  }
  const watch = { mode: 'posts_only', postsPerSync: 5 }
  const raises: [string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>][] = [
    [
      'raising creditCap',
      { creditCap: 10 },
      { creditCap: 11 },
      { raised: ['creditCap'], creditCap: 11, estimatedDailyMax: 11, daysToExhaustAtCap: 9 },
    ],
    [
      'raising postsPerSync',
      watch,
      { postsPerSync: 6 },
      { raised: ['postsPerSync'], ...watch, postsPerSync: 6, estimatedDailyMax: 6, daysToExhaustAtCap: 16 },
    ],
    ['leaving posts-only', watch, { mode: 'engagers' }, { raised: ['mode'] }],
    ['becoming posts-only', {}, watch, { raised: ['mode'], ...watch, estimatedDailyMax: 5, daysToExhaustAtCap: 20 }],
    [
      'capturing engagers again',
      { captureEngagers: false, capturePostAuthors: true },
      { captureEngagers: true },
      { raised: ['captureEngagers'] },
    ],
    [
      'raising cap and posts',
      { ...watch, creditCap: 3 },
      { postsPerSync: 6, creditCap: 4 },
      {
        raised: ['creditCap', 'postsPerSync'],
        ...watch,
        creditCap: 4,
        postsPerSync: 6,
        estimatedDailyMax: 4,
        daysToExhaustAtCap: 25,
      },
    ],
  ]
  it.each(raises)(
    'for %s: 409 with previous, the resulting caps, what is raised and the figures, and nothing of the body ' +
      'is written; with it all is [KEY-65..KEY-67, KEY-69, SPD-01..SPD-05, SPD-14, C17]',
    async (_what, before, change, figures) => {
      const { team, id } = await tracked(before)
      const body = { ...change, name: 'Other', authorIndustry: ['9'], enrichLeads: false }
      const row = await searchRow(team, id)
      for (const flag of [{}, { confirmSpend: false }]) {
        const [status, answer] = refused(await refusedWithoutTrace(world, () => edit(team, id, { ...body, ...flag })))
        const { previous, ...rest } = answer
        expect([status, rest]).toEqual([409, { code: 'spend_confirmation_required', ...usual, ...figures }])
        expect(previous).toMatchObject({
          name: null,
          authorIndustry: [],
          enrichLeads: true,
          creditCap: row.config.creditCap,
          mode: row.mode,
          postsPerSync: row.postsPerSync,
        })
      }
      const done = await edit(team, id, { ...body, confirmSpend: true })
      expect([done.status, done.body]).toMatchObject([
        200,
        { ...change, name: 'Other', authorIndustry: ['9'], enrichLeads: false },
      ])
    },
  )

  it('is not asked of lowering, of equal values, or of anything else [KEY-68, SPD-15, SPD-06]', async () => {
    const { team, id } = await tracked({ creditCap: 50, capturePostAuthors: true }, 0)
    for (const body of [
      { creditCap: 50 },
      { creditCap: 49 },
      { captureEngagers: true },
      { captureEngagers: false },
      { name: 'x' },
      { datePosted: 'PAST_MONTH' },
      { authorIndustry: ['1'] },
      { aiProvider: 'openai', aiPrompt: 'x' },
      { captureMode: 'breadth' },
      { maxEngagementsPerPost: 9 },
      { maxRuns: 10 },
      { endAt: '2027-01-01' },
      { enrichLeads: false },
      { mode: 'engagers' },
    ])
      expect([body, (await edit(team, id, body)).status]).toEqual([body, 200])
    const posts = await tracked({ mode: 'posts_only', postsPerSync: 20 })
    for (const postsPerSync of [20, 5])
      expect((await edit(posts.team, posts.id, { mode: 'posts_only', postsPerSync })).status).toBe(200)
    expect((await edit(posts.team, posts.id, { postsPerSync: 6 })).status).toBe(409)
  })
})

describe('the schedule', () => {
  it(
    'of a stopped search starts again by more runs, by runOnce: false, by a later end: the stop is cleared and a ' +
      'run is queued, without a yes [KRN-20, C17, G73]',
    async () => {
      const cases: [
        Record<string, unknown>,
        Parameters<typeof afterRuns>[2],
        Record<string, unknown>,
        Record<string, unknown>,
      ][] = [
        [{ maxRuns: 2 }, { runs: 2, stopped: 'max_runs' }, { maxRuns: 3 }, { maxRuns: 3, runsCompleted: 2 }],
        [{ runOnce: true }, { runs: 1, stopped: 'run_once' }, { maxRuns: 4 }, { maxRuns: 4, runOnce: false }],
      ]
      for (const [settings, runs, change, schedule] of cases) {
        const { team, id } = await tracked(settings)
        await afterRuns(team, id, runs)
        const stopped = (await searchRow(team, id)).schedule
        expect(stopped).toMatchObject({ stoppedAt: expect.any(String), stoppedReason: runs.stopped, nextRunAt: null })
        const { status, body } = await edit(team, id, change)
        expect([change, status, body.schedule, typeof body.syncId]).toMatchObject([
          change,
          200,
          { ...schedule, stoppedAt: null, stoppedReason: null, nextRunAt: expect.any(String) },
          'string',
        ])
        expect((await team.get(`/keyword/${id}/sync`)).body).toMatchObject({ state: 'queued', syncId: body.syncId })
      }
    },
  )

  it('of a stopped search is lifted by a resume as by an edit; without credits or capture it stays due [KRN-20, G128]', async () => {
    const { team, id, made } = await tracked({ maxRuns: 1 })
    await afterRuns(team, id, { runs: 1, stopped: 'max_runs' })
    expect(await search(team, { keyword: made.keywords[0] })).toMatchObject({
      syncId: null,
      syncNotQueuedReason: expect.stringContaining('maxRuns'),
      schedule: { stoppedReason: 'max_runs', nextRunAt: null },
    })
    expect(await search(team, { keyword: made.keywords[0], maxRuns: 2 })).toMatchObject({
      syncId: expect.any(String),
      schedule: { stoppedAt: null },
    })
    const barred = await tracked({ maxRuns: 1 })
    await afterRuns(barred.team, barred.id, { runs: 1, stopped: 'max_runs' })
    await barred.team.change({ captureAllowed: false })
    expect((await edit(barred.team, barred.id, { maxRuns: 2 })).body).toMatchObject({
      syncId: null,
      syncNotQueuedReason: expect.stringContaining('plan'),
      schedule: { stoppedAt: null, nextRunAt: (await world.now()).toISOString() },
    })
  })
})
