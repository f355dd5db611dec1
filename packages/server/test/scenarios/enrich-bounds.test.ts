/** What tracking and editing a person or company refuses because of the request alone; a refusal changes nothing. */
import { beforeAll, describe, expect, it } from 'vitest'
import { kinds, refusedWithoutTrace, silent, track } from '../world/tracking.ts'
import { useWorld, type Answer, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })
let team: Team
beforeAll(async () => {
  team = await world.team()
})

type Kind = (typeof kinds)[number]
type Refusal = readonly [body: object, words: string, code?: string]

/** Sends every body about both kinds; each must answer 400 with these words, and all together change nothing. */
const refused = (send: (kind: Kind, body: object) => Promise<Answer>, rows: readonly Refusal[]): Promise<void> =>
  refusedWithoutTrace(world, async () => {
    for (const [body, words, code] of rows)
      for (const kind of kinds) {
        const { status, body: answer } = await send(kind, body)
        expect([kind.type, body, status, answer.code]).toEqual([kind.type, body, 400, code])
        expect(answer.error).toContain(words)
      }
  })

describe('tracking is 400', () => {
  const save = { saveTrackedProfile: true }
  const watch = { ...save, mode: 'posts_only', confirmSpend: true }
  const post = ({ route }: Kind, body: object) => team.post(route, body)
  const ofJane = (rows: readonly Refusal[]) =>
    refused(
      post,
      rows.map(([body, ...rest]) => [{ username: 'jane', ...body }, ...rest]),
    )

  it('without a username, or with a URL for a handle [ENR-04]', async () => {
    const names = ['', '   ', '@', 7, null, true, ['jane'], {}].map((username) => ({ username }))
    await refused(
      post,
      [{}, save, ...names].map((body) => [body, 'username']),
    )
    const url = { username: 'https://www.linkedin.com/in/jane-doe', ...save }
    expect((await refusedWithoutTrace(world, () => team.post('/enrich/profile', url))).status).toBe(400)
  })

  it('for settings without saveTrackedProfile: true [ENR-13, ENR-15, ENR-20, ENR-24, ENR-26, ENR-33, ENR-37]', () =>
    ofJane(
      Object.entries({
        captureReplies: [true, false],
        enrichLeads: [true, false],
        creditCapPerSync: [5, null],
        mode: ['engagers', 'posts_only'],
        postsPerSync: [5],
        firstSyncPosts: [5, null],
        firstSyncDays: [5, null],
      }).flatMap(([field, values]) =>
        values.flatMap((value) =>
          [{}, { saveTrackedProfile: false }, { confirmSpend: true }].map(
            (flag) => [{ [field]: value, ...flag }, field] as const,
          ),
        ),
      ),
    ))

  const values = [
    ['saveTrackedProfile', {}, ['true', 1, null]],
    ['captureReplies', save, ['true', 1, null]],
    ['enrichLeads', save, ['false', 0, null]],
    ['creditCapPerSync', save, [0, -1, 1.5, '5', 2_147_483_648, true]],
    ['mode', save, ['x', '', 'Engagers', null, 1]],
    ['postsPerSync', watch, [0, 61, 5.5, -1, '5', null]],
    ['firstSyncPosts', save, [0, 51, 1.5, '5', -1]],
    ['firstSyncDays', save, [0, 91, 1.5, '5', -1]],
    ['confirmSpend', { ...watch, postsPerSync: 5 }, ['true', 1, null]],
  ] as const
  it('for values out of bounds or of another type [ENR-05, ENR-12, ENR-14, ENR-19, ENR-23, ENR-25, ENR-27, ENR-32, ENR-36, SPD-05]', () =>
    ofJane(
      values.flatMap(([field, beside, bad]) => bad.map((value) => [{ ...beside, [field]: value }, field] as const)),
    ))

  it('for settings that do not go together, in preference to asking for a yes [ENR-25, ENR-26, ENR-34, ENR-37, SPD-19]', () =>
    ofJane([
      [watch, 'postsPerSync'],
      [{ ...save, mode: 'posts_only' }, 'postsPerSync'],
      [{ ...save, mode: 'posts_only', postsPerSync: 0 }, 'postsPerSync'],
      [{ ...save, mode: 'engagers', postsPerSync: 5 }, 'postsPerSync'],
      [{ ...save, postsPerSync: 5 }, 'postsPerSync'],
      [{ ...watch, postsPerSync: 5, firstSyncPosts: 5 }, 'firstSyncPosts'],
      [{ ...watch, postsPerSync: 5, firstSyncDays: 5 }, 'firstSyncDays'],
      [{ ...save, mode: 'posts_only', postsPerSync: 5, firstSyncPosts: 5 }, 'firstSyncPosts'],
      [{ ...save, mode: 'posts_only', postsPerSync: 5, creditCapPerSync: 0 }, 'creditCapPerSync'],
    ]))

  it('for creditCap, which is creditCapPerSync here, before anything else [ENR-22]', () => {
    const bodies = [
      { creditCap: 5 },
      { creditCap: null },
      { username: 'jane', ...save, creditCap: 5, creditCapPerSync: 5 },
      { creditCap: 5, mode: 'x', unknown: 1 },
    ]
    return refused(
      post,
      bodies.map((body) => [body, 'creditCapPerSync', 'renamed_field']),
    )
  })
})

describe('an edit is 400', () => {
  const names = { person: '', company: '' }
  beforeAll(async () => {
    for (const { type, route } of kinds) {
      names[type] = silent(world, type)
      await track(team, names[type], { creditCapPerSync: 20 }, route)
    }
  })
  const patch = ({ family, type }: Kind, body: object) => team.call('PATCH', `/${family}/${names[type]}`, body)

  it('for settings that are none, alone, together or as they are [TRK-02, TRK-03, TRK-04, TRK-05, TRK-07, TRK-08]', () =>
    refused(patch, [
      [{}, 'creditCapPerSync'],
      [{ confirmSpend: true }, 'at least one'],
      [{ postsPerSync: 5 }, '`postsPerSync`'],
      [{ mode: 'engagers', postsPerSync: 5 }, '`postsPerSync`'],
      [{ enrichLeads: true, postsPerSync: 5 }, '`postsPerSync`'],
      [{ mode: 'posts_only' }, '`postsPerSync`'],
      ...['true', 1, null].flatMap((value): Refusal[] => [
        [{ captureReplies: value }, '`captureReplies`'],
        [{ enrichLeads: value }, '`enrichLeads`'],
        [{ enrichLeads: true, confirmSpend: value }, '`confirmSpend`'],
      ]),
      ...['raw', 'Engagers', '', null, 1].map((mode) => [{ mode }, '`mode`'] as const),
    ]))

  it('for a property that is unknown or renamed, before a bad value [TRK-09, TRK-10, ERR-04, VER-13]', () =>
    refused(patch, [
      [{ foo: 1 }, '`foo`', 'unknown_field'],
      [{ enrichLeads: true, firstSyncPosts: 5 }, '`firstSyncPosts`', 'unknown_field'],
      [{ username: 'x', enrichLeads: true }, '`username`', 'unknown_field'],
      [{ creditCapPerSync: 0, foo: 1 }, '`foo`', 'unknown_field'],
      [{ creditCap: 5 }, 'creditCapPerSync', 'renamed_field'],
      [{ foo: 1, creditCap: 5, creditCapPerSync: 5 }, 'creditCapPerSync', 'renamed_field'],
    ]))

  it('before it is looked up: a bad body of an unknown handle is 400, a good one 404 [TRK-17]', async () => {
    for (const { family } of kinds) {
      const path = `/${family}/${world.handle('nobody')}`
      expect((await team.call('PATCH', path, {})).status).toBe(400)
      expect((await refusedWithoutTrace(world, () => team.call('PATCH', path, { enrichLeads: false }))).status).toBe(
        404,
      )
    }
  })
})
