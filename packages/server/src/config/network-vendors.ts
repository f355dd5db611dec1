/** The data vendors, from which settings, types, caps and advice derive: the primary, then its fallbacks. */
export const networkVendors = {
  harvestapi: { url: 'https://api.harvestapi.io' },
  linkdapi: { url: 'https://linkdapi.com' },
} as const satisfies Readonly<Record<string, { readonly url: string }>>

/** A data vendor; also its name in logs, metrics and tables. */
export type NetworkVendorId = keyof typeof networkVendors

/** The primary first. */
export const networkVendorIds = Object.keys(networkVendors) as readonly NetworkVendorId[]

/** One value per vendor, in the order of the list. */
export const perNetworkVendor = <T>(make: (id: NetworkVendorId) => T): Record<NetworkVendorId, T> =>
  Object.fromEntries(networkVendorIds.map((id) => [id, make(id)])) as Record<NetworkVendorId, T>

/** The name of a vendor's setting, such as `LES_HARVESTAPI_KEY`. */
export const vendorSetting = (vendor: string, what: 'URL' | 'KEY' | 'DAILY_DOLLARS'): string =>
  `LES_${vendor.toUpperCase()}_${what}`

const [primaryKey = '', ...fallbackKeys] = networkVendorIds.map((id) => vendorSetting(id, 'KEY'))

export const keySettings = {
  primary: primaryKey,
  every: [primaryKey, ...fallbackKeys] as readonly string[],
  withFallback: `${primaryKey} (and ${fallbackKeys.join(' or ')} as fallback)`,
} as const
