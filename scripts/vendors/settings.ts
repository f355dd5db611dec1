/** Which vendor a tool speaks to, by the settings of the service. */
import { readFileSync } from 'node:fs'
import {
  networkVendorIds,
  networkVendors,
  vendorSetting,
  type NetworkVendorId,
} from '../../packages/server/src/config/network-vendors.ts'
import { priceOf } from '../../packages/server/src/providers/network/linkdapi/client.ts'

export type VendorName = NetworkVendorId

/** The vendors there are, the primary first. */
export const vendorNames = networkVendorIds

export function vendorNamed(text: string): VendorName {
  const found = networkVendorIds.find((id) => id === text)
  if (found === undefined)
    throw new Error(`--vendor must be ${networkVendorIds.join(' or ')}, not ${JSON.stringify(text)}`)
  return found
}

/** The user's own key, from `LES_<VENDOR>_KEY` or the file that `LES_<VENDOR>_KEY_FILE` names. */
export function keyOf(vendor: VendorName): string {
  const name = vendorSetting(vendor, 'KEY')
  const file = process.env[`${name}_FILE`]
  const key = process.env[name] ?? (file === undefined ? undefined : readFileSync(file, 'utf8').trim())
  if (!key) throw new Error(`${name} is not set; --sandbox tries the same without a vendor`)
  return key
}

/** Its address, from `LES_<VENDOR>_URL` or its own. */
export const urlOf = (vendor: VendorName): string =>
  process.env[vendorSetting(vendor, 'URL')] ?? networkVendors[vendor].url

type Prices = {
  /** What a call costs where the answer does not say so. */
  readonly priceOf: (path: string) => number
  /** The dearest single call: nothing is asked that could go over a limit. */
  readonly dearest: number
}

/** In dollars. */
const prices: Readonly<Record<VendorName, Prices>> = {
  harvestapi: { priceOf: (path) => (path.startsWith('/linkedin/') ? 0.004 : 0), dearest: 0.0064 },
  linkdapi: { priceOf, dearest: 0.02 },
}

/** What a call costs where the answer does not say so. */
export const pricesOf = (vendor: VendorName): ((path: string) => number) => prices[vendor].priceOf

/** The dearest single call of a vendor, in dollars. */
export const dearestOf = (vendor: VendorName): number => prices[vendor].dearest
