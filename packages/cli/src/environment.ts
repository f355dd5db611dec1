/** Cleans settings that were pasted, quoted, or read from files of another system. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from './exit-codes.ts'
import { Failure } from './failure.ts'
import type { Io } from './io.ts'

// Byte order marks, soft hyphens, zero-width characters and direction marks.
const unseen = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g

/** Removes invisible characters, surrounding blanks and quotes. */
export function cleanSetting(text: string): string {
  const seen = text.replace(unseen, '').trim()
  const [, , inner] = /^(["'“”‘’])(.*)["'“”‘’]$/s.exec(seen) ?? []
  return inner === undefined ? seen : inner.trim()
}

const ours = ['LES_API_KEY', 'LES_BASE_URL', 'LES_PROFILE', 'LES_SIGNING_SECRET'] as const

/** Applies `cleanSetting` to this program's own variables. */
export function cleanEnvironment(env: Io['env']): Io['env'] {
  const found = ours.flatMap((name) => (env[name] === undefined ? [] : [[name, cleanSetting(env[name])] as const]))
  return { ...env, ...Object.fromEntries(found) }
}

/** A key that fits in a header; refuses other characters without printing the key. */
export function usableKey(text: string, from: string): string {
  const key = cleanSetting(text)
  const odd = [...key].find((character) => !/^[\x21-\x7e]$/.test(character))
  if (odd === undefined) return key
  const code = odd.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  throw new Failure(exitCodes.signIn, `${from} holds a character that no key has (U+${code}): copy the key again`)
}

/**
 * The address that a service running on this machine left in its data folder, else undefined. Only loopback addresses are
 * accepted: another process that writes the file must not get the key sent to its own host.
 */
export function runningHere(env: Io['env']): string | undefined {
  try {
    const text = readFileSync(join(env.LES_DATA_DIR || '.data', 'address.json'), 'utf8')
    const { url, pid } = JSON.parse(text) as { url: string; pid: number }
    process.kill(pid, 0)
    return /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}$/.test(url) ? url : undefined
  } catch {
    return undefined
  }
}
