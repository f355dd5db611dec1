/** What outside systems say about a failure, made fit for failures, logs, runs and pages: it is text of strangers. */
import { redact } from '../platform/log.ts'
import { cleanTextOrNull } from '../platform/text.ts'

/** Characters kept of a vendor's message. */
const VENDOR_MESSAGE_LIMIT = 200

/** Long enough that no key is cut in half before it is blotted out. */
const READ_LIMIT = 4_000

/** A shorter text names nobody. */
const shortestSent = 3

/** The texts in what was sent, and what addresses among them end with, the longest first. */
function textsIn(sent: unknown): string[] {
  if (typeof sent === 'string') return [sent, sent.replace(/\/+$/, '').split('/').at(-1)!]
  return sent === null || typeof sent !== 'object' ? [] : Object.values(sent).flatMap(textsIn)
}

/** The words without what was sent, which may be whom they are about: logs outlast an erasure. */
function withoutSent(words: string, sent: unknown): string {
  const texts = [...new Set(textsIn(sent))].filter((text) => text.length >= shortestSent)
  return texts
    .toSorted((a, b) => b.length - a.length)
    .reduce(
      (left, text) =>
        left.replace(new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(text)}(?![\\p{L}\\p{N}])`, 'giu'), '[sent]'),
      words,
    )
}

/**
 * A vendor's message, at most 200 characters on one line: no markup characters, no double quotes (it is quoted by ours), nothing
 * that looks like a secret, never the key it was called with, and nothing of what it was sent. Null when nothing is left.
 */
export function readVendorMessage(words: unknown, secret: string, sent: unknown = null): string | null {
  const read = cleanTextOrNull(words, READ_LIMIT)
  if (read === null) return null
  const open = secret === '' ? read : read.replaceAll(secret, '[key]')
  const line = redact(withoutSent(open, sent)).replace(/[<>]/g, ' ').replaceAll('"', "'").replace(/\s+/g, ' ')
  return cleanTextOrNull(line, VENDOR_MESSAGE_LIMIT)
}

/** The words of an error in JSON, wherever vendors put them: its message before its kind, the first of several. */
export function wordsIn(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (depth > 3 || typeof value !== 'object' || value === null) return null
  const inner: unknown[] = Array.isArray(value)
    ? value.slice(0, 5)
    : messageFields.map((name) => (value as Record<string, unknown>)[name])
  for (const one of inner) {
    const words = wordsIn(one, depth + 1)
    if (words !== null) return words
  }
  return null
}
const messageFields = ['errorMessage', 'message', 'error', 'errors', 'detail', 'title'] as const

/**
 * The words of a page, such as a proxy sends in place of an answer: its title and heading, else its text. JSON that cannot be read is none:
 * it may be facts of people, which the log keeps longer than an erasure allows.
 */
export function wordsOfPage(text: string): string | null {
  const parts = [...text.slice(0, 20_000).matchAll(/<(title|h1|h2)\b[^<>]*>([^<]{1,500})/gi)]
    .map((found) => found[2]!.trim())
    .filter((part) => part !== '')
  if (parts.length > 0) return [...new Set(parts)].join(' · ')
  if (/^\s*[[{]/.test(text)) return null
  return text.slice(0, READ_LIMIT).replace(/<[^<>]{0,500}>/g, ' ')
}
