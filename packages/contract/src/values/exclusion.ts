/** Reads exclusion entries into a shown value and a comparable key. Needs no lookup, so that files and pages can use it. */
import { bareDomain } from './agent.ts'
import { readPersonName } from './handles.ts'
import { companySlug } from './identifiers.ts'
import { decodeFully } from './percent.ts'
import { foldText, visibleText, withoutUnseen } from './text.ts'

export const exclusionKinds = ['person', 'company', 'domain', 'email', 'title', 'country'] as const

export type ExclusionKind = (typeof exclusionKinds)[number]

/** The list that entries go to unless they name another, and where opt-outs stay. */
export const doNotContact = 'do_not_contact'

/** Outcomes of results by which a person opts out. */
export const optOutOutcomes: readonly string[] = ['unsubscribed', 'not_interested']

/** Reasons of entries of people who opted out, by an objection or a result. */
export const optOutReasons: readonly string[] = ['objection', ...optOutOutcomes]

/** Two entries are the same when their keys are equal. */
type ExclusionValue = { readonly value: string; readonly key: string } | { readonly error: string }

/** A longer title would match one person only. */
export const maxTitleWords = 20

/** Separators in a title: spaces, punctuation, symbols and emoji, without the `+` and `#` of `C++` and `C#`. */
const signs =
  ' \\u0021-\\u0022\\u0024-\\u002a\\u002c-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u007e\\u00a1-\\u00bf' +
  '\\u00d7\\u00f7\\u055a-\\u055f\\u0589\\u05c0\\u05c3\\u05f3-\\u05f4\\u060c-\\u060d\\u061b\\u061d-\\u061f' +
  '\\u066a-\\u066d\\u06d4\\u0964-\\u0965\\u0e4f\\u0f0b-\\u0f14\\u104a-\\u104f\\u1360-\\u1368\\u16eb-\\u16ed' +
  '\\u17d4-\\u17da\\u1800-\\u180a\\u2010-\\u2027\\u2030-\\u205e\\u20a0-\\u20c0\\u2190-\\u2bff\\u2e00-\\u2e7f' +
  '\\u3001-\\u3011\\u3014-\\u301f\\u30fb\\u{1f000}-\\u{1faff}'

/**
 * Separates the words of a folded title: the signs above, and `+` or `#` before a letter (`Founder+CEO`, `#CEO`). JavaScript
 * and PostgreSQL must both read it alike (`title_words` of the baseline schema).
 */
const titleSeparators = `(?:[${signs}]|[+#](?=[^+#${signs}]))+`

/** Letters of scripts without spaces between words; each counts as a word. */
const titleIdeographs = '([\\u3041-\\u30fa\\u30fc-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3])'

/** The words of a title as they are compared (G167). */
export const titleWords = (title: string): string[] =>
  foldText(title)
    .replace(new RegExp(titleIdeographs, 'g'), ' $1 ')
    .split(new RegExp(titleSeparators, 'u'))
    .filter((word) => word !== '')

const shownText = (text: string): string => visibleText(text).replace(/\s+/g, ' ').trim()

function readEmail(text: string): ExclusionValue {
  // Quotes around the name do not change the address, and contacts are compared without them.
  const plain = withoutUnseen(decodeFully(text))
    .trim()
    .replace(/^mailto:/i, '')
    .replaceAll('"', '')
  const at = plain.lastIndexOf('@')
  const domain = bareDomain(plain.slice(at + 1))
  if (at < 1 || domain === undefined || /[\s@]/.test(plain.slice(0, at)) || plain.length > 320)
    return { error: 'must be an email address such as jane@acme.com' }
  if (plain.startsWith('*')) return { error: 'must be that of one person: for everybody at a domain add the domain' }
  const name = plain.slice(0, at).normalize('NFC').toLowerCase()
  // Keys use the ASCII form of the domain, since one domain has several spellings.
  return { value: `${name}@${plain.slice(at + 1).toLowerCase()}`, key: `${name}@${domain}` }
}

function readTitle(text: string): ExclusionValue {
  const words = titleWords(text)
  if (words.length === 0) return { error: 'must hold at least one word of a title' }
  if (words.length > maxTitleWords) return { error: `must be at most ${maxTitleWords} words of a title` }
  return { value: shownText(text), key: words.join(' ') }
}

/** Ids in one case alone, as a spreadsheet may write them, would match nobody, silently. */
const lostItsCase = (name: string): boolean =>
  /^ac[ow]aa[\w-]{34}$/i.test(name) && (name === name.toLowerCase() || name === name.toUpperCase())

const same = (value: string): ExclusionValue => ({ value, key: value })

const readers: Readonly<Record<ExclusionKind, (text: string) => ExclusionValue>> = {
  person: (text) => {
    const name = readPersonName(text)
    // A mail address, or quotes and commas left over from a text, would be taken for the handle of somebody who does not exist.
    if (name === null || /[@",;|«»“”„]/.test(name))
      return { error: 'must be the profile address, the handle or the member id of a person' }
    return lostItsCase(name)
      ? { error: 'looks like a member id in capital or small letters alone: send it as it was' }
      : same(name)
  },
  company: (text) => {
    const slug = companySlug.safeParse(text)
    // The network gives no number with zeros before it.
    return slug.success ? same(slug.data.replace(/^0+(?=[1-9]\d*$)/, '')) : { error: slug.error.issues[0]!.message }
  },
  domain: (text) => {
    const domain = bareDomain(
      withoutUnseen(text)
        .trim()
        .replace(/^(?:@|\*\.)/, ''),
    )
    return domain === undefined ? { error: 'must be a domain such as acme.com' } : same(domain)
  },
  email: readEmail,
  title: readTitle,
  // The service replaces this key by the country code; its country lists are not available here.
  country: (text) => {
    const value = shownText(text)
    return value === '' ? { error: 'must be the name of a country' } : { value, key: foldText(value) }
  },
}

export function readExclusionValue(kind: string, value: string): ExclusionValue {
  const read = Object.hasOwn(readers, kind) ? readers[kind as ExclusionKind] : undefined
  return read ? read(value) : { error: `has no known kind: it must be one of ${exclusionKinds.join(', ')}` }
}
