/**
 * Fences text from strangers, so that a model treats it as data. Invisible characters are always removed. Unfenced stay values of
 * the contract, ids, dates, short plain addresses, and words of the service or team; in doubt a text is fenced.
 */
import { describeSchema, errorTable, registry, type Operation } from '@les/contract'

/** Fields that only the service or the team writes. */
const ours: ReadonlySet<string> = new Set([
  'message',
  'warning',
  'suggestion',
  'syncNotQueuedReason',
  'code',
  'errorCode',
  'stoppedBy',
  'field',
  'ignoredFields',
  'unappliedFilters',
  'column',
  'part',
  'plan',
  'missing',
  'allowed',
  'aiModel',
  'aiPrompt',
  'expression',
  'signingSecret',
  'previousSigningSecret',
])

const identifying = /^(?:id|key|urn|username|maskedKey)$|(?:Id|Ids|Urn|Urns)$/
const addressing = /^(?:url|website|domain)$|(?:Url|Domain)$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const date = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z)?$/

let spelledOut: ReadonlySet<string> | undefined
function contractValues(): ReadonlySet<string> {
  if (spelledOut) return spelledOut
  const values = new Set<string>()
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { enum: options, const: only } = node as { enum?: unknown; const?: unknown }
    for (const value of [...(Array.isArray(options) ? options : []), only])
      if (typeof value === 'string') values.add(value)
    Object.values(node).forEach(collect)
  }
  for (const operation of registry as readonly Operation[]) collect(describeSchema(operation.success, 'output'))
  for (const { details } of Object.values(errorTable)) collect(describeSchema(details, 'output'))
  return (spelledOut = values)
}

/** Word boundaries in a name: punctuation, and a capital after a small letter. */
const separators = /[^A-Za-z0-9]|(?<=[a-z])(?=[A-Z])/g
const countIn = (text: string, signs: RegExp): number => text.match(signs)?.length ?? 0

const shortWord = /^[A-Za-z0-9][A-Za-z0-9._~:-]{0,39}$/
/** Ids assigned by the network or this service, whose text nobody can choose. */
const numbered = [
  /^ACoA[A-Za-z0-9_-]{20,60}$/,
  /^urn:li:(?:person|member|fsd_profile|fs_miniProfile):(?:ACoA[A-Za-z0-9_-]{20,60}|\d{1,25})$/,
  /^urn:li:(?:activity|ugcPost|share|company|organization|fsd_company|industry|group|article):\d{1,25}$/,
  /^urn:li:comment:\((?:urn:li:)?(?:activity|ugcPost|share):\d{1,25},\d{1,25}\)$/,
  /^cs_(?:[A-Za-z0-9]{49}|[A-Za-z0-9]{3}(?:…|\*{3})[A-Za-z0-9]{4}|\*{8})$/,
]

/** An assigned id, or a word too short to be a sentence with punctuation for blanks. */
const isIdentifier = (text: string): boolean =>
  numbered.some((form) => form.test(text)) || (shortWord.test(text) && countIn(text, separators) <= 4)

/** A registered domain: no subdomain but `www`, no other script; its words are counted more strictly than an identifier's. */
const plainDomain =
  /^(?:www\.)?(?!xn--)[a-z0-9-]{1,30}(?:\.(?:ac|co|com|edu|gov|go|ne|net|or|org))?\.(?!xn--)[a-z]{2,24}$/i
const isDomain = (text: string): boolean =>
  text.length <= 40 && plainDomain.test(text) && countIn(text, /-/g) <= 1 && countIn(text, /[a-z](?=[A-Z])/g) <= 1

const origin = /^https?:\/\/([^/:@?#\s]{1,80})(?::\d{1,5})?\/?$/i
const thisMachine = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3})$/i
const onNetwork =
  /^https?:\/\/(?:www\.|[a-z]{2}\.)?linkedin\.com\/(in|company|school|feed\/update)\/([^/?#\s]{1,120})\/?$/i

function isAddress(text: string): boolean {
  const host = origin.exec(text)?.[1] ?? text
  if (isDomain(host) || thisMachine.test(host)) return true
  const [, place, name] = onNetwork.exec(text) ?? []
  if (place === undefined || name === undefined) return false
  return isIdentifier(name) && /^feed/i.test(place) === name.startsWith('urn:li:')
}

/** True for text that cannot carry an instruction. */
const harmless = (text: string, field: string): boolean =>
  text === '' ||
  ours.has(field) ||
  uuid.test(text) ||
  date.test(text) ||
  contractValues().has(text) ||
  (identifying.test(field) && isIdentifier(text)) ||
  (addressing.test(field) && isAddress(text))

const mark = 'untrusted_text'

/** Invisible, but able to carry a message: controls (not tab and newline), fillers, bidi marks, selectors, tags. */
const invisible = [
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad]/gu,
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the characters are meant one by one.
  /\u034f|[\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0e\uffa0]/gu,
  /[\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb]/gu,
  /[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu,
]

/** Joiners and selectors that are not part of an emoji. */
const strayJoiners =
  /(?<![\p{Extended_Pictographic}\d#*])\ufe0f|(?<!\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])\u200d|\u200d(?!\p{Extended_Pictographic})/gu

export function visible(text: string): string {
  const seen = invisible.reduce((rest, characters) => rest.replace(characters, ''), text)
  return seen.replace(strayJoiners, '')
}

/** Fences a text; marks inside it are broken first. */
export function fence(text: string): string {
  const broken = visible(text).replace(/<(\s*(?:\/\s*)?untrusted_text)/gi, '\u2039$1')
  return `<${mark}>${broken}</${mark}>`
}

/** Removes the fence from arguments that a model copied from an answer. */
export function unfenced(value: unknown): unknown {
  if (typeof value === 'string') return /^<untrusted_text>([\s\S]*)<\/untrusted_text>$/.exec(value)?.[1] ?? value
  if (Array.isArray(value)) return value.map(unfenced)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unfenced(inner)]))
}

/** What an outside system said, quoted at the end of our error; the quotation contains no double quotes. */
const quoted = /(; it said: ")([^"]+)"/gu

const errorText = (text: string): string =>
  visible(text).replace(quoted, (_whole, before: string, said: string) => `${before}${fence(said)}"`)

/** An answer that is safe to show a model. */
export function guarded(value: unknown, field = ''): unknown {
  if (typeof value === 'string' && field === 'error') return errorText(value)
  if (typeof value === 'string') return harmless(value, field) ? visible(value) : fence(value)
  if (Array.isArray(value)) return value.map((item) => guarded(item, field))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [fieldName.test(name) ? name : fence(name), guarded(inner, name)]),
  )
}

/** Other property names come from strangers. */
const fieldName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

const secrets: ReadonlySet<string> = new Set(['signingSecret', 'previousSigningSecret', 'key', 'secret'])

/** Masks signing secrets (G46) and new keys at any depth. */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secrets.has(name) && typeof inner === 'string'
        ? `${/^(?:whsec|cs)_/.exec(inner)?.[0] ?? ''}********`
        : masked(inner),
    ]),
  )
}
