/** Readers of single settings: each notes mistakes and continues, so that all are listed together. */
import { readFileSync } from 'node:fs'
import { parseInstant } from '@les/contract'

/** The settings are invalid; the message lists every mistake. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(`The settings cannot be used:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
    this.mistakes = mistakes
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** An environment being read, with the mistakes found so far. */
export type Reading = { readonly env: Environment; readonly mistakes: string[] }

const unseen = /[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/

function trimmed(value: string): string {
  let [from, to] = [0, value.length]
  while (from < to && unseen.test(value[from]!)) from++
  while (from < to && unseen.test(value[to - 1]!)) to--
  return value.slice(from, to)
}

/** Strips blanks, byte order marks, invisible characters, and the quotes that some tools keep from `.env` files. */
function bare(value: string): string {
  const seen = trimmed(value)
  const [, , inner] = /^(["'])([\s\S]*)\1$/.exec(seen) ?? []
  return inner === undefined ? seen : trimmed(inner)
}

/** A setting from its variable or from the file that `NAME_FILE` names; empty counts as unset. */
export function text({ env, mistakes }: Reading, name: string): string | undefined {
  const direct = bare(env[name] ?? '')
  const file = bare(env[`${name}_FILE`] ?? '')
  if (direct && file) mistakes.push(`${name} and ${name}_FILE are both set: keep one`)
  if (direct) return direct
  if (!file) return undefined
  try {
    return bare(readFileSync(file, 'utf8')) || undefined
  } catch {
    mistakes.push(`${name}_FILE names a file that cannot be read`)
    return undefined
  }
}

/** `1` or `0`. */
export function flag(reading: Reading, name: string, fallback: boolean): boolean {
  const value = text(reading, name)
  if (value === undefined) return fallback
  if (value !== '0' && value !== '1') reading.mistakes.push(`${name} must be 0 or 1, not ${JSON.stringify(value)}`)
  return value === '1'
}

/** A port from 0 to 65535; null when unset. */
export function port(reading: Reading, name: string): number | null {
  const value = text(reading, name)
  if (value === undefined) return null
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 65_535)
    reading.mistakes.push(`${name} must be a port from 0 to 65535, not ${JSON.stringify(value)}`)
  return number
}

/** A URL of one of `schemes` (with colon), without trailing slashes; undefined when unset or wrong. */
export function url(reading: Reading, name: string, schemes: readonly string[]): string | undefined {
  const value = text(reading, name)
  if (value === undefined) return undefined
  const parsed = URL.parse(value)
  if (!parsed || !schemes.includes(parsed.protocol)) {
    reading.mistakes.push(
      `${name} must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    )
    return undefined
  }
  return value.replace(/\/+$/, '')
}

/** A comma-separated list without empty items; `what` describes right ones. */
export function list(reading: Reading, name: string, what: string, isRight: (item: string) => boolean): string[] {
  const items = (text(reading, name) ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  const wrong = items.filter((item) => !isRight(item)).map((item) => JSON.stringify(item))
  if (wrong.length > 0) reading.mistakes.push(`${name} must name ${what}, not ${wrong.join(', ')}`)
  return items
}

/** One of `words`; `fallback` when unset. */
export function choice<Word extends string>(
  reading: Reading,
  name: string,
  words: readonly Word[],
  fallback: NoInfer<Word>,
): Word {
  const value = text(reading, name) ?? fallback
  const known = words.find((word) => word === value)
  if (known === undefined)
    reading.mistakes.push(`${name} must be one of ${words.join(', ')}, not ${JSON.stringify(value)}`)
  return known ?? fallback
}

/** A number matching `pattern`; null when unset. */
export function number(reading: Reading, name: string, pattern: RegExp, what: string): number | null {
  const value = text(reading, name)
  if (value === undefined) return null
  if (!pattern.test(value)) reading.mistakes.push(`${name} must be ${what}, not ${JSON.stringify(value)}`)
  return Number(value)
}

/** An ISO 8601 instant; undefined when unset or wrong. */
export function instant(reading: Reading, name: string, what = 'an ISO 8601 date-time'): Date | undefined {
  const value = text(reading, name)
  if (value === undefined) return undefined
  const at = parseInstant(value)
  if (!at) reading.mistakes.push(`${name} must be ${what}`)
  return at ?? undefined
}
