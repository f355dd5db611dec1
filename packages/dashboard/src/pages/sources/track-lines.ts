/** What a pasted line names, read before anything is sent. */
import { readPostReference } from '@les/contract'

/** A kind of source that a line can name. */
export type TrackedKind = 'person' | 'company' | 'post'

/** A line that was understood; `guessed` when a bare name could be a person's or a company's. */
export type KnownLine = { readonly text: string; readonly kind: TrackedKind; readonly identifier: string; readonly guessed: boolean }

/** A line that names nothing that can be tracked, with the reason. */
export type UnknownLine = { readonly text: string; readonly kind: 'unknown'; readonly why: string }

/** A line of what was pasted. */
export type PastedLine = KnownLine | UnknownLine

const onNetwork = /^(?:https?:\/\/)?(?:[a-z0-9-]+\.)*linkedin\.com(?=[/?#]|$)/i
const anyAddress = /^[a-z][a-z0-9+.-]*:\/\/|^www\./i
const bareName = /^@?[\p{L}\p{N}][\p{L}\p{N}\p{M}._%'’&+-]{0,199}$/u

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readAddress(text: string): PastedLine {
  const path = text.replace(onNetwork, '').replace(/[?#].*$/, '')
  const [first, second] = path.split('/').filter(Boolean).map(decoded)
  const unknown = (why: string): UnknownLine => ({ text, kind: 'unknown', why })
  if (first === 'in' && second) return { text, kind: 'person', identifier: second.toLowerCase(), guessed: false }
  if ((first === 'company' || first === 'school' || first === 'showcase') && second) return { text, kind: 'company', identifier: second.toLowerCase(), guessed: false }
  if (first === 'sales' || first === 'talent') return unknown('Sales and recruiting addresses do not name the public profile: open the profile itself and copy its address')
  if (first === 'pulse') return unknown('Articles cannot be tracked: track the post that shares it, or its author')
  if (first === 'posts' || first === 'feed') return unknown('This names no post: use “Copy link to post” in the menu of the post')
  return unknown('This page is not a person, a company page or a post')
}

/** Reads one line: an address, a URN, or a bare handle. */
export function readLine(line: string): PastedLine {
  const text = line.trim().replace(/[,;]+$/, '').trim()
  const post = readPostReference(text)
  if (post.kind === 'post') return { text, kind: 'post', identifier: post.urn, guessed: false }
  if (post.kind === 'share') return { text, kind: 'unknown', why: 'This names a share, not the post: use “Copy link to post” in the menu of the post' }
  if (onNetwork.test(text)) return readAddress(text)
  if (anyAddress.test(text)) return { text, kind: 'unknown', why: 'This is an address of another site' }
  if (/^urn:/i.test(text)) return { text, kind: 'unknown', why: 'Only URNs of posts can be tracked: for people and companies paste the address or the handle' }
  if (/[\s"()]/.test(text)) return { text, kind: 'unknown', why: 'These are words, not a handle: to follow a topic, make a keyword search' }
  if (bareName.test(text)) return { text, kind: 'person', identifier: text.replace(/^@/, '').toLowerCase(), guessed: true }
  return { text, kind: 'unknown', why: 'This is no handle: letters, digits and hyphens only' }
}

/** The most lines taken at a time. */
export const mostLines = 100

/** Reads what was pasted, line by line; empty lines and repetitions are left out. */
export function readLines(pasted: string): readonly PastedLine[] {
  const read = pasted.split(/\r?\n/).filter((line) => line.trim() !== '').map(readLine)
  const nameOf = (line: PastedLine) => (line.kind === 'unknown' ? `?${line.text}` : `${line.kind} ${line.identifier}`)
  return [...new Map(read.map((line) => [nameOf(line), line])).values()]
}
