/** Spending through the agent tools: first the quote, then exactly that, once, after confirmation. */
import { afterEach, describe, expect, it } from 'vitest'
import { snapshot } from '../world/snapshot.ts'
import { silent, sourceOf, sourcesOf } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'
import { connect, currentMessage, type ClientSettings, type McpClient } from './client.ts'

const world = useWorld()
const open: McpClient[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})
const connected = async (team: Team, settings: ClientSettings = {}): Promise<McpClient> => {
  const client = await connect(`${world.url}/mcp`, { headers: { 'x-api-key': team.apiKey }, ...settings })
  open.push(client)
  return client
}

const costly = (username: string, postsPerSync = 7) => ({ kind: 'person', username, mode: 'posts_only', postsPerSync })
const look = () => snapshot(world.database.pool, ['vendor_slot', 'vendor_minute', 'vendor_limit', 'rate_window'])
const figures = '"estimatedDailyMax":7,"daysToExhaustAtCap":5,"remainingBalance":40'

const repeatOf = (text: string): Record<string, unknown> =>
  JSON.parse(/repeat exactly this call: \w+ (\{.*\})/.exec(text)![1]!)

type Posted = {
  readonly result?: {
    readonly resultType?: string
    readonly requestState?: string
    readonly inputRequests?: Record<string, any>
    readonly isError?: boolean
    readonly content?: readonly { text: string }[]
  }
  readonly error?: { readonly code: number }
}

/** One tools/call of the current revision, message by message, as a client without a library would send it. */
async function post(
  team: Team,
  input: Record<string, unknown>,
  answered: { state?: string; content?: unknown; action?: string } = {},
  capabilities: Record<string, unknown> = { elicitation: { form: {} } },
): Promise<Posted> {
  const params = {
    name: 'track_source',
    arguments: input,
    ...(answered.state === undefined
      ? {}
      : {
          requestState: answered.state,
          inputResponses: {
            spend: { action: answered.action ?? 'accept', content: answered.content ?? { confirm: true } },
          },
        }),
  }
  const from = { 'x-api-key': team.apiKey }
  const response = await fetch(`${world.url}/mcp`, currentMessage({ method: 'tools/call', params }, from, capabilities))
  return (await response.json()) as Posted
}
const textOf = (posted: Posted) => posted.result?.content?.[0]?.text ?? JSON.stringify(posted)

describe('a client that cannot ask its user', () => {
  it.each(['2026', '2025'] as const)(
    'gets the figures and the exact call to repeat (%s); nothing was written; the repeated call performs it [SPD-03, SPD-04, SPD-07]',
    async (era) => {
      const team = await world.team({ credits: 40 })
      const username = silent(world)
      const { call } = await connected(team, { era })
      await world.drain()
      const before = await look()
      const quoted = await call('track_source', costly(username))
      expect(quoted.isError).toBe(true)
      expect(quoted.text).toContain(figures)
      expect(quoted.text).toContain(
        'up to 7 credits a day; balance 40 credits; at that rate it lasts 5 days. Nothing was created, changed or charged.',
      )
      const repeat = repeatOf(quoted.text)
      expect(repeat).toEqual({
        ...costly(username),
        idempotencyKey: expect.any(String),
        quoteToken: expect.stringMatching(/^[\w-]{100,220}$/),
      })
      const skipped = await call('track_source', { ...costly(username), confirmSpend: true })
      expect([skipped.isError, skipped.text]).toEqual([true, expect.stringContaining(figures)])
      expect(await look()).toEqual(before)
      const done = await call('track_source', repeat)
      expect([done.isError, done.data]).toMatchObject([false, { jobId: expect.any(String) }])
      expect((await call('track_source', repeat)).data).toEqual(done.data)
      const { idempotencyKey: _key, ...bare } = repeat
      expect((await call('track_source', bare)).text).toMatch(/^That confirmation was used before/)
      expect(await sourceOf(team, username)).toMatchObject({ mode: 'posts_only', postsPerSync: 7 })
    },
  )
})

describe('the token of a quote', () => {
  it('is for exactly the arguments it was made for, the team it was made for, and ten minutes', async () => {
    const [team, other] = [await world.team({ credits: 40 }), await world.team({ credits: 40 })]
    const { call } = await connected(team)
    const { call: callOther } = await connected(other)
    const repeat = repeatOf((await call('track_source', costly(silent(world)))).text)
    const late = repeatOf((await call('track_source', costly(silent(world)))).text)
    await world.drain()
    const before = await look()
    for (const answer of [
      await call('track_source', { ...repeat, postsPerSync: 60 }),
      await call('track_source', { ...repeat, username: silent(world) }),
      await callOther('track_source', repeat),
      await call('track_source', { ...repeat, quoteToken: `${String(repeat.quoteToken).slice(0, -4)}AAAA` }),
      await call('track_source', { ...repeat, quoteToken: 'yes' }),
    ])
      expect([answer.isError, answer.text]).toEqual([true, expect.stringMatching(/^That confirmation is not for this/)])
    expect(await look()).toEqual(before)
    await world.move('599s')
    expect((await call('track_source', repeat)).isError).toBe(false)
    await world.move('1s')
    expect((await call('track_source', late)).text).toMatch(/^That confirmation came too late/)
    expect(await sourcesOf(team)).toHaveLength(1)
  })

  it('does not count for other costs: what a watch is set to since is quoted anew', async () => {
    const team = await world.team({ credits: 40 })
    const username = silent(world)
    const watched = async (postsPerSync: number) => {
      const { kind: _person, ...fields } = costly(username, postsPerSync)
      await team.post('/enrich/profile', { ...fields, saveTrackedProfile: true, confirmSpend: true })
      await team.del(`/profile/${username}`)
    }
    await watched(7)
    const { call } = await connected(team)
    const again = { kind: 'person', username }
    const first = repeatOf((await call('track_source', again)).text)
    await watched(9)
    const changed = await call('track_source', first)
    expect([changed.isError, changed.text]).toEqual([true, expect.stringContaining('"estimatedDailyMax":9')])
    expect(changed.text).toMatch(/^The costs have changed since they were quoted/)
    expect((await team.get('/sources')).body.sources).toEqual([])
    expect((await call('track_source', repeatOf(changed.text))).isError).toBe(false)
  })
})

describe('a client of 2025 that has forms', () => {
  it('is served without a session over HTTP, so it gets the figures in words instead of a question it could not answer', async () => {
    const team = await world.team({ credits: 40 })
    const asked: string[] = []
    const { call } = await connected(team, {
      era: '2025',
      user: (message) => (asked.push(message), { action: 'accept', content: { confirm: true } }),
    })
    const quoted = await call('track_source', costly(silent(world)))
    expect([quoted.isError, asked]).toEqual([true, []])
    expect(quoted.text).toContain(figures)
  })
})

describe('a client that can ask its user', () => {
  it('shows the figures and one yes or no; yes performs it, and anything else changes nothing', async () => {
    const team = await world.team({ credits: 40 })
    const [wanted, declined, refused, gone] = [silent(world), silent(world), silent(world), silent(world)]
    const asked: string[] = []
    let say: ReturnType<NonNullable<ClientSettings['user']>> = { action: 'accept', content: { confirm: true } }
    const { call } = await connected(team, { user: (message) => (asked.push(message), say) })
    expect((await call('track_source', costly(wanted))).isError).toBe(false)
    expect(asked).toEqual([
      'Track a person, company or post: This can cost up to 7 credits a day; balance 40 credits; at that rate it lasts 5 days. Go ahead?',
    ])
    for (const [username, word] of [
      [declined, { action: 'decline' }],
      [refused, { action: 'accept', content: { confirm: false } }],
      [gone, { action: 'cancel' }],
    ] as const) {
      say = word
      const answer = await call('track_source', costly(username))
      expect([answer.isError, answer.text]).toEqual([
        true,
        'The user did not agree to the spending: nothing was created, changed or charged.',
      ])
    }
    expect((await sourcesOf(team)).map((source) => source.username)).toEqual([wanted])
  })

  it('a yes counts once, over processes and at the same instant', async () => {
    const team = await world.team({ credits: 40 })
    const username = silent(world)
    const { requestState: state } = (await post(team, costly(username))).result!
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(team, costly(username), { state: state! })))
    expect(answers.filter(({ result }) => result?.isError !== true)).toHaveLength(1)
    expect(answers.map(textOf).filter((text) => text.startsWith('That confirmation was used before'))).toHaveLength(4)
    expect(await sourcesOf(team)).toHaveLength(1)
  })

  it('a yes is for exactly the arguments it was asked about, in any order, and for the team that was asked', async () => {
    const [team, other] = [await world.team({ credits: 40 }), await world.team({ credits: 40 })]
    const username = silent(world)
    const { requestState: state } = (await post(team, costly(username))).result!
    const wrong = [
      await post(team, costly(username, 60), { state: state! }),
      await post(team, costly(silent(world)), { state: state! }),
      await post(team, { ...costly(username), kind: 'company' }, { state: state! }),
      await post(other, costly(username), { state: state! }),
      await post(team, costly(username), { state: `${state!.slice(0, -4)}AAAA` }),
      await post(team, costly(username), { state: 'nonsense' }),
    ]
    for (const posted of wrong) expect(textOf(posted)).toMatch(/^That confirmation is not for this call/)
    expect([await sourcesOf(team), await sourcesOf(other)]).toEqual([[], []])
    const { kind, ...rest } = costly(username)
    expect(
      textOf(await post(team, { postsPerSync: rest.postsPerSync, mode: rest.mode, username, kind }, { state: state! })),
    ).not.toMatch(/^That confirmation/)
    expect(await sourcesOf(team)).toHaveLength(1)
  })

  it('a yes that comes after ten minutes is too late; what was answered is forgotten in time', async () => {
    const team = await world.team({ credits: 40 })
    const [late, inTime] = [silent(world), silent(world)]
    const { requestState: state } = (await post(team, costly(late))).result!
    const other = (await post(team, costly(inTime))).result!.requestState!
    await world.move('599s')
    expect(textOf(await post(team, costly(inTime), { state: other }))).not.toMatch(/^That confirmation/)
    const count = async () =>
      (await world.database.pool.query('select 1 from tool_spend_answer where team_id = $1', [team.id])).rowCount
    expect(await count()).toBe(1)
    await world.move('1s')
    expect(textOf(await post(team, costly(late), { state: state! }))).toMatch(/^That confirmation came too late/)
    await world.runTask('purge spend-questions')
    expect(await count()).toBe(0)
  })
})
