import { visibleText } from '@les/contract'

/** Longest texts kept, in UTF-16 units; what is longer is cut (texts) or dropped (addresses). */
export const TEXT_LIMITS = { name: 300, headline: 500, text: 20_000, url: 2_000 } as const

/** Marks on one letter: no language piles up so many, and putting them in order takes time in the square of them. */
const tooManyMarks = /(\p{M}{30})\p{M}+/gu

const visible = (text: string): string => visibleText(text).replace(tooManyMarks, '$1')

/**
 * Makes outside text safe to store and show: no NUL, no control characters but tab and newline, no lone surrogates, nothing that
 * cannot be seen and one kind of space (G167); composed (NFC), so that filters find what looks the same; trimmed, and cut to `max`
 * UTF-16 units without splitting a character.
 */
export function cleanText(value: string, max: number): string {
  // Cut before the expensive part, leaving room for what is stripped; a hostile text may be megabytes long.
  const bounded = value.length > max * 4 ? value.slice(0, max * 4) : value
  const lines = bounded.replaceAll('\r\n', '\n').replaceAll('\r', '\n').toWellFormed()
  const clean = visible(visible(lines).normalize('NFC')).trim()
  // What a cut leaves at the end may have lost what it joined.
  return clean.length <= max ? clean : visible(cutText(clean, max)).trimEnd()
}

/** The first `max` UTF-16 units of a text, one fewer where a character would be split: PostgreSQL takes no half of one as JSON. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** `cleanText` of anything: null for what is no text or has nothing left. */
export function cleanTextOrNull(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null
  const clean = cleanText(value, max)
  return clean === '' ? null : clean
}

/** An http(s) address as the URL parser spells it; null for anything else or longer than 2,000 characters (a cut address is no address). */
export function cleanUrlOrNull(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > TEXT_LIMITS.url) return null
  const url = URL.parse(value.trim())
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.href.length > TEXT_LIMITS.url ? null : url.href
}
