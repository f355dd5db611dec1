/** The two contracts of tracking a keyword search, before and after the cutover, an instant of service time. */
import { describe, expect, it } from 'vitest'
import { refusedWithoutTrace, sourcesOf } from '../world/tracking.ts'
import { useWorld, type Team, type World } from '../world/world.ts'
import { estimate, refused, scope, word } from './keyword-stage.ts'

const cutover = '2026-11-01T00:00:00.000Z'
const clock = (start: string) => ({ mode: 'manual', start: new Date(start) }) as const
const after = useWorld({ config: { roles: ['http'] } })
const before = useWorld({ config: { roles: ['http'], clock: clock('2026-10-31T23:59:00Z') } })
const never = useWorld({ config: { roles: ['http'], keywordCutoverAt: null } })

const { confirmSpend: _yes, ...scoped } = scope
const track = (team: Team, body: Record<string, unknown>) => team.post('/keyword/track', body)
const missing = ['creditCap', 'captureMode', 'datePosted'] as const
const without = (field: string) => Object.fromEntries(Object.entries(scope).filter(([name]) => name !== field))

async function expectSpendContract(world: World, pin: Record<string, unknown>): Promise<void> {
  const team = await world.team({ credits: 100 })
  const keyword = word(world)
  for (const field of missing) {
    const answer = await refusedWithoutTrace(world, () => track(team, { keyword, ...without(field), ...pin }))
    expect([answer.status, answer.body.code, answer.body.error]).toEqual([
      400,
      'scope_required',
      expect.stringContaining(`\`${field}\``),
    ])
  }
  expect(refused(await refusedWithoutTrace(world, () => track(team, { keyword, ...pin })))).toEqual([
    400,
    { code: 'scope_required', missing: [...missing] },
  ])
  expect(refused(await refusedWithoutTrace(world, () => track(team, { keyword, ...scoped, ...pin })))).toMatchObject([
    409,
    { code: 'spend_confirmation_required', creditCap: 100 },
  ])
  // Explicit defaults count as a scope, because only presence matters.
  const made = await track(team, { keyword, ...scope, ...pin })
  expect([made.status, made.body.creditCap, 'deprecations' in made.body, 'cutoverAt' in made.body]).toEqual([
    201,
    100,
    false,
    false,
  ])
  expect(
    refused(
      await refusedWithoutTrace(world, () => track(team, { keyword, creditCap: 5, confirmSpend: true, ...pin })),
    )[1].code,
  ).toBe('scope_required')
  expect((await estimate(team, { keyword, ...pin })).status).toBe(200)
}

async function expectOlderContract(
  world: World,
  pin: Record<string, unknown>,
  cutoverAt: string | null,
): Promise<void> {
  const team = await world.team({ credits: 100 })
  const keyword = word(world)
  const made = await track(team, { keyword, ...pin })
  expect([made.status, made.body.cutoverAt, made.body.creditCap]).toEqual([201, cutoverAt, 100])
  expect(made.body.deprecations.map(({ field }: { field: string }) => field)).toEqual([...missing, 'confirmSpend'])
  for (const { field, message } of made.body.deprecations) expect(message).toContain(field)
  const again = await track(team, { keyword, creditCap: 9, confirmSpend: true, ...pin })
  expect([
    again.status,
    again.body.resumed,
    again.body.creditCap,
    again.body.deprecations.map(({ field }: { field: string }) => field),
  ]).toEqual([200, true, 9, ['captureMode', 'datePosted']])
  const whole = await track(team, { keyword, ...scope, ...pin })
  expect([whole.status, 'deprecations' in whole.body, 'cutoverAt' in whole.body]).toEqual([200, false, false])
  // Only a rewrite needs confirmation; posts-only does not.
  expect(
    refused(await refusedWithoutTrace(world, () => track(team, { keyword, datePosted: 'PAST_MONTH', ...pin }))),
  ).toMatchObject([
    409,
    { code: 'settings_conflict', changed: [{ field: 'datePosted', from: 'PAST_WEEK', to: 'PAST_MONTH' }] },
  ])
  expect((await track(team, { keyword, datePosted: 'PAST_MONTH', confirmChanges: true, ...pin })).status).toBe(200)
  expect((await track(team, { keyword: word(world), mode: 'posts_only', postsPerSync: 5, ...pin })).status).toBe(201)
  expect((await estimate(team, { keyword, ...pin })).body).not.toHaveProperty('deprecations')
}

describe('from the cut-over on', () => {
  it('nothing named is the spend contract: scope by name, then a yes [KEY-45, KEY-46, VER-04, VER-05, VER-07, ERR-07]', () =>
    expectSpendContract(after, {}))
  it('and so is a pin to it [VER-03, VER-04]', () => expectSpendContract(after, { contractVersion: '2026-11-01' }))

  it('a pin to the older contract or an unknown one is refused, naming it, also by the estimate [VER-03, VER-08, ERR-08, G69]', async () => {
    const team = await after.team({ credits: 100 })
    for (const [contractVersion, said] of [
      ['2026-09-09', '2026-09-09'],
      ['2026-12-01', 'contractVersion'],
    ])
      for (const path of ['/keyword/track', '/keyword/estimate']) {
        const { status, body } = await refusedWithoutTrace(after, () =>
          team.post(path, { keyword: word(after), ...scope, contractVersion }),
        )
        expect([status, body.code]).toEqual([400, 'invalid_contract_version'])
        expect(body.error).toContain(said)
      }
  })
})

describe('before the cut-over', () => {
  it('nothing named is the older contract: without scope or yes, told what to add by when [VER-05, VER-06, C14, C15, C16, G70]', () =>
    expectOlderContract(before, {}, cutover))
  it('and so is a pin to it [VER-03, VER-06]', () =>
    expectOlderContract(before, { contractVersion: '2026-09-09' }, cutover))
  it('a pin to the spend contract holds already [VER-03, VER-04, C15, G71]', async () => {
    await expectSpendContract(before, { contractVersion: '2026-11-01' })
    const team = await before.team({ credits: 100 })
    expect(
      refused(
        await track(team, {
          keyword: 'posts',
          mode: 'posts_only',
          postsPerSync: 3,
          creditCap: 5,
          datePosted: 'PAST_WEEK',
          confirmSpend: true,
          contractVersion: '2026-11-01',
        }),
      ),
    ).toEqual([400, { code: 'scope_required', missing: ['captureMode'] }])
  })

  it('is until the instant itself, by the service clock [VER-05, VER-07]', async () => {
    const team = await before.team({ credits: 100 })
    const keyword = word(before)
    expect((await track(team, { keyword })).status).toBe(201)
    await before.move('60s')
    expect((await track(team, { keyword })).body.code).toBe('scope_required')
    expect((await track(team, { keyword, ...scope })).body).toMatchObject({ resumed: true })
    expect(await sourcesOf(team)).toHaveLength(1)
  })
})

describe('without a configured cut-over', () => {
  it('the older contract goes on, and cutoverAt is null [VER-06, G68]', () => expectOlderContract(never, {}, null))
})
