/** What unsuccessful answers mean: status and body judged together, the vendor's words kept. */
import { describe, expect, test } from 'vitest'
import { describeFailure } from '../../src/providers/ports.ts'
import type { Served } from './answers.ts'
import { adaptersAnswering, adapterKey, failureOf } from './quick.ts'
import refusals from './recorded/refusals.json' with { type: 'json' }

const post = { urn: 'urn:li:activity:7390000000000000001', url: '' }

describe('HarvestAPI says that a list is empty', () => {
  test.each(refusals.empty)('$how: one call, no failure', async ({ served }) => {
    const { harvest, asked } = adaptersAnswering(served)
    expect(await harvest.reactions(post, null)).toMatchObject({ items: [], next: null, total: null, cutShort: false })
    expect(await harvest.comments(post, null)).toMatchObject({ items: [], next: null, moreReplies: [] })
    expect(await harvest.posts({ kind: 'person', handle: 'ada', urn: null }, null)).toMatchObject({
      items: [],
      next: null,
    })
    expect(asked).toHaveLength(3)
  })
  test('where more was declared before, the read is cut short', async () => {
    const { harvest } = adaptersAnswering({ status: 400, body: { status: 400, error: 'No included data' } })
    expect(await harvest.reactions(post, { page: 3, token: null, total: 900, size: 100 })).toMatchObject({
      items: [],
      next: null,
      cutShort: true,
    })
  })
  test('of a single thing those words say nothing: it is not tried again, and the other vendor is asked', async () => {
    for (const status of [200, 400, 500]) {
      const { harvest, asked } = adaptersAnswering({
        status,
        body: { status, element: null, error: 'No included data' },
      })
      expect(await failureOf(harvest.profile({ handle: 'ada' }))).toMatchObject({
        kind: 'malformed',
        vendorMessage: 'No included data',
      })
      expect(asked).toHaveLength(1)
    }
  })
})

describe('what HarvestAPI means', () => {
  test.each(refusals.harvestapi)(
    '$served is $kind after $calls calls',
    async ({ served, kind, calls, vendorMessage }) => {
      const { harvest, asked, log } = adaptersAnswering(served)
      expect(await failureOf(harvest.profile({ handle: 'ada' }))).toMatchObject({ kind, vendorMessage })
      expect([asked.length, log.length, log.at(-1)!.outcome, log.at(-1)!.vendorMessage ?? null]).toEqual([
        calls,
        calls,
        kind,
        vendorMessage,
      ])
    },
  )
  test('a list without rows beside an error is refused, one with rows is not', async () => {
    const row = { id: '7390000000000000001', content: 'One', author: { publicIdentifier: 'ada' } }
    expect(
      (
        await failureOf(
          adaptersAnswering({ body: { elements: [], error: [{ status: 429 }] } }).harvest.reactions(post, null),
        )
      ).kind,
    ).toBe('rate_limited')
    expect(
      (
        await failureOf(
          adaptersAnswering({ body: { elements: [], error: 'Post not found' } }).harvest.reactions(post, null),
        )
      ).kind,
    ).toBe('not_found')
    expect(
      (
        await adaptersAnswering({ body: { elements: [row], error: 'A row was left out' } }).harvest.posts(
          { kind: 'person', handle: 'ada', urn: null },
          null,
        )
      ).items,
    ).toHaveLength(1)
    for (const error of [null, '', [], {}, undefined])
      expect((await adaptersAnswering({ body: { elements: [], error } }).harvest.reactions(post, null)).items).toEqual(
        [],
      )
  })
  test('a busy account is asked again, and answers', async () => {
    const { harvest } = adaptersAnswering(
      { body: { element: null, error: [{ status: 429 }] } },
      { body: { element: { id: 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH' } } },
    )
    expect(await harvest.resolveHandle('ada')).toMatchObject({ handle: 'ada' })
  })
})

describe('what LinkdAPI means', () => {
  test.each(refusals.linkdapi)('$served is $kind', async ({ served, kind, vendorMessage }) => {
    expect(await failureOf(adaptersAnswering(served).linkd.profile({ handle: 'ada' }))).toMatchObject({
      kind,
      vendorMessage,
    })
  })
})

describe('the words of a vendor are the text of strangers', () => {
  const vendorMessage = async (message: unknown, more: Partial<Served> = {}) =>
    failureOf(adaptersAnswering({ status: 422, body: { message }, ...more }).harvest.profile({ handle: 'ada' }))
  test('they are one clean line of at most 200 characters, which no quotation, markup or secret survives', async () => {
    const { message, vendorMessage: words } = await vendorMessage(
      `  Bad\u0000 \u202e"token"\r\n<b>key</b> cs_${'a'.repeat(40)} ${'x'.repeat(1_000)}`,
    )
    expect(words).toBe(`Bad 'token' b key /b [redacted] ${'x'.repeat(200)}`.slice(0, 200))
    expect(message).toBe(`harvestapi profile: HTTP 422; it said: "${words}"`)
  })
  test('the key they were asked with is blotted out before anything is cut', async () => {
    const { harvest, log } = adaptersAnswering({ status: 401, body: { error: `${'y'.repeat(195)}${adapterKey}` } })
    expect((await failureOf(harvest.profile({ handle: 'ada' }))).vendorMessage).toBe(`${'y'.repeat(195)}[key]`)
    expect(log.map(({ vendorMessage: words }) => words)).toEqual([`${'y'.repeat(195)}[key]`])
  })
  test('whom it was asked about is named by no failure and no line of the log, in any case and within an address [PRV-04]', async () => {
    const said = { error: 'No profile jane-doe-7: /in/JANE-DOE-7 is gone, jane-doe-77 is not' }
    const { harvest, log } = adaptersAnswering({ status: 422, body: said })
    const { message } = await failureOf(harvest.profile({ handle: 'jane-doe-7' }))
    const told = 'No profile [sent]: /in/[sent] is gone, jane-doe-77 is not'
    expect([message, log.at(-1)!.vendorMessage]).toEqual([`harvestapi profile: HTTP 422; it said: "${told}"`, told])
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
      'The network refused the account of this service: its operator has to fix this (request r-1)',
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
    const { linkd } = adaptersAnswering({
      status,
      body: { success: false, statusCode: 403, message, errors: [message], data: null },
    })
    expect((await failureOf(linkd.profile({ handle: 'ada' }))).kind).toBe('not_found')
  })
  test.each(['Your account has been suspended', 'Your profile quota is restricted', 'Invalid API key: private'])(
    '%j is about our account',
    async (message) => {
      const { linkd } = adaptersAnswering({
        status: 403,
        body: { success: false, statusCode: 403, message, data: null },
      })
      expect((await failureOf(linkd.profile({ handle: 'ada' }))).kind).toBe('account')
    },
  )
})
