/** Where people reach the service. */

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * The public origin; without one the address that was bound, when it is of this machine alone. Browsers keep the session cookie to
 * encrypted addresses and to loopback, so on any other bound address people sign in at `localhost` until a public one is set.
 */
export function originOf(publicUrl: string | null, bound: string): string {
  if (publicUrl !== null) return publicUrl
  const { hostname, port, origin } = new URL(bound)
  return loopback.test(hostname) ? origin : `http://localhost:${port}`
}
