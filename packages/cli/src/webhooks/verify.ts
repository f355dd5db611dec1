/** Judges a delivery: whether it is genuine, and if not, what exactly is wrong with it. Pure. */
import { timingSafeEqual } from 'node:crypto'
import type { Message } from './message.ts'
import { headerNames, keyOf, ownSignature, standardSignature, toleranceSeconds } from './signing.ts'

/** What is wrong with a delivery. */
export type Problem = 'bad_secret' | 'header_missing' | 'header_format' | 'timestamp_skew' | 'wrong_secret' | 'body_changed' | 'signature_mismatch' | 'header_changed'

/** The outcome; `event` and `id` are what the delivery says of itself. */
export type Verdict = { readonly ok: true; readonly event: string; readonly id: string; readonly ageSeconds: number } | { readonly ok: false; readonly problem: Problem; readonly message: string }

/** What a delivery is judged by. `knownSecret` is the one the service uses now, where it can be asked: it tells a wrong secret from a changed body. */
export type Judging = { readonly secret: string; readonly nowMs: number; readonly knownSecret?: string | undefined }

type Body = { readonly id?: unknown; readonly event?: unknown }

const wrong = (problem: Problem, message: string): Verdict => ({ ok: false, problem, message })

const equal = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

/** The signatures in `v1=<hex>[,v1=<hex>]`; undefined when it is written otherwise. */
function ownSignatures(header: string): Buffer[] | undefined {
  const parts = header.split(',').map((part) => part.trim())
  return parts.every((part) => /^v1=[0-9a-f]{64}$/.test(part)) ? parts.map((part) => Buffer.from(part.slice(3), 'hex')) : undefined
}

function parsed(body: Buffer): Body | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function signatureFormat(header: string): string {
  const form = 'v1= and 64 lower-case hex digits, several joined by commas'
  if (/^v1,/.test(header)) return `${headerNames.signature} holds the value of ${headerNames.standardSignature}: it must be ${form}`
  if (/^[0-9a-f]{64}$/i.test(header)) return `${headerNames.signature} lacks its v1=: it must be ${form}`
  if (/^v1=[0-9A-Fa-f]{64}$/.test(header)) return `${headerNames.signature} has upper-case digits: it must be ${form}`
  if (/^v1=[0-9a-f]*$/.test(header)) return `${headerNames.signature} has ${header.length - 3} digits: it must be ${form}; was it cut?`
  return `${headerNames.signature} is not in the form of a signature: it must be ${form}`
}

/** The ways a body is changed without anybody meaning to. */
function bodyVariants(body: Buffer): [how: string, variant: Buffer][] {
  const text = body.toString('utf8')
  const value = parsed(body)
  const added = text.replace(/\r?\n$/, '')
  return [
    ['a line break was added at its end', Buffer.from(added)],
    ['a line break is missing at its end', Buffer.from(`${text}\n`)],
    ['its line breaks were changed', Buffer.from(text.replaceAll('\r\n', '\n'))],
    ['a byte order mark was added', Buffer.from(text.replace(/^\uFEFF/, ''))],
    ...(value === undefined ? [] : [['it was parsed and written again: sign and verify the bytes that came, before any JSON parser', Buffer.from(JSON.stringify(value))] as [string, Buffer]]),
  ]
}

function whyMismatch({ headers, body }: Message, timestamp: string, signatures: readonly Buffer[], key: Buffer, { secret, knownSecret }: Judging): Verdict {
  const fits = (candidate: Buffer, bytes: Buffer) => signatures.some((signature) => equal(signature, ownSignature(candidate, timestamp, bytes)))
  const changed = bodyVariants(body).find(([, variant]) => !variant.equals(body) && fits(key, variant))
  if (changed) return wrong('body_changed', `the body is not the one that was signed: ${changed[0]}`)
  const known = knownSecret === undefined ? undefined : keyOf(knownSecret)
  if (known && !known.equals(key) && fits(known, body)) return wrong('wrong_secret', 'the secret is the wrong one: the delivery is signed with the secret that the service has now; copy it again')
  if (fits(Buffer.from(secret.trim()), body) || fits(Buffer.from(secret.trim().replace(/^whsec_/, '')), body)) return wrong('wrong_secret', 'it was signed with the text of the secret: the key is what the base64 after whsec_ stands for')
  const length = headers['content-length']
  if (length !== undefined && /^\d+$/.test(length) && Number(length) !== body.length) return wrong('body_changed', `the body was changed: it has ${body.length} bytes, and ${length} were sent`)
  const content = parsed(body)
  if (!content) return wrong('body_changed', 'the body was changed: it is no JSON object any more')
  const id = headers[headerNames.delivery]
  if (id !== undefined && content.id !== id) return wrong('body_changed', `the body belongs to another delivery: its id is ${String(content.id)}, and ${headerNames.delivery} says ${id}`)
  if (known?.equals(key)) return wrong('body_changed', 'the secret is the right one, so the body or the timestamp was changed after it was signed')
  return wrong('signature_mismatch', 'the signature does not fit: the secret is another one (the likely cause, for the body fits its headers), or the body was changed')
}

function judgeStandard({ headers, body }: Message, key: Buffer): Verdict | undefined {
  const [id, timestamp, signature] = [headers[headerNames.standardId], headers[headerNames.standardTimestamp], headers[headerNames.standardSignature]]
  if (id === undefined && timestamp === undefined && signature === undefined) return undefined
  if (id === undefined || timestamp === undefined || signature === undefined) return wrong('header_missing', `${[headerNames.standardId, headerNames.standardTimestamp, headerNames.standardSignature].filter((name) => headers[name] === undefined).join(' and ')} is missing beside the other webhook- headers`)
  const given = signature.split(' ').map((part) => (part.startsWith('v1,') ? Buffer.from(part.slice(3), 'base64') : Buffer.alloc(0)))
  const expected = standardSignature(key, id, timestamp, body)
  return given.some((each) => equal(each, expected)) ? undefined : wrong('header_changed', `the signature fits, and ${headerNames.standardSignature} does not: ${headerNames.standardId}, ${headerNames.standardTimestamp} or the signature itself was changed`)
}

/** Judges a delivery. */
export function verify(message: Message, judging: Judging): Verdict {
  const { headers, body } = message
  const key = keyOf(judging.secret)
  if (!key) return wrong('bad_secret', 'the secret is not in its form: whsec_ and base64, as the webhook settings show it with --show-secret')
  const [timestamp, signature] = [headers[headerNames.timestamp], headers[headerNames.signature]]
  if (timestamp === undefined) return wrong('header_missing', `${headerNames.timestamp} is missing`)
  if (signature === undefined) return wrong('header_missing', `${headerNames.signature} is missing`)
  if (!/^\d{9,11}$/.test(timestamp)) return wrong('header_format', `${headerNames.timestamp} must be whole seconds since 1970, and is ${JSON.stringify(timestamp.slice(0, 40))}${/^\d{13}$/.test(timestamp) ? ': these are milliseconds' : ''}`)
  const signatures = ownSignatures(signature)
  if (!signatures) return wrong('header_format', signatureFormat(signature))
  if (!signatures.some((each) => equal(each, ownSignature(key, timestamp, body)))) return whyMismatch(message, timestamp, signatures, key, judging)
  const ageSeconds = Math.round(judging.nowMs / 1000) - Number(timestamp)
  if (Math.abs(ageSeconds) > toleranceSeconds) return wrong('timestamp_skew', `the timestamp is ${Math.abs(ageSeconds)} s ${ageSeconds > 0 ? 'old' : 'ahead of this clock'}, more than the ${toleranceSeconds} s allowed: an old delivery, or a clock that is wrong; the signature itself fits`)
  const standard = judgeStandard(message, key)
  if (standard) return standard
  const content = parsed(body)
  const [event, id] = [headers[headerNames.event], headers[headerNames.delivery]]
  if (event !== undefined && content?.event !== event) return wrong('header_changed', `${headerNames.event} says ${event}, and the signed body ${String(content?.event)}: the header is not signed, trust the body`)
  if (id !== undefined && content?.id !== id) return wrong('header_changed', `${headerNames.delivery} says ${id}, and the signed body ${String(content?.id)}: the header is not signed, trust the body`)
  return { ok: true, event: String(content?.event), id: String(content?.id), ageSeconds }
}
