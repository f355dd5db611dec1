/** What calls of LinkdAPI cost, by its published table: it does not say so in its answers. */

/** Credits that a dollar buys, unless the account says otherwise. */
export const creditsPerDollar = 100

/** Calls that cost more than one credit, by their path below `/api/v1`. */
const dearer: Readonly<Record<string, number>> = { '/companies/company/info': 2, '/profile/overview': 2 }

/** Dollars that an answer of a call costs; refusals, also that there is no such thing, are taken for free. */
export function priceOf(path: string): number {
  if (!path.startsWith('/api/v1/')) return 0
  return (dearer[path.slice('/api/v1'.length)] ?? 1) / creditsPerDollar
}
