/** The vendors of network data: one list by id, from which settings, their types, caps, secrets and advice derive. */

/** In the order in which they are asked: the first is the primary, the others are its fallbacks; `url` unless a setting says otherwise. */
export const networkVendors = {
  harvestapi: { url: 'https://api.harvestapi.io' },
  linkdapi: { url: 'https://linkdapi.com' },
} as const satisfies Readonly<Record<string, { readonly url: string }>>

/** A vendor of network data; the name in logs, metrics and tables too. */
export type NetworkVendorId = keyof typeof networkVendors

/** Their ids, the primary first. */
export const networkVendorIds = Object.keys(networkVendors) as readonly NetworkVendorId[]

/** Something for each vendor, in the order of the list. */
export const perNetworkVendor = <T>(make: (id: NetworkVendorId) => T): Record<NetworkVendorId, T> =>
  Object.fromEntries(networkVendorIds.map((id) => [id, make(id)])) as Record<NetworkVendorId, T>

/** The name of a vendor's setting, such as `LES_HARVESTAPI_KEY`. */
export const vendorSetting = (vendor: string, what: 'URL' | 'KEY' | 'DAILY_DOLLARS'): string =>
  `LES_${vendor.toUpperCase()}_${what}`

const [primaryKey = '', ...fallbackKeys] = networkVendorIds.map((id) => vendorSetting(id, 'KEY'))

/** The settings that hold keys, as advice names them. */
export const keySettings = {
  primary: primaryKey,
  every: [primaryKey, ...fallbackKeys] as readonly string[],
  /** `LES_HARVESTAPI_KEY (and LES_LINKDAPI_KEY as fallback)` */
  withFallback: `${primaryKey} (and ${fallbackKeys.join(' or ')} as fallback)`,
} as const
