/** Explains what is right and wrong with a webhook delivery (specification «Authentication» 6; G47). Callers pass the HMAC. */
import { deliveryHeaders, timestampToleranceSeconds } from './events.ts'
import { bodyVariants, fromBase64, fromHex, isSameBytes, joinBytes, signingKey } from './webhook-bytes.ts'

export type DeliveryProblem =
  | 'bad_secret'
  | 'header_missing'
  | 'header_format'
  | 'timestamp_skew'
  | 'wrong_secret'
  | 'body_changed'
  | 'signature_mismatch'
  | 'header_changed'

/** Null `problem`: the check passed. */
type DeliveryFinding = { readonly problem: DeliveryProblem | null; readonly text: string }

/** Header names in lower case, exact body bytes. */
type InspectedDelivery = { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array }

/** A secret and how to name it in a finding, as in «the secret that the service has now». */
export type NamedSecret = { readonly name: string; readonly secret: string }

/** `known` are secrets that must not have signed the delivery: they tell a wrong secret from a changed body. */
type Inspecting = {
  readonly secrets: readonly NamedSecret[]
  readonly known?: readonly NamedSecret[]
  readonly nowMs: number
  readonly hmac: (key: Uint8Array, bytes: Uint8Array) => Uint8Array
}

/** Findings in order of importance, and what the delivery states about itself. */
type Inspection = {
  readonly findings: readonly DeliveryFinding[]
  readonly event: string | null
  readonly id: string | null
  readonly ageSeconds: number | null
}

type Key = { readonly name: string; readonly text: string; readonly bytes: Uint8Array }

const lower = (name: string) => name.toLowerCase()
const names = {
  timestamp: lower(deliveryHeaders.timestamp),
  signature: lower(deliveryHeaders.signature),
  event: lower(deliveryHeaders.event),
  delivery: lower(deliveryHeaders.delivery),
  standardId: deliveryHeaders.standardId,
  standardTimestamp: deliveryHeaders.standardTimestamp,
  standardSignature: deliveryHeaders.standardSignature,
}
const standardNames = [names.standardId, names.standardTimestamp, names.standardSignature]

const wrong = (problem: DeliveryProblem, text: string): DeliveryFinding => ({ problem, text })
const fine = (text: string): DeliveryFinding => ({ problem: null, text })

/** Parses header lines; names become lower case, and lines that are not headers (request or status line) are skipped. */
export function parseHeaderLines(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(/\r?\n/).flatMap((line): [string, string][] => {
      const [, name, value] = /^[<>\s]*([A-Za-z0-9!#$%&'*+.^_`|~-]+):([\s\S]*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[lower(name), value.trim()]]
    }),
  )
}

function timestampFormat(timestamp: string): string {
  return (
    `${names.timestamp} must be whole seconds since 1970, and is ` +
    `${JSON.stringify(timestamp.slice(0, 40))}${/^\d{13}$/.test(timestamp) ? ': these are milliseconds' : ''}`
  )
}

function signatureFormat(header: string): string {
  const form = 'v1= and 64 lower-case hex digits, several joined by commas'
  if (/^v1,/.test(header)) return `${names.signature} holds the value of ${names.standardSignature}: it must be ${form}`
  if (/^[0-9a-f]{64}$/i.test(header)) return `${names.signature} lacks its v1=: it must be ${form}`
  if (/^v1=[0-9A-Fa-f]{64}$/.test(header)) return `${names.signature} has upper-case digits: it must be ${form}`
  if (/^v1=[0-9a-f]*$/.test(header))
    return `${names.signature} has ${header.length - 3} digits: it must be ${form}; was it cut?`
  return `${names.signature} is not in the form of a signature: it must be ${form}`
}

function signaturesIn(header: string): readonly Uint8Array[] | null {
  const parts = header.split(',').map((part) => part.trim())
  return parts.every((part) => /^v1=[0-9a-f]{64}$/.test(part)) ? parts.map((part) => fromHex(part.slice(3))) : null
}

const isAmong = (given: readonly Uint8Array[], digest: Uint8Array): boolean =>
  given.some((each) => isSameBytes(each, digest))

type Content = { readonly id?: unknown; readonly event?: unknown }

function contentOf(body: Uint8Array): Content | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

const quoted = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, 200) : value === undefined ? 'nothing' : 'no text'

function whyMismatch(
  { headers, body }: InspectedDelivery,
  { keys, known }: { readonly keys: readonly Key[]; readonly known: readonly Key[] },
  fits: (key: Uint8Array, bytes: Uint8Array) => boolean,
): DeliveryFinding {
  for (const { bytes } of keys) {
    const changed = bodyVariants(body).find(({ variant }) => fits(bytes, variant))
    if (changed) return wrong('body_changed', `the body is not the one that was signed: ${changed.how}`)
  }
  const isOurs = (other: Key) => keys.some(({ bytes }) => isSameBytes(bytes, other.bytes))
  const theirs = known.find((other) => !isOurs(other) && fits(other.bytes, body))
  if (theirs)
    return wrong(
      'wrong_secret',
      `the secret is the wrong one: the delivery is signed with ${theirs.name}; copy it again`,
    )
  const asText = (text: string) => new TextEncoder().encode(text)
  if (keys.some(({ text }) => fits(asText(text), body) || fits(asText(text.replace(/^whsec_/, '')), body)))
    return wrong(
      'wrong_secret',
      'it was signed with the text of the secret: the key is what the base64 after whsec_ stands for',
    )
  const length = headers['content-length']
  if (length !== undefined && /^\d+$/.test(length) && Number(length) !== body.length)
    return wrong('body_changed', `the body was changed: it has ${body.length} bytes, and ${quoted(length)} were sent`)
  const content = contentOf(body)
  if (!content) return wrong('body_changed', 'the body was changed: it is no JSON object any more')
  const id = headers[names.delivery]
  if (id !== undefined && content.id !== id)
    return wrong(
      'body_changed',
      `the body belongs to another delivery: its id is ${quoted(content.id)}, and ${names.delivery} says ${quoted(id)}`,
    )
  if (known.some(isOurs))
    return wrong(
      'body_changed',
      'the secret is the right one, so the body or the timestamp was changed after it was signed',
    )
  return wrong(
    'signature_mismatch',
    'the signature does not fit: the secret is another one (the likely cause, for the body fits its headers), or the body was changed',
  )
}

function inspectStandard(
  { headers, body }: InspectedDelivery,
  { keys, ownFits }: { readonly keys: readonly Key[]; readonly ownFits: boolean },
  hmac: Inspecting['hmac'],
): DeliveryFinding | null {
  const missing = standardNames.filter((name) => headers[name] === undefined)
  if (missing.length === standardNames.length) return null
  if (missing.length > 0)
    return wrong('header_missing', `${missing.join(' and ')} is missing beside the other webhook- headers`)
  const [id, timestamp, signature] = standardNames.map((name) => headers[name]!) as [string, string, string]
  const given = signature
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? (fromBase64(part.slice(3)) ?? []) : []))
  const fitting = keys.find(({ bytes }) => isAmong(given, hmac(bytes, joinBytes(`${id}.${timestamp}.`, body))))
  if (fitting) return fine(`${names.standardSignature} fits ${fitting.name}`)
  return ownFits
    ? wrong(
        'header_changed',
        `the signature fits, and ${names.standardSignature} does not: ` +
          `${names.standardId}, ${names.standardTimestamp} or the signature itself was changed`,
      )
    : wrong('signature_mismatch', `${names.standardSignature} does not fit either`)
}

function inspectAge(timestamp: string, ageSeconds: number, ownFits: boolean): DeliveryFinding {
  const seconds = Math.abs(ageSeconds)
  if (seconds <= timestampToleranceSeconds)
    return fine(
      `the timestamp is ${seconds} s ${ageSeconds >= 0 ? 'old' : 'ahead of this clock'}, within the ${timestampToleranceSeconds} s allowed`,
    )
  return wrong(
    'timestamp_skew',
    `the timestamp is ${seconds} s ${ageSeconds > 0 ? 'old' : 'ahead of this clock'}, ` +
      `more than the ${timestampToleranceSeconds} s allowed: an old delivery, ` +
      `or a clock that is wrong${ownFits ? '; the signature itself fits' : ` (${names.timestamp}: ${timestamp})`}`,
  )
}

function inspectUnsigned({ headers }: InspectedDelivery, content: Content | null): DeliveryFinding[] {
  const compared = [
    { header: names.event, said: headers[names.event], signed: content?.event },
    { header: names.delivery, said: headers[names.delivery], signed: content?.id },
  ]
  return compared.flatMap(({ header, said, signed }) =>
    said === undefined || said === signed
      ? []
      : [
          wrong(
            'header_changed',
            `${header} says ${quoted(said)}, and the signed body ${quoted(signed)}: the header is not signed, trust the body`,
          ),
        ],
  )
}

const keysOf = (secrets: readonly NamedSecret[]): readonly Key[] =>
  secrets.flatMap(({ name, secret }) => {
    const bytes = signingKey(secret)
    return bytes === null ? [] : [{ name, text: secret.trim(), bytes }]
  })

/** Checks everything about a delivery; never throws. */
export function inspectWebhook(
  delivery: InspectedDelivery,
  { secrets, known = [], nowMs, hmac }: Inspecting,
): Inspection {
  const { headers, body } = delivery
  const content = contentOf(body)
  const said = {
    event: typeof content?.event === 'string' ? content.event : null,
    id: typeof content?.id === 'string' ? content.id : null,
  }
  const keys = keysOf(secrets)
  if (keys.length === 0)
    return {
      ...said,
      ageSeconds: null,
      findings: [
        wrong('bad_secret', 'the secret is not in its form: whsec_ and base64, as the webhook settings show it'),
      ],
    }
  const [timestamp, signature] = [headers[names.timestamp], headers[names.signature]]
  const missing = [names.timestamp, names.signature]
    .filter((name) => headers[name] === undefined)
    .map((name) => wrong('header_missing', `${name} is missing`))
  const isTime = timestamp !== undefined && /^\d{9,11}$/.test(timestamp)
  const signatures = signature === undefined ? null : signaturesIn(signature)
  const malformed = [
    ...(timestamp !== undefined && !isTime ? [wrong('header_format', timestampFormat(timestamp))] : []),
    ...(signature !== undefined && !signatures ? [wrong('header_format', signatureFormat(signature))] : []),
  ]
  const fits = (key: Uint8Array, bytes: Uint8Array) =>
    isAmong(signatures!, hmac(key, joinBytes(`${timestamp}.`, bytes)))
  const readable = isTime && signatures !== null
  const fitting = readable ? keys.find(({ bytes }) => fits(bytes, body)) : undefined
  const ageSeconds = isTime ? Math.round(nowMs / 1_000) - Number(timestamp) : null
  const own = !readable
    ? []
    : [
        fitting
          ? fine(`${names.signature} fits ${fitting.name}`)
          : whyMismatch(delivery, { keys, known: keysOf(known) }, fits),
      ]
  const age = ageSeconds === null ? [] : [inspectAge(timestamp!, ageSeconds, fitting !== undefined)]
  const standard = inspectStandard(delivery, { keys, ownFits: fitting !== undefined }, hmac)
  return {
    ...said,
    ageSeconds,
    findings: [
      ...missing,
      ...malformed,
      ...own,
      ...age,
      ...(standard ? [standard] : []),
      ...(fitting ? inspectUnsigned(delivery, content) : []),
    ],
  }
}
