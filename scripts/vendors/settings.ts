import { readFileSync } from 'node:fs'
import {
  networkVendorIds,
  networkVendors,
  vendorSetting,
  type NetworkVendorId,
} from '../../packages/server/src/config/network-vendors.ts'
import { priceOf } from '../../packages/server/src/providers/network/linkdapi/client.ts'

export type VendorName = NetworkVendorId

/** The primary vendor comes first. */
export const vendorNames = networkVendorIds

export function vendorNamed(text: string): VendorName {
  const found = networkVendorIds.find((id) => id === text)
  if (found === undefined)
    throw new Error(`--vendor must be ${networkVendorIds.join(' or ')}, not ${JSON.stringify(text)}`)
  return found
}

/** The user's key from `LES_<VENDOR>_KEY` or the file named by `LES_<VENDOR>_KEY_FILE`. */
export function keyOf(vendor: VendorName): string {
  const name = vendorSetting(vendor, 'KEY')
  const file = process.env[`${name}_FILE`]
  const key = process.env[name] ?? (file === undefined ? undefined : readFileSync(file, 'utf8').trim())
  if (!key) throw new Error(`${name} is not set; --sandbox tries the same without a vendor`)
  return key
}

/** The address from `LES_<VENDOR>_URL`, or the vendor's own. */
export const urlOf = (vendor: VendorName): string =>
  process.env[vendorSetting(vendor, 'URL')] ?? networkVendors[vendor].url

type Prices = {
  /** For answers that do not state their cost. */
  readonly priceOf: (path: string) => number
  /** The most expensive call, so that a limit is never exceeded. */
  readonly dearest: number
}

const prices: Readonly<Record<VendorName, Prices>> = {
  harvestapi: { priceOf: (path) => (path.startsWith('/linkedin/') ? 0.004 : 0), dearest: 0.0064 },
  linkdapi: { priceOf, dearest: 0.02 },
}

/** The price of a call whose answer does not state it. */
export const pricesOf = (vendor: VendorName): ((path: string) => number) => prices[vendor].priceOf

/** A vendor's most expensive call, in dollars. */
export const dearestOf = (vendor: VendorName): number => prices[vendor].dearest
