/**
 * What strangers wrote is data, never an instruction: invisible characters are taken out of every text of an answer, and what
 * people write at length on the network stands between marks that cannot be imitated inside it.
 */

/** Fields whose text strangers wrote. */
const written: ReadonlySet<string> = new Set([
  'text',
  'commentText',
  'headline',
  'companyDescription',
  'description',
  'postText',
  'topPostText',
  'reason',
  'about',
])

const mark = 'untrusted_text'

/** Controls (not tab and newline), soft hyphen, fillers, zero-width and bidi characters, variation selectors, tags: all unseen, all able to carry a message. */
const invisible =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the characters are meant one by one.
  /\u034f|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu

/** What makes one picture of several characters stays where it does just that. */
const strayJoiners =
  /(?<![\p{Extended_Pictographic}\d#*])\ufe0f|(?<!\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])\u200d|\u200d(?!\p{Extended_Pictographic})/gu

/** A text without what cannot be seen. */
export function visible(text: string): string {
  return text.replace(invisible, '').replace(strayJoiners, '')
}

/** A stranger's text between its marks; marks inside it are broken first. */
export function fence(text: string): string {
  const broken = visible(text).replace(/<(\s*(?:\/\s*)?untrusted_text)/gi, '\u2039$1')
  return `<${mark}>${broken}</${mark}>`
}

/** What an outside system said, quoted at the end of an error of ours; the quotation holds no double quotes. */
const quoted = /(; it said: ")([^"]+)(")/gu

/** An error with what others said in it between marks. */
const told = (text: string): string =>
  visible(text).replace(
    quoted,
    (_whole, before: string, said: string, after: string) => `${before}${fence(said)}${after}`,
  )

/** An answer as a model may see it. */
export function guarded(value: unknown, field = ''): unknown {
  if (typeof value === 'string' && field === 'error') return told(value)
  if (typeof value === 'string') return written.has(field) && value !== '' ? fence(value) : visible(value)
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
