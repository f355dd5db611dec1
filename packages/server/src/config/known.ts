/** All settings, for docs/generated/settings.md. `usual`: the default in words; `meaning`: Markdown. */
import { destinationSettings } from './destinations.ts'
import { networkVendorIds, vendorSetting } from './network-vendors.ts'
import rows from './settings.json' with { type: 'json' }

const ofVendors = networkVendorIds.flatMap((id, at) => [
  {
    name: vendorSetting(id, 'KEY'),
    usual: 'none',
    meaning: `the key of ${at === 0 ? 'the primary vendor' : 'the fallback vendor'} of network data`,
  },
  { name: vendorSetting(id, 'URL'), usual: "the vendor's", meaning: 'its address' },
  {
    name: vendorSetting(id, 'DAILY_DOLLARS'),
    usual: 'none',
    meaning: 'what it may cost in a day (UTC), over all teams; work beyond it waits for the next day',
  },
])

/** Every setting, in the order of that page. */
export const settings: readonly (typeof rows)[number][] = [
  ...rows,
  ...ofVendors,
  ...destinationSettings.map(([name, usual, meaning]) => ({ name, usual, meaning })),
]

/** Setting names; any other variable that begins with `LES_` is a mistake. */
export const known: readonly string[] = settings.map(({ name }) => name)
