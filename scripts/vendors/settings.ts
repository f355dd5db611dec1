/** Which vendor a tool speaks to, by the settings of the service. */
import { readFileSync } from 'node:fs'
import { vendorDefaults } from '../../packages/server/src/config/config.ts'
import { priceOf } from '../../packages/server/src/providers/network/linkdapi/prices.ts'

/** A data vendor. */
export type VendorName = 'harvestapi' | 'linkdapi'

/** Reads one of the two names. */
export function vendorNamed(text: string): VendorName {
  if (text === 'harvestapi' || text === 'linkdapi') return text
  throw new Error(`--vendor must be harvestapi or linkdapi, not ${JSON.stringify(text)}`)
}

/** The user's own key, from `LES_<VENDOR>_KEY` or the file that `LES_<VENDOR>_KEY_FILE` names. */
export function keyOf(vendor: VendorName): string {
  const name = `LES_${vendor.toUpperCase()}_KEY`
  const file = process.env[`${name}_FILE`]
  const key = process.env[name] ?? (file === undefined ? undefined : readFileSync(file, 'utf8').trim())
  if (!key) throw new Error(`${name} is not set; --sandbox tries the same without a vendor`)
  return key
}

/** Its address, from `LES_<VENDOR>_URL` or its own. */
export const urlOf = (vendor: VendorName): string =>
  process.env[`LES_${vendor.toUpperCase()}_URL`] ?? vendorDefaults[vendor]

/** What a call costs where the answer does not say so. */
export const pricesOf = (vendor: VendorName): ((path: string) => number) =>
  vendor === 'linkdapi' ? priceOf : (path) => (path.startsWith('/linkedin/') ? 0.004 : 0)
