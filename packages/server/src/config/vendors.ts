/** The vendors, or the synthetic network in their place. */
import { vendorDefaults, type Config, type VendorSettings } from './config.ts'
import { flag, text, url, type Reading } from './reading.ts'

function vendor(
  reading: Reading,
  name: 'HARVESTAPI' | 'LINKDAPI',
): { named: boolean; settings: VendorSettings | null } {
  const address = url(reading, `LES_${name}_URL`, ['https:', 'http:'])
  const key = text(reading, `LES_${name}_KEY`)
  const fallback = name === 'HARVESTAPI' ? vendorDefaults.harvestapi : vendorDefaults.linkdapi
  return {
    named: address !== undefined || key !== undefined,
    settings: key === undefined ? null : { url: address ?? fallback, key },
  }
}

/** Outside systems beside the network; in the sandbox they are part of it. */
const otherVendors = ['outreach', 'openai', 'anthropic', 'google', 'mistral'] as const
type OtherVendor = (typeof otherVendors)[number]
const settingOf = (vendor: OtherVendor): string => `LES_${vendor.toUpperCase()}_URL`

/** The outside world: the sandbox only when no vendor is named at all, and with a database of one's own only on request (G2). */
export function vendors(reading: Reading, external: boolean): Config['vendors'] {
  const harvestapi = vendor(reading, 'HARVESTAPI')
  const linkdapi = vendor(reading, 'LINKDAPI')
  const asked = flag(reading, 'LES_SANDBOX', false)
  const named = harvestapi.named || linkdapi.named
  if (named && asked)
    reading.mistakes.push(
      'LES_SANDBOX=1 cannot be combined with a vendor: invented people must never mix with real ones; unset one of the two',
    )
  const addresses = Object.fromEntries(
    otherVendors.map((name) => [name, url(reading, settingOf(name), ['https:', 'http:'])]),
  ) as Record<OtherVendor, string | undefined>
  const others = otherVendors.filter((name) => addresses[name] !== undefined).map(settingOf)
  if (!named && others.length > 0)
    reading.mistakes.push(
      `${others.join(', ')} cannot be combined with the sandbox network, which comes with its own: unset it, or set LES_HARVESTAPI_KEY`,
    )
  if (named && !harvestapi.settings && !linkdapi.settings)
    reading.mistakes.push('A vendor address is set without its key: set LES_HARVESTAPI_KEY or LES_LINKDAPI_KEY')
  if (!named && !asked && external)
    reading.mistakes.push(
      'DATABASE_URL is set but no network vendor is: set LES_HARVESTAPI_KEY (and LES_LINKDAPI_KEY as fallback), ' +
        'or LES_SANDBOX=1 for the synthetic network',
    )
  if (!named) return { kind: 'sandbox' }
  const at = (name: OtherVendor): string => addresses[name] ?? vendorDefaults[name]
  return {
    kind: 'real',
    harvestapi: harvestapi.settings,
    linkdapi: linkdapi.settings,
    outreach: at('outreach'),
    ai: { openai: at('openai'), anthropic: at('anthropic'), google: at('google'), mistral: at('mistral') },
  }
}
