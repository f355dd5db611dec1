/**
 * What answers that are no success mean: status and body judged together, the vendor's words kept
 * (reference/providers.md §1.1, §1.2, §5).
 */
import { describe, expect, test } from 'vitest'
import { describeFailure } from '../../src/providers/ports.ts'
import type { Served } from './answers.ts'
import { behind, behindKey, failureOf } from './quick.ts'

const post = { urn: 'urn:li:activity:7390000000000000001', url: '' }
const page =
  '<!doctype html><html><head><title>Attention Required! | Cloudflare</title></head>' +
  '<body><h1>Sorry, you have been blocked</h1><p>Error 1010</p></body></html>'

describe('HarvestAPI says that a list is empty', () => {
  const envelope = {
    element: null,
    elements: null,
    pagination: null,
    query: {},
    payments: [],
    cost: 0.004,
    requestId: 'req-1',
  }
  test.each<[string, Served]>([
    ['with HTTP 200', { body: { ...envelope, status: 200, error: 'No included data' } }],
    [
      'with HTTP 200 beside an empty list',
      { body: { ...envelope, status: 400, error: 'No included data', elements: [] } },
    ],
    ['with HTTP 400', { status: 400, body: { ...envelope, status: 400, error: 'No included data' } }],
    ['with HTTP 400 in a message', { status: 400, body: { error: 400, message: 'No included data' } }],
    [
      'with HTTP 500',
      { status: 500, body: { ...envelope, status: 500, error: { status: 500, error: 'No included data' } } },
    ],
  ])('%s: one call, no failure', async (_how, served) => {
    const { harvest, asked } = behind(served)
    expect(await harvest.reactions(post, null)).toMatchObject({ items: [], next: null, total: null, cutShort: false })
    expect(await harvest.comments(post, null)).toMatchObject({ items: [], next: null, moreReplies: [] })
    expect(await harvest.posts({ kind: 'person', handle: 'ada', urn: null }, null)).toMatchObject({
      items: [],
      next: null,
    })
    expect(asked).toHaveLength(3)
  })
  test('where more was declared before, the read is cut short', async () => {
    const { harvest } = behind({ status: 400, body: { status: 400, error: 'No included data' } })
    expect(await harvest.reactions(post, { page: 3, token: null, total: 900, size: 100 })).toMatchObject({
      items: [],
      next: null,
      cutShort: true,
    })
  })
  test('of a single thing those words say nothing: it is not tried again, and the other vendor is asked', async () => {
    for (const status of [200, 400, 500]) {
      const { harvest, asked } = behind({ status, body: { status, element: null, error: 'No included data' } })
      expect(await failureOf(harvest.profile({ handle: 'ada' }))).toMatchObject({
        kind: 'malformed',
        vendorMessage: 'No included data',
      })
      expect(asked).toHaveLength(1)
    }
  })
})

describe('what HarvestAPI means', () => {
  test.each<[Served, string, number, string | null]>([
    [
      {
        body: {
          status: 200,
          element: null,
          elements: [],
          error: [{ status: 429, error: 'Concurrency limit' }],
          requestId: 'req-2',
        },
      },
      'rate_limited',
      3,
      'Concurrency limit',
    ],
    [{ body: { element: null, error: [{ status: '429' }] } }, 'rate_limited', 3, null],
    [{ status: 400, body: { error: [{ status: 429, message: 'Slow down' }] } }, 'rate_limited', 3, 'Slow down'],
    [{ status: 500, body: { error: { error: 'x', status: 429 } } }, 'rate_limited', 3, 'x'],
    [{ body: { status: 200, element: null, error: 'Not found' } }, 'not_found', 1, 'Not found'],
    [
      { body: { status: 404, element: null, error: { error: 'Profile not found', status: 404 } } },
      'not_found',
      1,
      'Profile not found',
    ],
    [
      { status: 400, body: { error: 400, message: 'Profile does not exist' } },
      'not_found',
      1,
      'Profile does not exist',
    ],
    [{ status: 400, body: { error: 400, message: 'Invalid API key' } }, 'account', 1, 'Invalid API key'],
    [
      {
        status: 401,
        body: { status: 401, error: { error: 'API key not found', status: 401 }, path: '/linkedin/profile' },
      },
      'account',
      1,
      'API key not found',
    ],
    [
      { status: 402, body: { status: 402, error: 'Insufficient credits, top up your balance' } },
      'account',
      1,
      'Insufficient credits, top up your balance',
    ],
    [{ status: 403, body: { status: 403, error: 'Forbidden' } }, 'account', 1, 'Forbidden'],
    [{ status: 403, body: '' }, 'account', 1, null],
    [{ status: 403, body: page }, 'unavailable', 3, 'Attention Required! | Cloudflare · Sorry, you have been blocked'],
    [{ status: 403, body: 'error code: 1010' }, 'unavailable', 3, 'error code: 1010'],
    [
      { status: 403, body: { title: 'Error 1010: Access denied', status: 403 } },
      'unavailable',
      3,
      'Error 1010: Access denied',
    ],
    [
      { status: 500, body: { error: 500, message: 'Upstream host not found' } },
      'unavailable',
      3,
      'Upstream host not found',
    ],
    [
      { status: 502, body: '<html><head><title>502 Bad Gateway</title></head></html>' },
      'unavailable',
      3,
      '502 Bad Gateway',
    ],
    [
      { status: 400, body: { error: 400, message: 'publicIdentifier is invalid' } },
      'malformed',
      1,
      'publicIdentifier is invalid',
    ],
    [{ body: { status: 200, element: null, error: 'Something odd' } }, 'malformed', 1, 'Something odd'],
  ])('%j is %s after %i calls', async (served, kind, calls, vendorMessage) => {
    const { harvest, asked, log } = behind(served)
    expect(await failureOf(harvest.profile({ handle: 'ada' }))).toMatchObject({ kind, vendorMessage })
    expect([asked.length, log.length, log.at(-1)!.outcome, log.at(-1)!.vendorMessage ?? null]).toEqual([
      calls,
      calls,
      kind,
      vendorMessage,
    ])
  })
  test('a list without rows beside an error is refused, one with rows is not', async () => {
    const row = { id: '7390000000000000001', content: 'One', author: { publicIdentifier: 'ada' } }
    expect(
      (await failureOf(behind({ body: { elements: [], error: [{ status: 429 }] } }).harvest.reactions(post, null)))
        .kind,
    ).toBe('rate_limited')
    expect(
      (await failureOf(behind({ body: { elements: [], error: 'Post not found' } }).harvest.reactions(post, null))).kind,
    ).toBe('not_found')
    expect(
      (
        await behind({ body: { elements: [row], error: 'A row was left out' } }).harvest.posts(
          { kind: 'person', handle: 'ada', urn: null },
          null,
        )
      ).items,
    ).toHaveLength(1)
    for (const error of [null, '', [], {}, undefined])
      expect((await behind({ body: { elements: [], error } }).harvest.reactions(post, null)).items).toEqual([])
  })
  test('a busy account is asked again, and answers', async () => {
    const { harvest } = behind(
      { body: { element: null, error: [{ status: 429 }] } },
      { body: { element: { id: 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH' } } },
    )
    expect(await harvest.resolveHandle('ada')).toMatchObject({ handle: 'ada' })
  })
})

describe('what LinkdAPI means', () => {
  test.each<[Served, string, string | null]>([
    [
      {
        status: 404,
        body: { success: false, statusCode: 404, message: 'Profile not found', errors: null, data: null },
      },
      'not_found',
      'Profile not found',
    ],
    [{ status: 400, body: { success: false, message: 'Not enough credits' } }, 'account', 'Not enough credits'],
    [{ status: 403, body: page }, 'unavailable', 'Attention Required! | Cloudflare · Sorry, you have been blocked'],
    [
      { body: { success: false, statusCode: 200, message: '', errors: ['API key is disabled'] } },
      'account',
      'API key is disabled',
    ],
    [{ body: { success: false, errors: [{ message: 'Too many requests' }] } }, 'rate_limited', 'Too many requests'],
    [{ status: 503, body: { success: false, statusCode: 503, message: 'Busy' } }, 'unavailable', 'Busy'],
    [
      { status: 422, body: { success: false, statusCode: 422, message: 'urn is required' } },
      'malformed',
      'urn is required',
    ],
    [{ body: { success: true, message: 'Data retrieved successfully', data: null } }, 'malformed', null],
  ])('%j is %s', async (served, kind, vendorMessage) => {
    expect(await failureOf(behind(served).linkd.profile({ handle: 'ada' }))).toMatchObject({ kind, vendorMessage })
  })
})

describe('the words of a vendor are the text of strangers', () => {
  const vendorMessage = async (message: unknown, more: Partial<Served> = {}) =>
    failureOf(behind({ status: 422, body: { message }, ...more }).harvest.profile({ handle: 'ada' }))
  test('they are one clean line of at most 200 characters, which no quotation, markup or secret survives', async () => {
    const { message, vendorMessage: words } = await vendorMessage(
      `  Bad\u0000 \u202e"token"\r\n<b>key</b> cs_${'a'.repeat(40)} ${'x'.repeat(1_000)}`,
    )
    expect(words).toBe(`Bad 'token' b key /b [redacted] ${'x'.repeat(200)}`.slice(0, 200))
    expect(message).toBe(`harvestapi profile: HTTP 422; it said: "${words}"`)
  })
  test('the key they were asked with is blotted out before anything is cut', async () => {
    const { harvest, log } = behind({ status: 401, body: { error: `${'y'.repeat(195)}${behindKey}` } })
    expect((await failureOf(harvest.profile({ handle: 'ada' }))).vendorMessage).toBe(`${'y'.repeat(195)}[key]`)
    expect(log.map(({ vendorMessage: words }) => words)).toEqual([`${'y'.repeat(195)}[key]`])
  })
  test.each([
    [{ body: { message: 'No', requestId: 'a1b2-c3' } }, 'a1b2-c3'],
    [{ body: { message: 'No' }, headers: { 'x-request-id': 'h-1' } }, 'h-1'],
    [{ body: '<html>', headers: { 'cf-ray': '8f00aa-FRA' } }, '8f00aa-FRA'],
    [{ body: { message: 'No', requestId: 'a b"<script>' } }, null],
    [{ body: { message: 'No', requestId: 'x'.repeat(101) } }, null],
    [{ body: { message: 'No', requestId: 7 } }, null],
  ] as const)('of %j the request id is %s', async (more, requestId) => {
    expect((await vendorMessage('', more as Partial<Served>)).requestId).toBe(requestId)
  })
  test('a run tells them behind its own words, and names no vendor', () => {
    expect(describeFailure({ kind: 'unavailable', vendorMessage: null, requestId: null })).toBe(
      'The network did not answer',
    )
    expect(describeFailure({ kind: 'unavailable', vendorMessage: 'Busy', requestId: 'r-1' })).toBe(
      'The network did not answer; it said: "Busy" (request r-1)',
    )
    expect(describeFailure({ kind: 'account', vendorMessage: null, requestId: 'r-1' })).toBe(
      'The network refused the account of this service, which its operator has to see to (request r-1)',
    )
  })
})

describe('a member whom nobody may see', () => {
  test.each([
    [200, 'This profile is private'],
    [403, 'This profile is private'],
    [403, 'The member has been deactivated'],
    [404, 'Profile not found or deleted'],
  ])('with HTTP %i: %j is as good as none', async (status, message) => {
    const { linkd } = behind({
      status,
      body: { success: false, statusCode: 403, message, errors: [message], data: null },
    })
    expect((await failureOf(linkd.profile({ handle: 'ada' }))).kind).toBe('not_found')
  })
  test.each(['Your account has been suspended', 'Your profile quota is restricted', 'Invalid API key: private'])(
    '%j is about our account',
    async (message) => {
      const { linkd } = behind({ status: 403, body: { success: false, statusCode: 403, message, data: null } })
      expect((await failureOf(linkd.profile({ handle: 'ada' }))).kind).toBe('account')
    },
  )
})
