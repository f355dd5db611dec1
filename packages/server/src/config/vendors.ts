import { vendorDefaults, type Config, type VendorSettings } from './config.ts'
import {
  keySettings,
  networkVendorIds,
  perNetworkVendor,
  vendorSetting,
  type NetworkVendorId,
} from './network-vendors.ts'
import { flag, text, url, type Reading } from './reading.ts'

function vendor(reading: Reading, id: NetworkVendorId): { named: boolean; settings: VendorSettings | null } {
  const address = url(reading, vendorSetting(id, 'URL'), ['https:', 'http:'])
  const key = text(reading, vendorSetting(id, 'KEY'))
  return {
    named: address !== undefined || key !== undefined,
    settings: key === undefined ? null : { url: address ?? vendorDefaults[id], key },
  }
}

/** Outside systems other than the network; the sandbox plays them too. */
const otherVendors = ['outreach', 'openai', 'anthropic', 'google', 'mistral'] as const
type OtherVendor = (typeof otherVendors)[number]
const settingOf = (vendor: OtherVendor): string => `LES_${vendor.toUpperCase()}_URL`

/** The outside world: the sandbox when no vendor is named, which an external database must ask for (G2). */
export function vendors(reading: Reading, external: boolean): Config['vendors'] {
  const network = perNetworkVendor((id) => vendor(reading, id))
  const asked = flag(reading, 'LES_SANDBOX', false)
  const named = networkVendorIds.some((id) => network[id].named)
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
      `${others.join(', ')} cannot be combined with the sandbox network, which comes with its own: unset it, or set ${keySettings.primary}`,
    )
  if (named && networkVendorIds.every((id) => network[id].settings === null))
    reading.mistakes.push(`A vendor address is set without its key: set ${keySettings.every.join(' or ')}`)
  if (!named && !asked && external)
    reading.mistakes.push(
      `DATABASE_URL is set but no network vendor is: set ${keySettings.withFallback}, ` +
        'or LES_SANDBOX=1 for the synthetic network',
    )
  if (!named) return { kind: 'sandbox' }
  const at = (name: OtherVendor): string => addresses[name] ?? vendorDefaults[name]
  return {
    kind: 'real',
    ...perNetworkVendor((id) => network[id].settings),
    outreach: at('outreach'),
    ai: { openai: at('openai'), anthropic: at('anthropic'), google: at('google'), mistral: at('mistral') },
  }
}
