import { beforeAll, describe, expect, it } from 'vitest'
import { kinds, refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })
let team: Team
beforeAll(async () => {
  team = await world.team()
})

const save = { saveTrackedProfile: true }
const watch = { ...save, mode: 'posts_only', confirmSpend: true }

/** Sends a body to both routes; each must answer 400, name the field and change nothing. */
async function refused(body: Record<string, unknown>, field: string, code?: string): Promise<void> {
  for (const { route } of kinds) {
    const answer = await refusedWithoutTrace(world, () => team.post(route, body))
    expect([route, answer.status, answer.body.code]).toEqual([route, 400, code])
    expect(answer.body.error).toContain(field)
  }
}

describe('is 400:', () => {
  it.each([
    [{}],
    [{ username: '' }],
    [{ username: '   ' }],
    [{ username: '@' }],
    [{ username: 7 }],
    [{ username: null }],
    [{ username: true }],
    [{ username: ['jane'] }],
    [{ username: {} }],
    [{ ...save }],
  ])('a body without a username: %j [ENR-04]', (body) => refused(body, 'username'))

  it('a URL in the place of a person’s handle [ENR-04]', async () => {
    const answer = await refusedWithoutTrace(world, () =>
      team.post('/enrich/profile', { username: 'https://www.linkedin.com/in/jane-doe', ...save }),
    )
    expect([answer.status, answer.body.code]).toEqual([400, undefined])
  })

  const trackedOnly = [
    ['captureReplies', [true, false], 'ENR-13'],
    ['enrichLeads', [true, false], 'ENR-15'],
    ['creditCapPerSync', [5, null], 'ENR-20'],
    ['mode', ['engagers', 'posts_only'], 'ENR-24'],
    ['postsPerSync', [5], 'ENR-26'],
    ['firstSyncPosts', [5, null], 'ENR-33'],
    ['firstSyncDays', [5, null], 'ENR-37'],
  ] as const
  it.each(trackedOnly)('%s (%j) without saveTrackedProfile: true [%s]', async (field, values) => {
    for (const value of values)
      for (const flag of [{}, { saveTrackedProfile: false }, { confirmSpend: true }])
        await refused({ username: 'jane', [field]: value, ...flag }, field)
  })

  const values = [
    ['saveTrackedProfile', {}, ['true', 1, null], 'ENR-05'],
    ['captureReplies', save, ['true', 1, null], 'ENR-12'],
    ['enrichLeads', save, ['false', 0, null], 'ENR-14'],
    ['creditCapPerSync', save, [0, -1, 1.5, '5', 2_147_483_648, true], 'ENR-19'],
    ['mode', save, ['x', '', 'Engagers', null, 1], 'ENR-23'],
    ['postsPerSync', watch, [0, 61, 5.5, -1, '5', null], 'ENR-27, ENR-25'],
    ['firstSyncPosts', save, [0, 51, 1.5, '5', -1], 'ENR-32'],
    ['firstSyncDays', save, [0, 91, 1.5, '5', -1], 'ENR-36'],
    ['confirmSpend', watch, ['true', 1, null], 'SPD-05'],
  ] as const
  it.each(values)('%s out of its bounds or of another type, beside %j: %j [%s]', async (field, beside, bad) => {
    for (const value of bad)
      await refused(
        { username: 'jane', ...beside, ...(field === 'confirmSpend' ? { postsPerSync: 5 } : {}), [field]: value },
        field,
      )
  })

  it.each([
    { what: 'posts_only without postsPerSync', settings: watch, field: 'postsPerSync', ids: 'ENR-25' },
    {
      what: 'postsPerSync with mode engagers',
      settings: { ...save, mode: 'engagers', postsPerSync: 5 },
      field: 'postsPerSync',
      ids: 'ENR-26',
    },
    {
      what: 'postsPerSync without a mode',
      settings: { ...save, postsPerSync: 5 },
      field: 'postsPerSync',
      ids: 'ENR-26',
    },
    {
      what: 'firstSyncPosts with posts_only',
      settings: { ...watch, postsPerSync: 5, firstSyncPosts: 5 },
      field: 'firstSyncPosts',
      ids: 'ENR-34',
    },
    {
      what: 'firstSyncDays with posts_only',
      settings: { ...watch, postsPerSync: 5, firstSyncDays: 5 },
      field: 'firstSyncDays',
      ids: 'ENR-37',
    },
  ])('$what [$ids]', ({ settings, field }) => refused({ username: 'jane', ...settings }, field))

  it.each([
    [{ creditCap: 5 }],
    [{ creditCap: null }],
    [{ username: 'jane', creditCap: 5 }],
    [{ username: 'jane', ...save, creditCap: 5, creditCapPerSync: 5 }],
    [{ creditCap: 5, mode: 'x', unknown: 1 }],
  ])('creditCap, which is creditCapPerSync here, before anything else: %j [ENR-22]', (body) =>
    refused(body, 'creditCapPerSync', 'renamed_field'),
  )

  it.each([
    [{ mode: 'posts_only', postsPerSync: 0 }, 'postsPerSync'],
    [{ mode: 'posts_only' }, 'postsPerSync'],
    [{ mode: 'posts_only', postsPerSync: 5, firstSyncPosts: 5 }, 'firstSyncPosts'],
    [{ mode: 'posts_only', postsPerSync: 5, creditCapPerSync: 0 }, 'creditCapPerSync'],
  ])('what is invalid, in preference to asking for a confirmation: %j [SPD-19]', (settings, field) =>
    refused({ username: 'jane', ...save, ...settings }, field),
  )
})
