/**
 * What strangers wrote is data, never an instruction: invisible characters are taken out of every text of an answer, and every
 * text stands between marks that cannot be imitated inside it, unless it is known to be harmless: a value of the contract's own,
 * an id, a date, an address, or words of the service and of the team.
 */
import { describeSchema, registry, type Operation } from '@les/contract'

/** Fields with words of the service itself, or of the team about its own settings; nobody else can write them. */
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

/** Fields that name something: a word without blanks. */
const identifying = /^(?:id|key|urn|username|maskedKey)$|(?:Id|Ids|Urn|Urns)$/
const identifier = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._~%:,()*-]{0,199}$/u
const addressing = /^(?:url|website|domain)$|(?:Url|Domain)$/
const domain = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,10}$/i
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const date = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z)?$/

/** Every value that the contract itself spells out, in any field of any answer. */
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
  return (spelledOut = values)
}

const isAddress = (text: string): boolean =>
  text.length <= 2_000 && (domain.test(text) || (/^https?:\/\/[^\s<>"'`]+$/i.test(text) && URL.canParse(text)))

/** True for a text that says nothing to anybody who takes texts for instructions. */
const harmless = (text: string, field: string): boolean =>
  text === '' ||
  ours.has(field) ||
  uuid.test(text) ||
  date.test(text) ||
  contractValues().has(text) ||
  (identifying.test(field) && identifier.test(text)) ||
  (addressing.test(field) && isAddress(text))

const mark = 'untrusted_text'

/**
 * Controls (not tab and newline), soft hyphen, fillers, zero-width and bidi characters, variation selectors, tags: all
 * unseen, all able to carry a message.
 */
const invisible = [
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad]/gu,
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the characters are meant one by one.
  /\u034f|[\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0e\uffa0]/gu,
  /[\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb]/gu,
  /[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu,
]

/** What makes one picture of several characters stays where it does just that. */
const strayJoiners =
  /(?<![\p{Extended_Pictographic}\d#*])\ufe0f|(?<!\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])\u200d|\u200d(?!\p{Extended_Pictographic})/gu

/** A text without what cannot be seen. */
export function visible(text: string): string {
  const seen = invisible.reduce((rest, characters) => rest.replace(characters, ''), text)
  return seen.replace(strayJoiners, '')
}

/** A stranger's text between its marks; marks inside it are broken first. */
export function fence(text: string): string {
  const broken = visible(text).replace(/<(\s*(?:\/\s*)?untrusted_text)/gi, '\u2039$1')
  return `<${mark}>${broken}</${mark}>`
}

/** Arguments as they were before a model copied them from an answer: without the marks around a whole text. */
export function unfenced(value: unknown): unknown {
  if (typeof value === 'string') return /^<untrusted_text>([\s\S]*)<\/untrusted_text>$/.exec(value)?.[1] ?? value
  if (Array.isArray(value)) return value.map(unfenced)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unfenced(inner)]))
}

/** What an outside system said, quoted at the end of an error of ours; the quotation holds no double quotes. */
const quoted = /(; it said: ")([^"]+)"/gu

/** An error with what others said in it between marks. */
const told = (text: string): string =>
  visible(text).replace(quoted, (_whole, before: string, said: string) => `${before}${fence(said)}"`)

/** An answer as a model may see it. */
export function guarded(value: unknown, field = ''): unknown {
  if (typeof value === 'string' && field === 'error') return told(value)
  if (typeof value === 'string') return harmless(value, field) ? visible(value) : fence(value)
  if (Array.isArray(value)) return value.map((item) => guarded(item, field))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, guarded(inner, name)]))
}

/** An answer with its signing secrets masked (G46). */
export function masked(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const hide = (secret: unknown) =>
    typeof secret === 'string' ? `${secret.startsWith('whsec_') ? 'whsec_' : ''}********` : secret
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === 'signingSecret' || name === 'previousSigningSecret' ? hide(value) : value,
    ]),
  )
}
