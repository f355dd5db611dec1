/** The diagnosis of an inspected delivery: each possible problem and its message. */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inspectWebhook, type NamedSecret } from '../src/inspect-webhook.ts'

const secretOf = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`
const ours: NamedSecret = { name: 'the secret', secret: secretOf(1) }
const older: NamedSecret = { name: 'the secret before', secret: secretOf(2) }
const body = '{"id":"d-1","event":"lead.detected","lead":{"name":"Zoë"}}'
const seconds = 1_795_424_400
const keyOf = ({ secret }: NamedSecret) => Buffer.from(secret.slice('whsec_'.length), 'base64')
const digest = (key: Buffer | string, text: string | Buffer) => createHmac('sha256', key).update(text)
const signed = (text = body, key: Buffer | string = keyOf(ours), at: number | string = seconds) =>
  `v1=${digest(key, Buffer.concat([Buffer.from(`${at}.`), Buffer.from(text)])).digest('hex')}`
const standard = (text = body, key: Buffer | string = keyOf(ours)) => ({
  'webhook-id': 'd-1',
  'webhook-timestamp': String(seconds),
  'webhook-signature': `v1,${digest(key, `d-1.${seconds}.${text}`).digest('base64')}`,
})
const good = {
  'x-service-timestamp': String(seconds),
  'x-service-signature': signed(),
  'x-service-event': 'lead.detected',
  'x-service-delivery': 'd-1',
}

type Headers = Readonly<Record<string, string>>
type Given = {
  readonly headers?: Headers
  readonly body?: string | Buffer
  readonly secrets?: readonly NamedSecret[]
  readonly known?: readonly NamedSecret[]
  readonly agedSeconds?: number
}
const inspect = ({ headers = good, body: text = body, secrets = [ours], known, agedSeconds = 0 }: Given) =>
  inspectWebhook(
    { headers, body: Buffer.from(text) },
    {
      secrets,
      ...(known ? { known } : {}),
      nowMs: (seconds + agedSeconds) * 1_000,
      hmac: (key, bytes) => createHmac('sha256', key).update(bytes).digest(),
    },
  )
const texts = (given: Given) => inspect(given).findings.map(({ problem, text }) => `${problem ?? 'fine'}: ${text}`)
const without = (...names: string[]): Headers =>
  Object.fromEntries(Object.entries(good).filter(([name]) => !names.includes(name)))
const fits = 'fine: x-service-signature fits the secret'
const fresh = 'fine: the timestamp is 0 s old, within the 300 s allowed'

const tooFar = 'more than the 300 s allowed: an old delivery, or a clock that is wrong; the signature itself fits'

describe('a delivery as it was sent', () => {
  it('fits, in both signatures, and says what it is', () => {
    expect(inspect({})).toMatchObject({ event: 'lead.detected', id: 'd-1', ageSeconds: 0 })
    expect(texts({})).toEqual([fits, fresh])
    expect(texts({ headers: { ...good, ...standard() } })).toEqual([
      fits,
      fresh,
      'fine: webhook-signature fits the secret',
    ])
  })
  it('fits by whichever secret and whichever of several signatures', () => {
    const both = `${signed(body, keyOf(older))}, ${signed()}`
    expect(texts({ headers: { ...good, 'x-service-signature': both } })[0]).toBe(fits)
    expect(texts({ secrets: [older, { ...ours, secret: ` ${ours.secret}\n` }] })[0]).toBe(fits)
    const { 'webhook-signature': own } = standard()
    const two = { ...standard(), 'webhook-signature': `v1,AAAA v1a,${own.slice(3)} ${own}` }
    expect(texts({ headers: { ...good, ...two } }).at(-1)).toBe('fine: webhook-signature fits the secret')
  })
  it.each([
    [300, 'fine: the timestamp is 300 s old, within the 300 s allowed'],
    [-300, 'fine: the timestamp is 300 s ahead of this clock, within the 300 s allowed'],
    [301, `timestamp_skew: the timestamp is 301 s old, ${tooFar}`],
    [-301, `timestamp_skew: the timestamp is 301 s ahead of this clock, ${tooFar}`],
  ])('%i s old', (agedSeconds, text) => {
    expect(texts({ agedSeconds })).toEqual([fits, text])
    expect(inspect({ agedSeconds }).ageSeconds).toBe(agedSeconds)
  })
})

describe('headers', () => {
  it('that are missing are named, both, and the rest is looked at', () => {
    expect(texts({ headers: without('x-service-timestamp', 'x-service-signature') })).toEqual([
      'header_missing: x-service-timestamp is missing',
      'header_missing: x-service-signature is missing',
    ])
    expect(texts({ headers: without('x-service-signature') })).toEqual([
      'header_missing: x-service-signature is missing',
      fresh,
    ])
    expect(inspect({ headers: without('x-service-timestamp') }).ageSeconds).toBe(null)
  })

  const form = 'it must be v1= and 64 lower-case hex digits, several joined by commas'
  const hex = signed().slice('v1='.length)
  it.each([
    [`v1,${hex}`, `x-service-signature holds the value of webhook-signature: ${form}`],
    [hex, `x-service-signature lacks its v1=: ${form}`],
    [hex.toUpperCase(), `x-service-signature lacks its v1=: ${form}`],
    [`v1=${'A'.repeat(64)}`, `x-service-signature has upper-case digits: ${form}`],
    [`v1=${hex.slice(1)}`, `x-service-signature has 63 digits: ${form}; was it cut?`],
    ['v1=', `x-service-signature has 0 digits: ${form}; was it cut?`],
    [`${signed()},v2=x`, `x-service-signature is not in the form of a signature: ${form}`],
    [`x${signed()}`, `x-service-signature is not in the form of a signature: ${form}`],
    [`x${hex}`, `x-service-signature is not in the form of a signature: ${form}`],
    [`${hex}x`, `x-service-signature is not in the form of a signature: ${form}`],
    [`xv1,${hex}`, `x-service-signature is not in the form of a signature: ${form}`],
    [`v1=${'A'.repeat(64)}x`, `x-service-signature is not in the form of a signature: ${form}`],
    [`xv1=${'A'.repeat(64)}`, `x-service-signature is not in the form of a signature: ${form}`],
    [`xv1=`, `x-service-signature is not in the form of a signature: ${form}`],
    [`v1=${hex.slice(1)}x`, `x-service-signature is not in the form of a signature: ${form}`],
  ])('a signature written «%s» is refused in words', (signature, text) =>
    expect(texts({ headers: { ...good, 'x-service-signature': signature } })).toEqual([
      `header_format: ${text}`,
      fresh,
    ]),
  )

  const time = 'header_format: x-service-timestamp must be whole seconds since 1970, and is'
  it.each([
    [`${seconds}000`, `${time} "${seconds}000": these are milliseconds`],
    [`x${seconds}000`, `${time} "x${seconds}000"`],
    [`${seconds}0000`, `${time} "${seconds}0000"`],
    [`${seconds}x`, `${time} "${seconds}x"`],
    [`x${seconds}`, `${time} "x${seconds}"`],
    ['12345678', `${time} "12345678"`],
    ['x'.repeat(50), `${time} "${'x'.repeat(40)}"`],
  ])('a timestamp written «%s» is refused in words', (timestamp, text) =>
    expect(texts({ headers: { ...good, 'x-service-timestamp': timestamp } })).toEqual([text]),
  )

  it('that are not signed are held against the body that is', () => {
    expect(texts({ headers: { ...good, 'x-service-event': 'sync.completed', 'x-service-delivery': 'd-2' } })).toEqual([
      fits,
      fresh,
      'header_changed: x-service-event says sync.completed, and the signed body lead.detected: the header is not signed, trust the body',
      'header_changed: x-service-delivery says d-2, and the signed body d-1: the header is not signed, trust the body',
    ])
    expect(texts({ headers: without('x-service-event', 'x-service-delivery') })).toEqual([fits, fresh])
    const odd = '{"event":7}'
    expect(texts({ headers: { ...good, 'x-service-signature': signed(odd) }, body: odd }).slice(2)).toEqual([
      'header_changed: x-service-event says lead.detected, and the signed body no text: the header is not signed, trust the body',
      'header_changed: x-service-delivery says d-1, and the signed body nothing: the header is not signed, trust the body',
    ])
    // A body of another sender says nothing about the headers.
    expect(texts({ headers: { ...good, 'x-service-event': 'x' }, secrets: [older] }).join()).not.toContain(
      'header_changed',
    )
    expect(inspect({ headers: { ...good, 'x-service-signature': signed(odd) }, body: odd })).toMatchObject({
      event: null,
      id: null,
    })
  })
})

describe('a signature that does not fit', () => {
  const own = (given: Given) => texts(given)[0]
  const sent = (text: string, received: string | Buffer, more: Headers = {}) =>
    own({ headers: { ...good, 'x-service-signature': signed(text), ...more }, body: received })
  const changed = 'body_changed: the body is not the one that was signed:'
  const parsed = `${changed} it was parsed and written again: sign and verify the bytes that came, before any JSON parser`
  it.each([
    ['a line break more', body, `${body}\n`, `${changed} a line break was added at its end`],
    ['a line break more, of two characters', body, `${body}\r\n`, `${changed} a line break was added at its end`],
    ['a line break less', `${body}\n`, body, `${changed} a line break is missing at its end`],
    ['other line breaks', `${body}\n\n x`, `${body}\r\n\r\n x`, `${changed} its line breaks were changed`],
    ['space around it', body, `  ${body}\t`, `${changed} space was added around it`],
    ['a byte order mark', `${body} `, `\uFEFF${body} `, `${changed} a byte order mark was added`],
    ['another spelling of the same JSON', body, JSON.stringify(JSON.parse(body), null, 1), parsed],
  ])('for %s says so', (_what, text, received, said) => expect(sent(text, received)).toBe(said))

  const elsewhere = 'wrong_secret: the secret is the wrong one: the delivery is signed with'
  it('names the secret that it was signed with', () => {
    expect(own({ secrets: [older], known: [older, ours] })).toBe(`${elsewhere} the secret; copy it again`)
    const asText = 'wrong_secret: it was signed with the text of the secret'
    for (const text of [ours.secret, ours.secret.slice('whsec_'.length)])
      expect(own({ headers: { ...good, 'x-service-signature': signed(body, text) } })).toContain(asText)
    expect(own({ secrets: [older] })).toBe(
      'signature_mismatch: the signature does not fit: the secret is another one ' +
        '(the likely cause, for the body fits its headers), or the body was changed',
    )
    // During a rotation there are two signatures: one from a known secret, or from its text form, is enough.
    const third: NamedSecret = { name: 'another', secret: secretOf(3) }
    const by = (key: Buffer | string) => ({ ...good, 'x-service-signature': signed('x', key) })
    expect(own({ headers: by(keyOf(third)), secrets: [older, third], known: [third] })).toContain(
      'the secret is the right one',
    )
    expect(own({ secrets: [older, third], known: [older, ours] })).toBe(`${elsewhere} the secret; copy it again`)
    const meant = { ...good, 'x-service-signature': signed(body, ours.secret) }
    expect(own({ headers: meant, secrets: [older, ours] })).toContain(asText)
    expect(own({ secrets: [older], known: [older] })).toBe(
      'body_changed: the secret is the right one, so the body or the timestamp was changed after it was signed',
    )
  })

  it('tells a changed body by its length, its form and its id', () => {
    const size = String(Buffer.byteLength(body))
    expect(sent(body, '{"id":"d-1"}', { 'content-length': size })).toBe(
      `body_changed: the body was changed: it has 12 bytes, and ${size} were sent`,
    )
    for (const length of ['12', 'many', '12x', 'x99'])
      expect(sent(body, '{"id":"d-1"}', { 'content-length': length })).toContain('signature_mismatch')
    for (const received of ['{"id":', '7', 'null', '"d-1"'])
      expect(sent(body, received)).toBe('body_changed: the body was changed: it is no JSON object any more')
    expect(sent(body, '{"id":"d-2"}')).toBe(
      'body_changed: the body belongs to another delivery: its id is d-2, and x-service-delivery says d-1',
    )
    expect(sent(body, `{"id":"${'d'.repeat(300)}"}`)).toContain(`its id is ${'d'.repeat(200)}, and`)
    expect(own({ headers: { ...without('x-service-delivery'), 'x-service-signature': signed('x') } })).toContain(
      'signature_mismatch',
    )
  })
})
