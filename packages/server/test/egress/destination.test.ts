import { describe, expect, test } from 'vitest'
import { checkDestination, isPublicAddress } from '../../src/platform/egress/index.ts'
import { ADDRESS_TRICKS } from './address-tricks.ts'

const both = { schemes: ['https', 'http'], allowPrivate: false } as const

describe('a destination as it is saved', () => {
  test('more than 60 tricks are refused, each with a sentence', () => {
    expect(ADDRESS_TRICKS.length).toBeGreaterThan(60)
    for (const trick of ADDRESS_TRICKS) {
      const check = checkDestination(trick.replace('PORT', '8080'), both)
      expect(check.ok, trick).toBe(false)
      if (!check.ok) expect(check.reason, trick).toMatch(/^The .+\.$/)
    }
  })

  test.each([
    'https://example.com/',
    'https://example.com',
    'https://hooks.example.com/a/b?c=d#e',
    'https://example.com:443/x',
    'http://example.com:80/',
    'https://EXAMPLE.com/',
    'https://xn--bcher-kva.example/',
    'https://bücher.example/',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]/',
    'http://8.8.8.8/',
    'https://internal.example.com/',
    'https://localhost.example.com/',
    'https://receiver.test/hook',
    'https://a-b.c_d.example/',
  ])('%s is accepted', (url) => expect(checkDestination(url, both)).toMatchObject({ ok: true }))

  test('http is refused where only https is asked for', () => {
    expect(checkDestination('http://example.com/', { schemes: ['https'], allowPrivate: false })).toEqual({
      ok: false,
      reason: 'The address must start with https://.',
    })
  })

  test.each([80, 81, 444, 1024, 3000, 5678, 8080, 8443, 9443, 10081, 65535])(
    'port %i is a port like any other [FIX-05, G152]',
    (port) => {
      for (const url of [`https://example.com:${port}/x`, `http://example.com:${port}/x`, `https://1.1.1.1:${port}/x`])
        expect(checkDestination(url, both)).toMatchObject({
          ok: true,
          url: { port: port === 80 ? expect.any(String) : String(port) },
        })
      expect(checkDestination(`https://10.0.0.1:${port}/`, both).ok).toBe(false)
      expect(checkDestination(`https://user:secret@example.com:${port}/`, both).ok).toBe(false)
    },
  )

  test.each([0, 1, 7, 19, 22, 25, 53, 110, 143, 465, 587, 636, 993, 2049, 4190, 5060, 6000, 6665, 6669, 6697, 10080])(
    'port %i, which the Fetch standard blocks, is refused [FIX-05, G152]',
    (port) =>
      expect(checkDestination(`https://example.com:${port}/x`, both)).toEqual({
        ok: false,
        reason: `The address must not use port ${port}: it belongs to another protocol.`,
      }),
  )

  test('2,000 characters are accepted and 2,001 refused', () => {
    const url = (length: number) => 'https://example.com/'.padEnd(length, 'a')
    expect(checkDestination(url(2_000), both).ok).toBe(true)
    expect(checkDestination(url(2_001), both).ok).toBe(false)
  })

  test('the operator switch allows http, loopback, any port and short names, and still no credentials', () => {
    const rules = { schemes: ['https'], allowPrivate: true } as const
    for (const url of ['http://127.0.0.1:9/x', 'http://localhost:8080/', 'https://[::1]/', 'http://receiver/'])
      expect(checkDestination(url, rules).ok, url).toBe(true)
    for (const url of ['http://u:p@127.0.0.1/', 'ftp://127.0.0.1/', 'not a url'])
      expect(checkDestination(url, rules).ok, url).toBe(false)
  })
})

test('only addresses of the public internet count as public', () => {
  for (const address of ['1.1.1.1', '8.8.8.8', '2606:4700::1111', '2a00:1450:4001::1', '::ffff:1.1.1.1'])
    expect(isPublicAddress(address), address).toBe(true)
  for (const address of [
    '::ffff:10.0.0.1',
    '::10.0.0.1',
    'fe80::1%eth0',
    '168.63.129.16',
    'nonsense',
    '',
    '1.1.1.1%1',
    '64:ff9b::101:101',
    '2002:101:101::',
    '2001::1',
  ])
    expect(isPublicAddress(address), address).toBe(false)
})
