/**
 * What strangers wrote is data, never an instruction: invisible characters are taken out of every text of an answer, and every
 * text stands between marks that cannot be imitated inside it, unless it is known to be harmless: a value of the contract's own,
 * an id, a date, an address too short and too plain to say anything, or words of the service and of the team. Handles, domains and
 * addresses are chosen by strangers like any other text: in doubt they stand between the marks.
 */
import { describeSchema, errorTable, registry, type Operation } from '@les/contract'

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
const addressing = /^(?:url|website|domain)$|(?:Url|Domain)$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const date = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z)?$/

/** Every value that the contract itself spells out, in any field of any answer and of what rides along with a refusal. */
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

/** What separates words in a name: signs, and a capital after a small letter. */
const separators = /[^A-Za-z0-9]|(?<=[a-z])(?=[A-Z])/g
const countIn = (text: string, signs: RegExp): number => text.match(signs)?.length ?? 0

const shortWord = /^[A-Za-z0-9][A-Za-z0-9._~:-]{0,39}$/
/** What the network and this service number by themselves: nobody chooses the words of these. */
const numbered = [
  /^ACoA[A-Za-z0-9_-]{20,60}$/,
  /^urn:li:(?:person|member|fsd_profile|fs_miniProfile):(?:ACoA[A-Za-z0-9_-]{20,60}|\d{1,25})$/,
  /^urn:li:(?:activity|ugcPost|share|company|organization|fsd_company|industry|group|article):\d{1,25}$/,
  /^urn:li:comment:\((?:urn:li:)?(?:activity|ugcPost|share):\d{1,25},\d{1,25}\)$/,
  /^cs_(?:[A-Za-z0-9]{49}|[A-Za-z0-9]{3}(?:…|\*{3})[A-Za-z0-9]{4}|\*{8})$/,
]

/** True for a word that is too short to be a sentence with signs for blanks, and for what is numbered. */
const isIdentifier = (text: string): boolean =>
  numbered.some((form) => form.test(text)) || (shortWord.test(text) && countIn(text, separators) <= 4)

/**
 * A name and where it is registered, without a subdomain but `www` and without a name in another script: its words are counted like
 * those of an identifier, and more strictly.
 */
const plainDomain =
  /^(?:www\.)?(?!xn--)[a-z0-9-]{1,30}(?:\.(?:ac|co|com|edu|gov|go|ne|net|or|org))?\.(?!xn--)[a-z]{2,24}$/i
const isDomain = (text: string): boolean =>
  text.length <= 40 && plainDomain.test(text) && countIn(text, /-/g) <= 1 && countIn(text, /[a-z](?=[A-Z])/g) <= 1

const origin = /^https?:\/\/([^/:@?#\s]{1,80})(?::\d{1,5})?\/?$/i
const thisMachine = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3})$/i
const onNetwork =
  /^https?:\/\/(?:www\.|[a-z]{2}\.)?linkedin\.com\/(in|company|school|feed\/update)\/([^/?#\s]{1,120})\/?$/i

/** True for a plain domain or origin, and for the page of a person, a company or a post of the network. */
function isAddress(text: string): boolean {
  const host = origin.exec(text)?.[1] ?? text
  if (isDomain(host) || thisMachine.test(host)) return true
  const [, place, name] = onNetwork.exec(text) ?? []
  if (place === undefined || name === undefined) return false
  return isIdentifier(name) && /^feed/i.test(place) === name.startsWith('urn:li:')
}

/** True for a text that says nothing to anybody who takes texts for instructions. */
const harmless = (text: string, field: string): boolean =>
  text === '' ||
  ours.has(field) ||
  uuid.test(text) ||
  date.test(text) ||
  contractValues().has(text) ||
  (identifying.test(field) && isIdentifier(text)) ||
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

/** An error of ours, with what others said in it between marks. */
const errorText = (text: string): string =>
  visible(text).replace(quoted, (_whole, before: string, said: string) => `${before}${fence(said)}"`)

/** An answer as a model may see it. */
export function guarded(value: unknown, field = ''): unknown {
  if (typeof value === 'string' && field === 'error') return errorText(value)
  if (typeof value === 'string') return harmless(value, field) ? visible(value) : fence(value)
  if (Array.isArray(value)) return value.map((item) => guarded(item, field))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [fieldName.test(name) ? name : fence(name), guarded(inner, name)]),
  )
}

/** Names of fields are ours; what else stands as a name is a stranger's word. */
const fieldName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

const secrets: ReadonlySet<string> = new Set(['signingSecret', 'previousSigningSecret', 'key', 'secret'])

/** An answer with its signing secrets (G46) and the text of a new key masked, wherever they stand. */
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
