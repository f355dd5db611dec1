import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ApiError, createClient, layOut, operationsById, pathWith, statusOf, toWire } from '../src/index.ts'

describe('toWire', () => {
  it.each([
    [
      operationsById.getProfileSync,
      { username: 'jane/ü?#' },
      { method: 'GET', path: '/api/v1/profile/jane%2F%C3%BC%3F%23/sync', body: undefined },
    ],
    [operationsById.listLeads, {}, { method: 'GET', path: '/api/v1/leads', body: undefined }],
    [
      operationsById.listLeads,
      { limit: 5, isIcp: false, name: 'A & B', username: undefined },
      { method: 'GET', path: '/api/v1/leads?limit=5&isIcp=false&name=A+%26+B', body: undefined },
    ],
    [
      operationsById.getCreditsUsage,
      { from: new Date('2026-11-01T00:00:00Z') },
      { method: 'GET', path: '/api/v1/credits/usage?from=2026-11-01T00%3A00%3A00.000Z', body: undefined },
    ],
    [
      operationsById.enrichProfile,
      { username: 'jane', creditCapPerSync: null, mode: undefined },
      { method: 'POST', path: '/api/v1/enrich/profile', body: '{"username":"jane","creditCapPerSync":null}' },
    ],
    [
      operationsById.updateProfileWebhook,
      { username: 'jane', autoSend: false },
      { method: 'PUT', path: '/api/v1/profile/jane/webhook', body: '{"autoSend":false}' },
    ],
    [operationsById.startSourceSync, { id: 'a' }, { method: 'POST', path: '/api/v1/sources/a/sync', body: '{}' }],
    [operationsById.revokeKey, { id: 'a' }, { method: 'DELETE', path: '/api/v1/keys/a', body: undefined }],
  ])('$id', (operation, input, wire) => expect(toWire(operation, input)).toEqual(wire))

  it('puts each field where the operation has it, and others where there is room', () => {
    const both = { ...operationsById.enrichProfile, query: operationsById.listLeads.query }
    expect(layOut(both, { mode: 'posts_only', limit: 5, other: 1 })).toEqual({
      params: {},
      query: [['limit', '5']],
      body: { mode: 'posts_only', other: 1 },
      missing: [],
    })
    expect(layOut(operationsById.revokeKey, { id: 'a', other: { b: [1] }, none: null })).toEqual({
      params: { id: 'a' },
      query: [
        ['other', '{"b":[1]}'],
        ['none', 'null'],
      ],
      body: {},
      missing: [],
    })
    expect(pathWith(operationsById.revokeKey, {})).toBe('/keys/')
  })

  it('an answer has the status of its operation, another when it says so itself', () => {
    const made = { status: 200, otherStatus: { status: 201, when: 'created' } } as never
    expect([
      statusOf(made, { created: true }),
      statusOf(made, { created: false }),
      statusOf(made, {}),
      statusOf({ status: 201, otherStatus: undefined } as never, { created: true }),
    ]).toEqual([201, 200, 200, 201])
  })
})

type Seen = { url: string; init: RequestInit }

function clientOf(answer: () => Response, userAgent?: string) {
  const seen: Seen[] = []
  const fake: typeof fetch = async (input, init = {}) => {
    seen.push({ url: String(input), init })
    return answer()
  }
  return {
    seen,
    client: createClient({
      baseUrl: 'http://service.example:81/',
      apiKey: 'secret',
      fetch: fake,
      retry: false,
      ...(userAgent === undefined ? {} : { userAgent }),
    }),
  }
}

async function listening(
  serve: RequestListener,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('createClient', () => {
  it('sends the key, the fields and the settings, and gives the answer', async () => {
    const { client, seen } = clientOf(() => Response.json({ jobId: 'j' }), 'tests/1')
    const { signal } = new AbortController()
    expect(await client.enrichProfile({ username: 'jane' }, { idempotencyKey: 'once', signal })).toEqual({ jobId: 'j' })
    expect(seen).toEqual([
      {
        url: 'http://service.example:81/api/v1/enrich/profile',
        init: {
          method: 'POST',
          body: '{"username":"jane"}',
          redirect: 'manual',
          signal: expect.any(AbortSignal),
          headers: {
            'x-api-key': 'secret',
            accept: 'application/json',
            'content-type': 'application/json',
            'idempotency-key': 'once',
            'user-agent': 'tests/1',
          },
        },
      },
    ])
  })

  it('sends no body and no content type with GET', async () => {
    const { client, seen } = clientOf(() => Response.json({ jobId: 'j' }))
    await client.getJobStatus({ jobId: 'a' })
    // Strict, because an undefined header or body would be sent as the word "undefined".
    expect(seen[0]!.init).toStrictEqual({
      method: 'GET',
      headers: { 'x-api-key': 'secret', accept: 'application/json' },
      redirect: 'manual',
      signal: expect.any(AbortSignal),
    })
  })

  it('a refusal is an ApiError with status, code, message, the whole body, and the seconds to wait', async () => {
    const body = { error: 'Rate limit exceeded', code: 'rate_limited', requestId: 'r' }
    const { client } = clientOf(() => Response.json(body, { status: 429, headers: { 'retry-after': '12' } }))
    const error = await refusalOf(client.getCredits({}))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      name: 'ApiError',
      status: 429,
      code: 'rate_limited',
      message: 'Rate limit exceeded',
      body,
      retryAfterSeconds: 12,
    })
  })

  it.each([301, 302, 303, 307, 308])(
    'a redirect (%i) is not followed: neither the key nor a change made into a read goes on to another address',
    async (status) => {
      const reached: string[] = []
      const other = await listening((request, response) => {
        reached.push(`${request.method} ${request.url} ${request.headers['x-api-key']}`)
        response.end('{"keys":[]}')
      })
      const first = await listening((request, response) =>
        response.writeHead(status, { location: `${other.url}${request.url}` }).end(),
      )
      try {
        const client = createClient({ baseUrl: first.url, apiKey: 'secret' })
        for (const call of [() => client.createKey({ name: 'mine' }), () => client.getCredits({})])
          expect(await refusalOf(call())).toMatchObject({
            name: 'ApiError',
            status,
            message: 'The address answers with a redirect, which is not followed: give the final address as baseUrl',
          })
        expect(reached).toEqual([])
      } finally {
        for (const { close } of [first, other]) await close()
      }
    },
  )

  it.each([
    [
      Response.json({ error: 'Not found' }, { status: 404 }),
      { status: 404, code: undefined, message: 'Not found', retryAfterSeconds: undefined },
    ],
    [
      Response.json({}, { status: 500, headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' } }),
      { status: 500, message: 'HTTP 500', retryAfterSeconds: undefined },
    ],
    [Response.json({ error: 7, code: 8 }, { status: 400 }), { status: 400, code: undefined, message: 'HTTP 400' }],
    [
      new Response('<html>', { status: 502 }),
      { status: 502, message: 'The service answered 502 with something that is not a JSON object' },
    ],
    [Response.json(null, { status: 500 }), { status: 500 }],
    [Response.json(['x'], { status: 500 }), { status: 500 }],
    [
      new Response('<html>', { status: 200 }),
      { status: 200, message: 'The service answered 200 with something that is not a JSON object' },
    ],
    [new Response(null, { status: 204 }), { status: 204 }],
  ])('odd answers are ApiErrors too: %#', async (response, expected) => {
    const error = await refusalOf(clientOf(() => response).client.getCredits({}))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject(expected)
  })
})
