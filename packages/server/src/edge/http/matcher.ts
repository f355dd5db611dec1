/**
 * Finds a request's route. Paths are split before they are decoded, so an encoded slash stays inside its segment; a literal beats
 * a parameter for the methods it serves; the allowed methods are the union of all matching paths (G8, G9).
 */
import { Refusal } from '../../platform/refusal.ts'

type Routable = { readonly method: string; readonly path: string }

type Match<R> =
  | { readonly kind: 'found'; readonly route: R; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'method_not_allowed'; readonly allowed: readonly string[] }
  | { readonly kind: 'no_such_endpoint' }

/** The route that was found; refuses `no_such_endpoint`, and `method_not_allowed` with the allowed methods. */
export function foundOrRefuse<R>(found: Match<R>): Extract<Match<R>, { kind: 'found' }> {
  if (found.kind === 'no_such_endpoint') throw new Refusal('no_such_endpoint')
  if (found.kind === 'method_not_allowed')
    throw new Refusal('method_not_allowed', { allowed: found.allowed }, undefined, { allow: found.allowed.join(', ') })
  return found
}

type Pattern<R> = { readonly parts: readonly string[]; readonly methods: Map<string, R> }

const isParameter = (part: string) => part.startsWith('{')
const rank = (parts: readonly string[]) => parts.map((part) => (isParameter(part) ? '1' : '0')).join('')
const fits = (pattern: readonly string[], segments: readonly string[]) =>
  pattern.every((part, index) => isParameter(part) || part === segments[index])

/** Makes the matcher of a list; throws when two routes have the same method and path. */
export function makeMatcher<R extends Routable>(
  routes: readonly R[],
): (method: string, segments: readonly string[] | null) => Match<R> {
  const byLength = new Map<number, Pattern<R>[]>()
  for (const route of routes) {
    const parts = route.path.split('/').slice(1)
    const patterns = byLength.get(parts.length) ?? []
    byLength.set(parts.length, patterns)
    const shape = (of: readonly string[]) => of.map((part) => (isParameter(part) ? '{}' : part)).join('/')
    let pattern = patterns.find((other) => shape(other.parts) === shape(parts))
    if (!pattern) patterns.push((pattern = { parts, methods: new Map() }))
    if (pattern.methods.has(route.method)) throw new Error(`${route.method} ${route.path} is served twice`)
    pattern.methods.set(route.method, route)
  }
  for (const patterns of byLength.values()) patterns.sort((a, b) => rank(a.parts).localeCompare(rank(b.parts)))

  return (method, segments) => {
    if (segments === null || segments.includes('')) return { kind: 'no_such_endpoint' }
    const matching = (byLength.get(segments.length) ?? []).filter((pattern) => fits(pattern.parts, segments))
    for (const pattern of matching) {
      const route = pattern.methods.get(method)
      if (!route) continue
      // Parameter names come from the route itself: routes of one pattern may name them differently.
      const names = route.path.split('/').slice(1)
      const params = Object.fromEntries(
        names.flatMap((part, index) => (isParameter(part) ? [[part.slice(1, -1), segments[index]!]] : [])),
      )
      return { kind: 'found', route, params }
    }
    const allowed = [...new Set(matching.flatMap((pattern) => [...pattern.methods.keys()]))]
    return allowed.length > 0 ? { kind: 'method_not_allowed', allowed } : { kind: 'no_such_endpoint' }
  }
}
