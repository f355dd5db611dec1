import { afterEach, describe, expect, it } from 'vitest'
import { les, startStub, type Outcome, type Reply, type Stub } from './shell.ts'

let stub: Stub | undefined
afterEach(() => stub?.close())

async function answered(reply: Reply, argv: string | readonly string[], tty = false): Promise<Outcome> {
  stub = await startStub(() => reply)
  return les(argv, { url: stub.url, tty })
}

describe('exit codes', () => {
  it.each([
    [400, undefined, 1],
    [401, undefined, 4],
    [402, 'insufficient_enriching_credits', 6],
    [403, 'key_limit_reached', 1],
    [404, undefined, 5],
    [409, 'identifier_in_use', 1],
    [409, 'spend_confirmation_required', 3],
    [422, 'idempotency_key_reused', 1],
    [500, undefined, 1],
    [502, 'provider_unavailable', 1],
  ])('%i %s ends with %i and the message on standard error', async (status, code, exit) => {
    const outcome = await answered(
      { status, body: { error: 'Because', ...(code ? { code } : {}), requestId: 'r1' } },
      'enrich profile --username jane',
    )
    expect(outcome.code).toBe(exit)
    expect(outcome.stderr).toContain('les: Because (request r1)\n')
    expect(outcome.stdout === '').toBe(exit !== 3)
  })

  it('without a key nothing is sent and the command ends with 4', async () => {
    stub = await startStub(() => ({}))
    const outcome = await les('credits show', { url: stub.url, env: { LES_API_KEY: '' } })
    expect({ code: outcome.code, sent: stub.received.length }).toEqual({ code: 4, sent: 0 })
    expect(outcome.stderr).toContain('LES_API_KEY')
    expect((await les('mcp', { env: { LES_API_KEY: '' } })).code).toBe(4)
  })

  it('les mcp with a toolset there is not is a usage error', async () =>
    expect((await les('mcp --toolsets nonsense')).code).toBe(2))

  it('a service that cannot be reached ends with 1 and says where it was looked for', async () => {
    stub = await startStub(() => ({}))
    await stub.close()
    const outcome = await les('credits show', { url: stub.url })
    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toContain(`cannot reach ${stub.url} (ECONNREFUSED)`)
  })

  it('a success that is not JSON ends with 1', async () => {
    expect(await answered({ text: '<html>' }, 'credits show')).toMatchObject({ code: 1, stdout: '' })
  })

  it('flags go before the environment, and redirects are not followed; a key is never a flag', async () => {
    stub = await startStub(() => ({ status: 302, text: '', headers: { location: '/elsewhere' } }))
    const outcome = await les(['credits', 'show', '--base-url', stub.url], { url: 'http://127.0.0.1:1' })
    expect(outcome.code).toBe(1)
    expect(stub.received.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([
      ['/api/v1/credits', 'test-key'],
    ])
    expect((await les('--api-key mine credits show', { url: stub.url })).code).toBe(2)
  })
})

describe('spend confirmation', () => {
  const refusal =
    '{"error":"Costs","code":"spend_confirmation_required", "estimatedDailyMax": 10,"daysToExhaustAtCap":0}'
  const argv = 'enrich profile --username jane --save-tracked-profile --mode posts_only --posts-per-sync 10'.split(' ')

  it('gives the refusal as it came on standard output, ends with 3, and goes ahead with --confirm-spend only', async () => {
    stub = await startStub(({ body }) =>
      (body as { confirmSpend?: boolean }).confirmSpend === true
        ? { body: { jobId: 'j' } }
        : { status: 409, text: refusal },
    )
    const first = await les(argv, { url: stub.url })
    expect(first).toMatchObject({ code: 3, stdout: `${refusal}\n` })
    expect(first.stderr).toContain('--confirm-spend')
    expect(await les([...argv, '--confirm-spend'], { url: stub.url })).toMatchObject({ code: 0, stdout: 'jobId\tj\n' })
    expect(stub.received).toHaveLength(2)
  })
})

describe('rate limits', () => {
  it('waits as long as Retry-After says and tries again', async () => {
    stub = await startStub((_, nth) =>
      nth < 3
        ? {
            status: 429,
            body: { error: 'Slow down', code: 'rate_limited' },
            headers: { 'retry-after': String(nth * 7) },
          }
        : { body: { balance: 1 } },
    )
    expect(await les('credits show', { url: stub.url })).toMatchObject({
      code: 0,
      stdout: 'balance\t1\n',
      pausesMs: [7000, 14000],
    })
  })

  it('a change that came too fast is sent again too, also by les api', async () => {
    stub = await startStub((_, nth) =>
      nth % 2 === 1
        ? { status: 429, body: { error: 'Slow down' }, headers: { 'retry-after': '3' } }
        : { body: { id: 'k' } },
    )
    expect(await les('keys create --name CI', { url: stub.url })).toMatchObject({
      code: 0,
      pausesMs: [3000],
    })
    expect(await les('api POST /keys --field name=CI', { url: stub.url })).toMatchObject({
      code: 0,
      pausesMs: [3000],
    })
  })

  it('gives up after 3 retries with 7', async () => {
    const outcome = await answered({ status: 429, body: { error: 'Slow down', code: 'rate_limited' } }, 'credits show')
    expect(outcome).toMatchObject({ code: 7, pausesMs: [125, 250, 500] })
    expect(stub!.received).toHaveLength(4)
  })

  it('Ctrl-C while waiting ends with 130', async () => {
    stub = await startStub(() => ({ status: 429, body: { error: 'Slow down' } }))
    expect(await les('credits show', { url: stub.url, onPause: (interrupt) => interrupt() })).toMatchObject({
      code: 130,
      stdout: '',
    })
  })
})

describe('--json', () => {
  const text = '{ "sources" :[ ],"total":0, "later":{"é":1.50} }'
  it('is the answer of the service, character by character [CLI-01]', async () => {
    expect(await answered({ text }, 'sources list --json')).toEqual({
      code: 0,
      stdout: `${text}\n`,
      stderr: '',
      pausesMs: [],
    })
    expect((await les('sources list --json', { url: stub!.url, tty: true })).stdout).toBe(`${text}\n`)
  })
  it('is so before the nouns and for refusals too [CLI-01]', async () => {
    const refusal = '{"error": "Not tracked", "x":1}'
    expect(await answered({ status: 404, text: refusal }, '--json profile sync jane')).toMatchObject({
      code: 5,
      stdout: `${refusal}\n`,
    })
  })
})

describe('text', () => {
  const lead = {
    id: 'l1',
    name: 'Jane\u001b[31m Doe\tX',
    engagementType: 'Like',
    jobTitle: null,
    isIcp: true,
    createdAt: '2026-11-21T00:00:00.000Z',
    linkedinUrl: 'https://www.linkedin.com/in/jane-doe-a1b2c3d4e5f6',
  }
  const page = { leads: [lead], total: 7, limit: 1, offset: 0, hasMore: true }

  it('without a terminal: rows with tabs, no head, nothing else', async () => {
    const { stdout, stderr } = await answered({ body: page }, 'leads list')
    expect(stdout).toBe(
      '2026-11-21T00:00:00.000Z\tJane [31m Doe X\tLike\t\t\t\ttrue\thttps://www.linkedin.com/in/jane-doe-a1b2c3d4e5f6\tl1\n',
    )
    expect(stderr).toBe('')
  })

  it('on a terminal: aligned columns with a head, paging on standard error, and nothing that steers the terminal', async () => {
    const { stdout, stderr } = await answered({ body: page }, 'leads list', true)
    expect(stdout.split('\n')[0]).toMatch(/^CREATED AT +NAME +ENGAGEMENT TYPE +JOB TITLE/)
    expect(stdout).not.toContain('\u001b')
    expect(stderr).toBe('total 7, limit 1, offset 0, hasMore true; no room for linkedin url: --json has all\n')
  })

  it('a list that is a detail of the answer does not push the rest aside', async () => {
    const edited = { sourceId: 's', creditCap: 40, changed: [], previous: { creditCap: 20 } }
    expect((await answered({ body: edited }, 'keyword edit s --credit-cap 40')).stdout).toBe(
      'sourceId\ts\ncreditCap\t40\nchanged\t\nprevious.creditCap\t20\n',
    )
    await stub!.close()
    expect(
      (
        await answered(
          { body: { ...edited, changed: [{ field: 'creditCap', from: 20, to: 40 }] } },
          'keyword edit s --credit-cap 40',
        )
      ).stdout,
    ).toContain('changed\tcreditCap\t20\t40\n')
  })

  it('one thing is names and values, what is inside with dots; several lists start with their names', async () => {
    const usage = {
      total: 3,
      period: { from: null },
      byDate: [{ date: '2026-11-01', credits: 3 }],
      bySource: [{ label: 'jane', credits: 3 }],
    }
    expect((await answered({ body: usage }, 'credits usage')).stdout).toBe(
      'total\t3\nperiod.from\t\nbyDate\t2026-11-01\t3\nbySource\tjane\t3\n',
    )
  })
})

describe('signing secrets', () => {
  const text = '{"sourceId":"s","signingSecret":"whsec_c2VjcmV0","syncEvents":false}'
  const argv = ['profile', 'webhook', 'get', 'jane']
  it.each([[argv], [[...argv, '--json']], [['api', 'GET', '/profile/jane/webhook']]])('%j masks it', async (line) => {
    const { stdout } = await answered({ text }, line)
    expect(stdout).not.toContain('c2VjcmV0')
    expect(stdout).toContain('whsec_********')
  })
  it('--show-secret shows it', async () => {
    expect((await answered({ text }, [...argv, '--show-secret', '--json'])).stdout).toBe(`${text}\n`)
    await stub!.close()
    expect((await answered({ text }, [...argv, '--show-secret'])).stdout).toContain('whsec_c2VjcmV0')
  })
})

describe('idempotency', () => {
  it('--idempotency-key goes along with changes, not with reads', async () => {
    await answered({ body: {} }, 'keys create --name CI --idempotency-key once')
    await les('keys list --idempotency-key once', { url: stub!.url })
    expect(stub!.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['once', undefined])
  })

  it('a change gets a key of its own, so that it is tried again safely after a failure on the way', async () => {
    stub = await startStub((_, nth) =>
      nth === 1 ? { status: 502, body: { error: 'Bad gateway' } } : { status: 201, body: { id: 'k' } },
    )
    expect((await les('keys create --name CI', { url: stub.url })).code).toBe(0)
    await les('keys create --name CI', { url: stub.url })
    const [first, second, third] = stub.received.map(({ headers }) => headers['idempotency-key'])
    expect([second === first, third === first, String(first).length]).toEqual([true, false, 36])
  })
})
