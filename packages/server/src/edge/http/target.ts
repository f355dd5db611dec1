/** Reads the target of a request: path segments and query pairs, each percent-decoded exactly once (G8, G130). */

export type Target = {
  /** Below the prefix; null when a segment cannot be decoded. */
  readonly segments: readonly string[] | null
  /** In order; the value is null when it, or its name, cannot be decoded. */
  readonly query: readonly (readonly [name: string, value: string | null])[]
}

const absoluteForm = /^https?:\/\/[^/?#]*/i

/** The path of a target, still encoded, without its query; proxies send the absolute form. */
export function pathOf(url: string): string {
  const path = url.replace(absoluteForm, '')
  const end = path.indexOf('?')
  return end === -1 ? path : path.slice(0, end)
}

/** Decodes percent-encoded UTF-8; null when it is invalid. Node's parser refuses raw bytes above ASCII. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function readQuery(search: string): Target['query'] {
  if (search === '') return []
  return search.split('&').flatMap((pair): [string, string | null][] => {
    if (pair === '') return []
    const cut = pair.indexOf('=')
    const spaced = (text: string) => text.replaceAll('+', ' ')
    const rawName = spaced(cut === -1 ? pair : pair.slice(0, cut))
    const name = decode(rawName)
    return name === null ? [[rawName, null]] : [[name, decode(spaced(cut === -1 ? '' : pair.slice(cut + 1)))]]
  })
}

/** Splits a target below `prefix`, with which its path must start. */
export function readTarget(url: string, prefix: string): Target {
  const path = pathOf(url)
  const search = url.indexOf('?')
  const encoded = path.slice(prefix.length).split('/').slice(1)
  const decoded = encoded.map(decode)
  return {
    segments: decoded.includes(null) ? null : (decoded as string[]),
    query: search === -1 ? [] : readQuery(url.slice(search + 1)),
  }
}

/** True when a target is a prefix or lies below it. */
export function isUnder(url: string, prefix: string): boolean {
  const path = pathOf(url)
  return path === prefix || path.startsWith(`${prefix}/`)
}

/** A header as one text; repeated ones are joined. */
export const joined = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header
