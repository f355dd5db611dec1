/** What may leave the machine: texts without secrets, addresses of people, or folders of this machine. */
import { redact } from '../../platform/log.ts'

/** Blanks what must not leave out of a text. */
export type Redact = (text: string) => string

/** Shorter ones are words that other texts hold too; none of ours is that short. */
const leastSecret = 6

/** Every way in which a secret may stand in a text. */
const spellings = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replaceAll('=', ''),
]

/**
 * Opens one that knows the secrets of this installation, beside everything that looks like one; `folders` are those of
 * this machine, with the word that stands for each.
 */
export function openRedact(secrets: readonly string[], folders: Readonly<Record<string, string>> = {}): Redact {
  const known = [...new Set(secrets.filter((secret) => secret.length >= leastSecret).flatMap(spellings))]
    // The longer first: one may be part of another.
    .sort((a, b) => b.length - a.length)
  const places = Object.entries(folders).filter(([folder]) => folder.length > 1)
  return (text) => {
    let left = text
    for (const secret of known) left = left.replaceAll(secret, '[removed]')
    for (const [folder, word] of places) left = left.replaceAll(folder, word)
    return redact(left).replace(/\S+/g, (word) => (word.includes('@') ? '[mail address]' : word))
  }
}

/** The same for everything in a value that JSON can hold. */
export function redactAll(value: unknown, clean: Redact): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((each) => redactAll(each, clean))
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [clean(name), redactAll(each, clean)]))
}
