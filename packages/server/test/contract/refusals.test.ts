/** How every operation of the registry refuses, generated so that new operations are covered automatically. */
import { beforeAll, describe, expect, it } from 'vitest'
import { rotatingShare } from '../world/amount.ts'
import { testShards } from '../world/shards.ts'
import { snapshot } from '../world/snapshot.ts'
import { useWorld, type Answer, type Team } from '../world/world.ts'
import {
  bodied,
  fill,
  neverExisted,
  operations,
  parametersOf,
  requiredQuery,
  setStage,
  type Owned,
  type Stage,
} from './stage.ts'

// Without workers, so that nothing changes between two snapshots.
const world = useWorld({ config: { roles: ['http'] } })

let stage: Stage
let others: Team[]
let nobody: Owned
let lapsed: Team[]
beforeAll(async () => {
  stage = await setStage(world)
  // With several shards, one team of another shard and one of the same.
  others = [await world.team({ credits: 1_000 }), await world.team({ credits: 1_000 }, { beside: stage.team })]
  const shards = await Promise.all([stage.team, ...others].map((team) => world.shardOf(team)))
  expect([shards[0] !== shards[1], shards[0] === shards[2]]).toEqual([testShards > 1, true])
  nobody = neverExisted(world)
  lapsed = [
    await world.team({ status: 'expired' }),
    await world.team({ status: 'trial', trialEndsAt: '2026-11-20T00:00:00Z' }),
  ]
})

/** What the database held after the last check: nothing else changes it, so the next check begins with it. */
let last: Record<string, string> | undefined
async function changesNothing(work: () => Promise<void>): Promise<void> {
  const before = last ?? (await snapshot(world.database.pool))
  last = undefined
  await work()
  expect(await snapshot(world.database.pool)).toEqual(before)
  last = before
}

const every = operations.map((operation, at) => [`${operation.method} ${operation.path}`, operation, at] as const)
const rateHeaders = (answer: Answer) =>
  ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map((name) => Number(answer.headers.get(name)))

function expectRefusal(answer: Answer, status: number, code?: string): void {
  expect([answer.status, answer.body.code]).toEqual([status, code])
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.body.error).toEqual(expect.stringMatching(/\S/))
  expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'))
  for (const number of rateHeaders(answer)) expect(Number.isInteger(number)).toBe(true)
}

describe.each(every)('%s', (_name, operation, at) => {
  const path = () => fill(operation.path, stage.owned) + (requiredQuery[operation.id] ?? '')
  const body = () => (operation.body === null ? undefined : (operation.example ?? {}))

  it(
    'without a key, with a wrong one or with a bearer token alone is 401, for a team without subscription or unexpired ' +
      'trial 403, without a code, with rate headers, and does nothing ' +
      '[AUT-01..AUT-03, AUT-06, AUT-07, AUT-09, AUT-15, TRK-25, ERR-01, ERR-02, CON-02]',
    () =>
      changesNothing(async () => {
        // The key is checked before the request: each operation is called without a key and with one of the wrong keys.
        const wrong: [string | null, Record<string, string>][] = [
          ['cs_wrong', {}],
          [`${stage.team.apiKey}x`, {}],
          ['', {}],
          [stage.team.apiKey.toUpperCase(), {}],
          [null, { authorization: `Bearer ${stage.team.apiKey}` }],
        ]
        for (const [key, headers] of [[null, {}] as const, ...rotatingShare(wrong, at, wrong.length)]) {
          const answer = await stage.team.call(operation.method, path(), body(), { key, headers })
          expectRefusal(answer, 401)
          const [limit, remaining] = rateHeaders(answer)
          expect(limit).toBe(operation.method === 'GET' ? 120 : 60)
          expect(remaining).toBe(limit)
        }
        for (const team of rotatingShare(lapsed, at, lapsed.length))
          expectRefusal(await team.call(operation.method, path(), body()), 403)
      }),
  )

  const owns =
    parametersOf(operation.path).length > 0 &&
    operation.errors.some((key) => key === 'not_tracked' || key === 'not_found')
  if (owns) {
    it("answers for another team's ids exactly as for ids that never existed, and changes nothing of theirs [AUT-11]", () =>
      changesNothing(async () => {
        const plain = (answer: Answer, owned: Owned) => {
          const { requestId: _own, ...rest } = answer.body
          const text = Object.values(owned).reduce(
            (all, value) => all.replaceAll(value, '<it>').replaceAll(encodeURIComponent(value), '<it>'),
            JSON.stringify(rest),
          )
          const headers = [...answer.headers].filter(
            ([name]) => !/^(date|x-request-id|(?:x-)?ratelimit.*|content-length)$/.test(name),
          )
          return { status: answer.status, text, headers }
        }
        for (const other of others) {
          const call = (owned: Owned) =>
            other.call(operation.method, fill(operation.path, owned) + (requiredQuery[operation.id] ?? ''), body())
          const [theirs, none] = [plain(await call(stage.owned), stage.owned), plain(await call(nobody), nobody)]
          expect(theirs).toEqual(none)
          expect(theirs.status).toBe(404)
        }
      }))
  }
})

describe.each([...new Set(operations.map(({ path }) => path))])('%s', (path) => {
  it('refuses every method it does not serve with 405, named in allowed and Allow, body unread [CON-17, ERR-02]', () =>
    changesNothing(async () => {
      const matching = operations.filter((operation) => {
        const [mine, theirs] = [path.split('/'), operation.path.split('/')]
        return (
          mine.length === theirs.length && mine.every((part, at) => part === theirs[at] || theirs[at]!.startsWith('{'))
        )
      })
      const served: string[] = matching.map(({ method }) => method)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PURGE'].filter(
        (name) => !served.includes(name),
      )) {
        const answer = await stage.team.call(
          method,
          fill(path, stage.owned),
          undefined,
          method === 'GET' || method === 'HEAD' ? {} : { raw: '{bad' },
        )
        expect([method, answer.status, answer.headers.get('allow')?.split(', ').sort()]).toEqual([
          method,
          405,
          [...new Set(served)].sort(),
        ])
        if (method === 'HEAD') continue
        expectRefusal(answer, 405, 'method_not_allowed')
        expect(answer.body.allowed.join(', ')).toBe(answer.headers.get('allow'))
      }
    }))
})

describe.each(bodied.map((operation, at) => [`${operation.method} ${operation.path}`, operation, at] as const))(
  'the body of %s',
  (_name, operation, at) => {
    /** Without parameters in the path, the owner makes no difference. */
    const namings = (first: Owned, second: Owned) =>
      parametersOf(operation.path).length > 0 ? [first, second] : [stage.owned]

    it('that is no JSON object is invalid_json, whatever the path names; an empty one is {} [CON-07, CON-08, CON-09, CON-10]', async () => {
      await changesNothing(async () => {
        const bodies = ['{bad', '[]', '"x"', '1', 'true', 'null', '[{}]', '{"a":1}x']
        for (const [turn, owned] of namings(stage.owned, nobody).entries()) {
          for (const raw of rotatingShare(bodies, at + turn, 3)) {
            if (raw === 'null' && operation.path === '/sources/{id}/outreach') continue
            const answer = await stage.team.call(operation.method, fill(operation.path, owned), undefined, { raw })
            expectRefusal(answer, 400, 'invalid_json')
          }
        }
      })
      last = undefined
      const [empty, object] = [
        await stage.team.call(operation.method, fill(operation.path, nobody), undefined, { raw: '' }),
        await stage.team.call(operation.method, fill(operation.path, nobody), {}),
      ]
      expect([empty.status, empty.body.error, empty.body.code]).toEqual([
        object.status,
        object.body.error,
        object.body.code,
      ])
      expect(empty.body.code).not.toBe('invalid_json')
    })

    it('refused for a value leaves the database as it was [ERR-01, ERR-02, ERR-03]', async () => {
      const shape = Object.keys((operation.body as unknown as { shape?: Record<string, unknown> }).shape ?? {})
      const values = [null, '', -1, 1.5, 2_147_483_648, [], {}, '\0']
      const named = namings(nobody, stage.owned)
      let refusals = 0
      for (const [turn, owned] of named.entries()) {
        // The usual run tries every fourth value, alternating between fields, half on existing things, half on others.
        const corpus = [...shape, 'creditCap', 'unknownField'].flatMap((field, place) =>
          rotatingShare(values, at + place + turn, 4 * named.length).map((value) => ({ field, value })),
        )
        // Never with a confirmation, so that operations that cost credits are refused too.
        const send = ({ field, value }: (typeof corpus)[number]) =>
          stage.team.call(operation.method, fill(operation.path, owned), {
            ...operation.example,
            [field]: value,
            ...(field === 'confirmSpend' ? {} : { confirmSpend: false }),
          })
        let before = last ?? (await snapshot(world.database.pool))
        last = undefined
        const refused: (typeof corpus)[number][] = []
        for (const call of corpus) {
          const answer = await send(call)
          expect([call.field, call.value, answer.status !== 500]).toEqual([call.field, call.value, true])
          if (answer.status < 300) continue
          expect(answer.body.error).toEqual(expect.stringMatching(/\S/))
          if (answer.status === 400 && answer.body.code === undefined) expect(answer.body.error).toMatch(/`/)
          // A job refused at submission is kept as failed (decisions C1): the only thing a refusal writes.
          if (!answer.body.jobId) refused.push(call)
        }
        if (refused.length < corpus.length) {
          // Accepted calls may have changed something; repeating the refused ones must change nothing.
          before = await snapshot(world.database.pool)
          for (const call of refused)
            expect([call.field, call.value, (await send(call)).status >= 400]).toEqual([call.field, call.value, true])
        }
        expect(await snapshot(world.database.pool)).toEqual(before)
        last = before
        refusals += refused.length
      }
      if (shape.length > 0) expect(refusals).toBeGreaterThan(0)
    })
  },
)

describe('the registry', () => {
  it('serves no two operations on one path and method, and the server serves nothing that it does not list [CON-01]', async () => {
    expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length)
    for (const [at, { path }] of operations.entries()) {
      for (const prefix of rotatingShare(['', '/api/v2', '/v1', '/api'], at, 4))
        expect([
          prefix + path,
          (await fetch(world.url + prefix + fill(path, stage.owned), { headers: { 'x-api-key': stage.team.apiKey } }))
            .status,
        ]).toEqual([prefix + path, 404])
    }
  })
})
