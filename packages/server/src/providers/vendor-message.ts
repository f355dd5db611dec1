/** Cleans error messages of outside systems, which are untrusted text, for failures, logs, runs and pages. */
import { redact } from '../platform/log.ts'
import { cleanTextOrNull } from '../platform/text.ts'

const VENDOR_MESSAGE_LIMIT = 200

/** Read before redaction; long enough that no key is cut in half before it is removed. */
const READ_LIMIT = 4_000

/** Shorter request texts are not removed: they identify nobody. */
const shortestSent = 3

function textsIn(sent: unknown): string[] {
  if (typeof sent === 'string') return [sent, sent.replace(/\/+$/, '').split('/').at(-1)!]
  return sent === null || typeof sent !== 'object' ? [] : Object.values(sent).flatMap(textsIn)
}

/** Removes the request's own texts, which may identify a person: logs are kept longer than an erasure allows. */
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

/** A vendor's message as one line without markup, double quotes (ours enclose it), secrets, the key and the request's texts. */
export function readVendorMessage(words: unknown, secret: string, sent: unknown = null): string | null {
  const read = cleanTextOrNull(words, READ_LIMIT)
  if (read === null) return null
  const open = secret === '' ? read : read.replaceAll(secret, '[key]')
  const line = redact(withoutSent(open, sent)).replace(/[<>]/g, ' ').replaceAll('"', "'").replace(/\s+/g, ' ')
  return cleanTextOrNull(line, VENDOR_MESSAGE_LIMIT)
}

/** The error text in a JSON value, wherever vendors put it: the message before the kind, the first of several. */
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
 * The text of an HTML or plain-text page that a proxy sent instead of an answer: title and headings, else the body. Null for
 * unparsable JSON: it may hold personal data, which logs would keep longer than an erasure allows.
 */
export function wordsOfPage(text: string): string | null {
  const parts = [...text.slice(0, 20_000).matchAll(/<(title|h1|h2)\b[^<>]*>([^<]{1,500})/gi)]
    .map((found) => found[2]!.trim())
    .filter((part) => part !== '')
  if (parts.length > 0) return [...new Set(parts)].join(' · ')
  if (/^\s*[[{]/.test(text)) return null
  return text.slice(0, READ_LIMIT).replace(/<[^<>]{0,500}>/g, ' ')
}
