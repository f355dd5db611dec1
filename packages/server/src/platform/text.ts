import { visibleText } from '@les/contract'

/** In UTF-16 units; longer texts are cut, longer URLs dropped. */
export const TEXT_LIMITS = { name: 300, headline: 500, text: 20_000, url: 2_000 } as const

/** More marks on a letter than any language uses: normalizing them takes quadratic time. */
const tooManyMarks = /(\p{M}{30})\p{M}+/gu

const visible = (text: string): string => visibleText(text).replace(tooManyMarks, '$1')

/**
 * Makes outside text safe: no control characters but tab and newline, no lone surrogates, nothing invisible, one kind of space
 * (G167); NFC, so that filters match what looks the same; trimmed, and cut to `max` UTF-16 units between characters.
 */
export function cleanText(value: string, max: number): string {
  // A hostile text may be megabytes long, and cleaning is expensive; leaves room for what is stripped.
  const bounded = value.length > max * 4 ? value.slice(0, max * 4) : value
  const lines = bounded.replaceAll('\r\n', '\n').replaceAll('\r', '\n').toWellFormed()
  const clean = visible(visible(lines).normalize('NFC')).trim()
  // A cut may leave a joiner without its second half.
  return clean.length <= max ? clean : visible(cutText(clean, max)).trimEnd()
}

/** Cuts to `max` UTF-16 units, never within a surrogate pair: PostgreSQL rejects half of one in JSON. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** `cleanText`, or null for anything but text and for empty text. */
export function cleanTextOrNull(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null
  const clean = cleanText(value, max)
  return clean === '' ? null : clean
}

/** A normalized http(s) URL; null for others and beyond 2,000 characters, since a truncated URL is useless. */
export function cleanUrlOrNull(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > TEXT_LIMITS.url) return null
  const url = URL.parse(value.trim())
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.href.length > TEXT_LIMITS.url ? null : url.href
}
