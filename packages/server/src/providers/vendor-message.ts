/** What outside systems say about a failure, made fit for failures, logs, runs and pages: it is text of strangers. */
import { redact } from '../platform/log.ts'
import { cleanTextOrNull } from '../platform/text.ts'

/** Characters kept of a vendor's message. */
const VENDOR_MESSAGE_LIMIT = 200

/** Long enough that no key is cut in half before it is blotted out. */
const READ_LIMIT = 4_000

/**
 * A vendor's message, at most 200 characters on one line: no markup characters, no double quotes (it is quoted by ours), nothing
 * that looks like a secret, and never the key it was called with. Null when nothing is left.
 */
export function readVendorMessage(words: unknown, secret: string): string | null {
  const read = cleanTextOrNull(words, READ_LIMIT)
  if (read === null) return null
  const open = secret === '' ? read : read.replaceAll(secret, '[key]')
  const line = redact(open).replace(/[<>]/g, ' ').replaceAll('"', "'").replace(/\s+/g, ' ')
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
