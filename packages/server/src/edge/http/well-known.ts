/** `/robots.txt` and `/.well-known/security.txt` (RFC 9116): what crawlers and people who found a hole look for. */

const halfYearMs = 183 * 86_400_000
const dayMs = 86_400_000

/** What the files say. */
export type WellKnownParts = {
  readonly nowMs: () => number
  readonly origin: () => string /** Where to write to, as a URI; null: nobody said. */
  readonly securityContact: string | null
}

/** A file with the address at which it is served. */
export type WellKnownFile = { readonly path: string; readonly text: () => string }

/** The files. A crawler finds pages behind a sign-in and an interface that wants a key: nothing for an index. */
export function wellKnownFiles({ nowMs, origin, securityContact }: WellKnownParts): readonly WellKnownFile[] {
  // To the day, so that a day's answers are alike.
  const expires = () => new Date(Math.floor((nowMs() + halfYearMs) / dayMs) * dayMs).toISOString()
  return [
    { path: '/robots.txt', text: () => 'User-agent: *\nDisallow: /\n' },
    {
      path: '/.well-known/security.txt',
      text: () =>
        `Contact: ${securityContact ?? `${origin()}/`}\nExpires: ` +
        `${expires()}\nPreferred-Languages: en\nCanonical: ${origin()}/.well-known/security.txt\n`,
    },
  ]
}

/** The headers such a file goes out with. */
export const textHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'x-content-type-options': 'nosniff',
}
