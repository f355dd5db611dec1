/** What a PATCH of a person or company refuses because of the request alone; a refusal changes nothing. */
import { beforeAll, describe, expect, it } from 'vitest'
import { kinds, refusedWithoutTrace, silent, track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

const tracked = async (kind: (typeof kinds)[number]) => {
  const team = await world.team({ credits: 50 })
  const username = silent(world, kind.type)
  await track(team, username, { creditCapPerSync: 20 }, kind.route)
  return { team, path: `/${kind.family}/${username}` }
}

const refusals: [string, unknown, string | undefined, string][] = [
  ['nothing named [TRK-02]', {}, undefined, 'creditCapPerSync'],
  ['confirmSpend alone [TRK-03]', { confirmSpend: true }, undefined, 'at least one'],
  ['postsPerSync alone [TRK-04]', { postsPerSync: 5 }, undefined, '`postsPerSync`'],
  ['postsPerSync with engagers [TRK-05]', { mode: 'engagers', postsPerSync: 5 }, undefined, '`postsPerSync`'],
  ['postsPerSync with another setting [TRK-05]', { enrichLeads: true, postsPerSync: 5 }, undefined, '`postsPerSync`'],
  ['posts_only without postsPerSync [TRK-05]', { mode: 'posts_only' }, undefined, '`postsPerSync`'],
  ...['true', 1, null].flatMap((value): [string, unknown, undefined, string][] => [
    [`captureReplies ${JSON.stringify(value)} [TRK-07]`, { captureReplies: value }, undefined, '`captureReplies`'],
    [`enrichLeads ${JSON.stringify(value)} [TRK-07]`, { enrichLeads: value }, undefined, '`enrichLeads`'],
    [
      `confirmSpend ${JSON.stringify(value)} [TRK-07]`,
      { enrichLeads: true, confirmSpend: value },
      undefined,
      '`confirmSpend`',
    ],
  ]),
  ...['raw', 'Engagers', '', null, 1].map((mode): [string, unknown, undefined, string] => [
    `mode ${JSON.stringify(mode)} [TRK-08]`,
    { mode },
    undefined,
    '`mode`',
  ]),
  ['an unknown property [TRK-09, ERR-04]', { foo: 1 }, 'unknown_field', '`foo`'],
  [
    'a setting of the first sync [TRK-09, ERR-04]',
    { enrichLeads: true, firstSyncPosts: 5 },
    'unknown_field',
    '`firstSyncPosts`',
  ],
  ['the handle itself [TRK-09, ERR-04]', { username: 'x', enrichLeads: true }, 'unknown_field', '`username`'],
  ['an unknown property before a bad value [TRK-09]', { creditCapPerSync: 0, foo: 1 }, 'unknown_field', '`foo`'],
  ['creditCap [TRK-10, VER-13]', { creditCap: 5 }, 'renamed_field', 'creditCapPerSync'],
  [
    'creditCap beside an unknown property and its new name [TRK-10, VER-13]',
    { foo: 1, creditCap: 5, creditCapPerSync: 5 },
    'renamed_field',
    'creditCapPerSync',
  ],
]

describe.each(kinds)('an edit of a $type is 400 and changes nothing', (kind) => {
  let refusable: Awaited<ReturnType<typeof tracked>>
  beforeAll(async () => {
    refusable = await tracked(kind)
  })

  it.each(refusals)('%s', async (_title, body, code, words) => {
    const { team, path } = refusable
    const answer = await refusedWithoutTrace(world, () => team.call('PATCH', path, body))
    expect([answer.status, answer.body.code]).toEqual([400, code])
    expect(answer.body.error).toContain(words)
  })

  it('before it is looked up: a bad body of an unknown handle is 400, a good one 404 [TRK-17]', async () => {
    const { team } = await tracked(kind)
    const path = `/${kind.family}/${world.handle('nobody')}`
    expect((await team.call('PATCH', path, {})).status).toBe(400)
    expect((await refusedWithoutTrace(world, () => team.call('PATCH', path, { enrichLeads: false }))).status).toBe(404)
  })
})
