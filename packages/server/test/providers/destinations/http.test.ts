/** The HTTP exchange of all adapters: when a platform wants the next call, and what is known without an answer. */
import { describe, expect, test } from 'vitest'
import { EgressFailure, type Egress } from '../../../src/platform/egress/index.ts'
import { platformWords, retryAtOf } from '../../../src/providers/destinations/http.ts'
import { platformCall, type PlatformRequest } from '../../../src/providers/destinations/index.ts'
import { failureOf } from './stage.ts'

const now = new Date('2026-11-28T09:00:00.000Z')

describe('Retry-After', () => {
  test.each([
    ['7', '2026-11-28T09:00:07.000Z'],
    ['0', '2026-11-28T09:00:00.000Z'],
    ['Sat, 28 Nov 2026 09:05:00 GMT', '2026-11-28T09:05:00.000Z'],
    ['Fri, 27 Nov 2026 09:05:00 GMT', '2026-11-28T09:00:00.000Z'],
    ['9999999', '2026-11-30T09:00:00.000Z'],
    ['Thu, 28 Nov 2126 09:05:00 GMT', '2026-11-30T09:00:00.000Z'],
  ])('%s is %s, of service time and within two days [DST-09]', (header, at) => {
    expect(retryAtOf(header, now)?.toISOString()).toBe(at)
  })

  test.each([undefined, '', 'soon', 'NaN'])('%s says nothing [DST-09]', (header) => {
    expect(retryAtOf(header, now)).toBeNull()
  })
})

describe('a request without an answer', () => {
  const failing = (failure: EgressFailure): Egress => ({
    request: () => Promise.reject(failure),
    close: async () => {},
  })
  const after = (sent: boolean, request: Pick<PlatformRequest, 'method' | 'isRead'>) => {
    const failure = new EgressFailure('timeout', 'No complete answer within 30000 ms.')
    failure.sent = sent
    return failureOf(platformCall(failing(failure))({ url: 'https://crm.example/x', ...request }))
  }
  test.each([
    ['a write that left', true, { method: 'POST' }, 'answer_lost'],
    ['a write that never left', false, { method: 'POST' }, 'unavailable'],
    ['a read', true, { method: 'GET' }, 'unavailable'],
    ['a search by POST', true, { method: 'POST', isRead: true }, 'unavailable'],
  ] as const)('%s is %s [DST-07]', async (_what, sent, request, trouble) => {
    expect(await after(sent, request)).toMatchObject({ trouble, retryAt: null })
  })

  test('an address that the guard refuses is refused for good [DST-09]', async () => {
    const failure = new EgressFailure('refused_address', 'The address points to a private or reserved network.')
    expect(
      await failureOf(platformCall(failing(failure))({ method: 'GET', url: 'https://crm.example' })),
    ).toMatchObject({
      trouble: 'request_refused',
    })
  })
})

test("of a platform's words no secret, no markup and no address is left [DST-01]", () => {
  const platform = { secrets: ['first-secret', 'second-secret'] }
  const words = 'first-secret <b>and</b> second-secret at https://crm.example/path?token=third'
  expect(platformWords(words, platform)).toMatch(/^\[key\] +b and/)
  expect(platformWords(words, platform)).not.toMatch(/secret|third|</)
  expect(platformWords(7, platform)).toBeNull()
})
