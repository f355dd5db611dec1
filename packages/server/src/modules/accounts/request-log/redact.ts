/** What of a call is kept: no secrets, nothing long, nothing deep. */

/** Makes a value fit to be kept: blanks what its name says is a secret, and cuts what is long. */
type WithoutSecrets = (value: unknown) => unknown

const longestBody = 4_000
const longestQuery = 1_000
const longestPath = 500
// Keys by their prefix, and any run of 24 hexadecimal digits: ids of ours have dashes, those of posts 19 digits, those
// of people more letters.
const keyShaped =
  /cs_[A-Za-z0-9]{20,}|whsec_[A-Za-z0-9+/=]{20,}|\bsk-[A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|[0-9a-fA-F]{24,}/g

/** A text in which nothing is left that is shaped like a key, whatever field it was pasted into. */
const withoutKeys = (text: string): string => text.replace(keyShaped, '(not kept)')

/**
 * A value as JSON with every text and name in it redacted. Each before it is escaped: the digits of an escape such as `\\u0000` would
 * pass for the beginning of a key, and what is left would be no JSON.
 */
const jsonWithoutKeys = (value: unknown): string => JSON.stringify(redacted(value))

function redacted(value: unknown): unknown {
  if (typeof value === 'string') return withoutKeys(value)
  if (Array.isArray(value)) return value.map(redacted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [withoutKeys(name), redacted(each)]))
}

/** A body as JSON; null when nothing was sent. One that is still long is replaced by how long it was. */
export function keptBody(body: Readonly<Record<string, unknown>>, withoutSecrets: WithoutSecrets): string | null {
  if (Object.keys(body).length === 0) return null
  const text = jsonWithoutKeys(withoutSecrets(body))
  return text.length <= longestBody ? text : JSON.stringify({ '(too long to keep)': `${text.length} characters` })
}

/** The pairs of a query as JSON; those past the bound are left out. */
export function keptQuery(
  query: readonly (readonly [string, string | null])[],
  withoutSecrets: WithoutSecrets,
): string {
  const kept: string[] = []
  let length = 2
  for (const [name, value] of query) {
    const [[key, shown]] = Object.entries(withoutSecrets({ [name]: value ?? '' }) as Record<string, unknown>) as [
      [string, unknown],
    ]
    const pair = jsonWithoutKeys([key, String(shown)])
    length += pair.length + 1
    if (length > longestQuery + 1) break
    kept.push(pair)
  }
  return `[${kept.join(',')}]`
}

/** A path as it is kept: encoded already, so plain characters. */
export const keptPath = (path: string): string => withoutKeys(path).slice(0, longestPath)
