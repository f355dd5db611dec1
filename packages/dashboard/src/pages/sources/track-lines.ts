/** What a pasted line names, read before anything is sent. */
import {
  isMemberId,
  normalizeCompany,
  readCompanyNumber,
  readNetworkAddress,
  readPersonName,
  readPostReference,
} from '@les/contract'

/** A kind of source that a line can name. */
export type TrackedKind = 'person' | 'company' | 'post'

/** A line that was understood; `guessed` when a bare name could be a person's or a company's. */
export type KnownLine = {
  readonly text: string
  readonly kind: TrackedKind
  readonly identifier: string
  readonly guessed: boolean
}

/** A line that names nothing that can be tracked, with the reason. */
export type UnknownLine = { readonly text: string; readonly kind: 'unknown'; readonly why: string }

/** A line of what was pasted. */
export type PastedLine = KnownLine | UnknownLine

const anyAddress = /^[a-z][a-z0-9+.-]*:\/\/|^www\./i

/** Why what names a post of some kind cannot be tracked. */
const postsRefused: Readonly<Record<'share' | 'short' | 'article' | 'group', string>> = {
  share: 'This names a share, not the post: use “Copy link to post” in the menu of the post',
  short: 'A shortened link does not say what it leads to: open it and copy the address it leads to',
  article: 'Articles cannot be tracked: track the post that shares it, or its author',
  group: 'Posts in groups cannot be tracked: only the members see who engages with them',
}

/** Reads one line: an address, a URN, or a bare handle or member id. */
export function readLine(line: string): PastedLine {
  const text = line
    .trim()
    .replace(/[,;]+$/, '')
    .trim()
  const unknown = (why: string): UnknownLine => ({ text, kind: 'unknown', why })
  const post = readPostReference(text)
  if (post.kind === 'post') return { text, kind: 'post', identifier: post.urn, guessed: false }
  if (post.kind !== 'other') return unknown(postsRefused[post.kind])
  const address = readNetworkAddress(text)
  if (address?.kind === 'other')
    return unknown(
      /^https?:\/\/[^/]+\/(?:posts|feed)\b/i.test(text)
        ? 'This names no post: use “Copy link to post” in the menu of the post'
        : `This ${address.why}`,
    )
  if (address?.kind === 'company') return { text, kind: 'company', identifier: normalizeCompany(text), guessed: false }
  const person = readPersonName(text)
  if (person !== null && (address !== null || isMemberId(person)))
    return { text, kind: 'person', identifier: person, guessed: false }
  if (anyAddress.test(text)) return unknown('This is an address of another site')
  const page = readCompanyNumber(text)
  if (page !== null) return { text, kind: 'company', identifier: page, guessed: !/^urn:/i.test(text) }
  if (/^urn:/i.test(text)) return unknown('Only URNs of posts, people and companies can be tracked')
  if (/[\s"()]/.test(text)) return unknown('These are words, not a handle: to follow a topic, make a keyword search')
  if (person !== null) return { text, kind: 'person', identifier: person, guessed: true }
  return unknown('This is no handle: it has a sign that no handle has, or more than 200 characters')
}

/** The most lines taken at a time. */
export const mostLines = 100

/** Reads what was pasted, line by line; empty lines and repetitions are left out. */
export function readLines(pasted: string): readonly PastedLine[] {
  const read = pasted
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map(readLine)
  const nameOf = (line: PastedLine) => (line.kind === 'unknown' ? `?${line.text}` : `${line.kind} ${line.identifier}`)
  return [...new Map(read.map((line) => [nameOf(line), line])).values()]
}
