/** What the request log keeps of a call: no secrets, shortened. */

type WithoutSecrets = (value: unknown) => unknown

const longestBody = 4_000
const longestQuery = 1_000
const longestPath = 500
// Keys by prefix, and runs of 24 hexadecimal digits: our ids contain dashes, post ids have 19 digits, person ids other letters.
const keyShaped =
  /cs_[A-Za-z0-9]{20,}|whsec_[A-Za-z0-9+/=]{20,}|\bsk-[A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|[0-9a-fA-F]{24,}/g

const withoutKeys = (text: string): string => text.replace(keyShaped, '(not kept)')

/** Redacts before escaping: digits of an escape such as `\\u0000` could pass for part of a key; removing them breaks the JSON. */
const jsonWithoutKeys = (value: unknown): string => JSON.stringify(redacted(value))

function redacted(value: unknown): unknown {
  if (typeof value === 'string') return withoutKeys(value)
  if (Array.isArray(value)) return value.map(redacted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [withoutKeys(name), redacted(each)]))
}

/** The body as JSON, or its length if it is too long; null when empty. */
export function keptBody(body: Readonly<Record<string, unknown>>, withoutSecrets: WithoutSecrets): string | null {
  if (Object.keys(body).length === 0) return null
  const text = jsonWithoutKeys(withoutSecrets(body))
  return text.length <= longestBody ? text : JSON.stringify({ '(too long to keep)': `${text.length} characters` })
}

/** The query's pairs as JSON, up to the limit. */
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

/** A path to keep; it is percent-encoded already. */
export const keptPath = (path: string): string => withoutKeys(path).slice(0, longestPath)
