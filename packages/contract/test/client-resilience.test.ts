/** The typed client with failures and many pages, and its webhook verification. */
import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ApiError, createClient, pages, rows, verifyWebhook, type RetrySettings } from '../src/index.ts'

/** A client whose answers come from a list; its waits are recorded. */
function scripted(answers: readonly (() => Response | Promise<Response>)[], retry: RetrySettings | false = {}) {
  const waits: number[] = []
  const seen: { url: string; init: RequestInit }[] = []
  const client = createClient({
    baseUrl: 'http://service.example/',
    apiKey: 'secret',
    fetch: async (input, init = {}) => {
      seen.push({ url: String(input), init })
      return await answers[Math.min(seen.length, answers.length) - 1]!()
    },
    ...(retry === false
      ? { retry }
      : { retry: { random: () => 0.5, sleep: async (ms) => void waits.push(ms), ...retry } }),
  })
  return { client, waits, seen }
}
const ok =
  (body: unknown = { jobId: 'j' }) =>
  () =>
    Response.json(body)
const failed =
  (status: number, headers: Record<string, string> = {}, body: unknown = { error: 'no' }) =>
  () =>
    Response.json(body, { status, headers })
const broken = () => {
  throw new TypeError('fetch failed')
}

describe('a call is tried again', () => {
  it.each([429, 500, 502, 503, 504])(
    'after %i, when it is a read or carries an Idempotency-Key, with growing pauses',
    async (status) => {
      const read = scripted([failed(status), failed(status), ok({ balance: 1 })])
      expect(await read.client.getCredits({})).toEqual({ balance: 1 })
      expect([read.seen.length, read.waits]).toEqual([3, [187.5, 375]])
      const write = scripted([failed(status), ok()])
      await write.client.enrichProfile({ username: 'jane' }, { idempotencyKey: 'once' })
      expect(
        write.seen.map(({ init }) => [(init.headers as Record<string, string>)['idempotency-key'], init.body]),
      ).toEqual(Array(2).fill(['once', '{"username":"jane"}']))
    },
  )

  it('never when it is a free write without a key, nor after what another try cannot better', async () => {
    for (const status of [429, 500, 503]) {
      const { client, seen } = scripted([failed(status)])
      await expect(client.updateProfileWebhook({ username: 'jane', autoSend: false })).rejects.toMatchObject({ status })
      expect(seen).toHaveLength(1)
    }
    for (const status of [400, 401, 402, 403, 404, 409, 413, 422]) {
      const { client, seen } = scripted([failed(status)])
      await expect(client.getCredits({})).rejects.toBeInstanceOf(ApiError)
      expect(seen).toHaveLength(1)
    }
  })

  it('as long as the service asks for, and not at all when that is too long', async () => {
    const patient = scripted([failed(429, { 'retry-after': '12' }), ok()])
    await patient.client.getCredits({})
    expect(patient.waits).toEqual([12_500])
    const hurried = scripted([failed(429, { 'retry-after': '31' })])
    await expect(hurried.client.getCredits({})).rejects.toMatchObject({ retryAfterSeconds: 31 })
    expect(hurried.seen).toHaveLength(1)
  })

  it('after a broken connection, but not after a mistake of the caller or an abort', async () => {
    const { client, seen } = scripted([broken, ok({ balance: 1 })])
    await client.getCredits({})
    expect(seen).toHaveLength(2)
    const write = scripted([broken])
    await expect(write.client.createKey({ name: 'a' })).rejects.toThrow('fetch failed')
    expect(write.seen).toHaveLength(1)
    const own = scripted([() => Promise.reject(new Error('my own'))])
    await expect(own.client.getCredits({})).rejects.toThrow('my own')
    expect(own.seen).toHaveLength(1)
    const aborted = scripted([broken])
    await expect(aborted.client.getCredits({}, { signal: AbortSignal.abort() })).rejects.toThrow()
    expect(aborted.seen).toHaveLength(1)
  })

  it('when a call with its key is still in flight; gives up after the attempts it was given; never with retry: false', async () => {
    const inFlight = scripted([failed(409, {}, { error: 'wait', code: 'idempotency_in_flight' }), ok()])
    await inFlight.client.enrichProfile({ username: 'jane' }, { idempotencyKey: 'k' })
    expect(inFlight.seen).toHaveLength(2)
    // A read of posts may take most of a minute, and its charge must reach this caller.
    const slow = scripted([
      broken,
      ...Array.from({ length: 9 }, () => failed(409, {}, { error: 'wait', code: 'idempotency_in_flight' })),
      ok({ posts: [] }),
    ])
    expect(await slow.client.readProfilePosts({ username: 'jane', posts: 5, confirmSpend: true })).toEqual({
      posts: [],
    })
    expect([slow.seen.length, slow.waits.slice(1, 6)]).toEqual([11, [250, 250, 500, 1_000, 2_000]])
    const stuck = scripted([failed(409, {}, { error: 'wait', code: 'idempotency_in_flight' })])
    await expect(stuck.client.startSourceSync({ id: 'a' })).rejects.toMatchObject({
      status: 409,
      code: 'idempotency_in_flight',
    })
    expect(stuck.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(60_000)
    expect(stuck.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(65_000)
    const few = scripted([failed(503)], { attempts: 4 })
    await expect(few.client.getCredits({})).rejects.toMatchObject({ status: 503 })
    expect(few.seen).toHaveLength(5)
    const never = scripted([failed(503)], false)
    await expect(never.client.getCredits({})).rejects.toMatchObject({ status: 503 })
    expect(never.seen).toHaveLength(1)
  })

  it('after a try that took too long, but not after another end of a connection', async () => {
    const late = scripted([() => Promise.reject(new DOMException('late', 'TimeoutError')), ok({ balance: 1 })])
    expect(await late.client.getCredits({})).toEqual({ balance: 1 })
    for (const error of [
      new DOMException('gone', 'NetworkError'),
      Object.assign(new Error('x'), { name: 'TimeoutError' }),
    ]) {
      const other = scripted([() => Promise.reject(error), ok({ balance: 1 })])
      await expect(other.client.getCredits({})).rejects.toBe(error)
    }
  })

  it.each([
    ['0', 500],
    ['-1', 187.5],
    ['soon', 187.5],
    ['Infinity', 187.5],
    ['30', 30_000],
  ])('when told to wait «%s» seconds, after %d ms', async (header, ms) => {
    const { client, waits } = scripted([failed(429, { 'retry-after': header }), ok({ balance: 1 })])
    await client.getCredits({})
    expect(waits).toEqual([ms])
  })

  it('a try ends after its time', async () => {
    const client = createClient({
      baseUrl: 'http://service.example/',
      apiKey: 'k',
      timeoutMs: 5,
      retry: false,
      fetch: (_input, init) =>
        new Promise((_resolve, reject) =>
          init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error)),
        ),
    })
    await expect(client.getCredits({})).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

describe('pages and rows', () => {
  it('come until there is no more, from where the reader began', async () => {
    const all = Array.from({ length: 7 }, (_, id) => ({ id }))
    const seen: string[] = []
    const list = createClient({
      baseUrl: 'http://service.example/',
      apiKey: 'k',
      fetch: async (input) => {
        const query = new URL(String(input)).searchParams
        seen.push(String(input))
        const [offset, limit] = [Number(query.get('offset')), Math.min(3, Number(query.get('limit')))]
        return Response.json({
          leads: all.slice(offset, offset + limit),
          total: 7,
          limit,
          offset,
          hasMore: offset + limit < 7,
        })
      },
    })
    const ids: unknown[] = []
    for await (const lead of rows(list.listLeads, 'leads', { isIcp: true, offset: 1 })) ids.push(lead.id)
    expect(ids).toEqual([1, 2, 3, 4, 5, 6])
    expect(seen.map((url) => new URL(url).search)).toEqual([
      '?limit=100&isIcp=true&offset=1',
      '?limit=100&isIcp=true&offset=4',
    ])
    for await (const page of pages(list.listLeads, { limit: 2 })) {
      expect(page.leads).toHaveLength(2)
      break
    }
    expect(seen).toHaveLength(3)
  })
})

describe('verifyWebhook', () => {
  const key = randomBytes(32)
  const secret = `whsec_${key.toString('base64')}`
  const body = '{"event":"lead.detected","name":"Zoë"}'
  const now = new Date('2026-11-02T08:00:00Z')
  const timestamp = String(now.getTime() / 1_000)
  const sign = (with_ = key, at = timestamp, text = body) =>
    `v1=${createHmac('sha256', with_).update(`${at}.${text}`).digest('hex')}`
  const headers = {
    'x-service-timestamp': timestamp,
    'X-Service-Signature': sign(),
    'X-Service-Event': 'lead.detected',
    'X-Service-Delivery': 'd',
  }

  it('knows a delivery of ours, in any shape of headers and body, also in the middle of a rotation', async () => {
    const good = { ok: true, deliveryId: 'd', event: 'lead.detected' }
    expect(await verifyWebhook({ body, headers, secret, now })).toEqual(good)
    expect(await verifyWebhook({ body: Buffer.from(body), headers: new Headers(headers), secret, now })).toEqual(good)
    expect(
      await verifyWebhook({
        body,
        headers: { ...headers, 'X-Service-Signature': [sign(randomBytes(32)), sign()] },
        secret,
        now,
      }),
    ).toEqual(good)
    expect(
      await verifyWebhook({
        body,
        headers: { ...headers, 'X-Service-Signature': `${sign()},${sign(randomBytes(32))}` },
        secret,
        now,
      }),
    ).toEqual(good)
    const { 'x-service-timestamp': at, 'X-Service-Signature': by } = headers
    expect(
      await verifyWebhook({
        body,
        headers: { 'x-service-timestamp': at, 'X-Service-Signature': ` ${by} ` },
        secret,
        now,
      }),
    ).toEqual({ ok: true, deliveryId: null, event: null })
    for (const seconds of [300, -300])
      expect((await verifyWebhook({ body, headers, secret, now: new Date(now.getTime() + seconds * 1_000) })).ok).toBe(
        true,
      )
  })

  it.each([
    ['another secret', { secret: `whsec_${randomBytes(32).toString('base64')}` }, 'does not match'],
    ['an altered body', { body: `${body} ` }, 'does not match'],
    [
      'another time',
      { headers: { ...headers, 'x-service-timestamp': String(Number(timestamp) + 1) } },
      'does not match',
    ],
    ['a late one', { now: new Date(now.getTime() + 301_000) }, '301 seconds away'],
    ['one from the future', { now: new Date(now.getTime() - 301_000) }, '301 seconds away'],
    ['no signature', { headers: { 'x-service-timestamp': timestamp } }, 'X-Service-Signature is missing'],
    ['a signature of another kind', { headers: { ...headers, 'X-Service-Signature': 'v2=abc' } }, 'v1=<64 hex digits>'],
    ...['x', '1x', '1234567890123', ''].map((text): [string, object, string] => [
      `a timestamp «${text}»`,
      { headers: { ...headers, 'x-service-timestamp': text } },
      'X-Service-Timestamp is missing or no number of seconds',
    ]),
    ...[`x${sign().slice(3)}`, `${sign()}x`, `x${sign()}`].map((text, at): [string, object, string] => [
      `a signature with a character too many (${at})`,
      { headers: { ...headers, 'X-Service-Signature': text } },
      'v1=<64 hex digits>',
    ]),
    ['no timestamp', { headers: { 'X-Service-Signature': sign() } }, 'X-Service-Timestamp'],
    ['half a secret', { secret: 'abc' }, 'begins with whsec_'],
    ['a secret that is no base64', { secret: 'whsec_%%%' }, 'begins with whsec_'],
  ])('%s is refused with the reason', async (_what, change, reason) => {
    expect(await verifyWebhook({ body, headers, secret, now, ...change })).toEqual({
      ok: false,
      reason: expect.stringContaining(reason),
    })
  })
})
