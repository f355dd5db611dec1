/**
 * The settings of the service, each with its default and its meaning; docs/generated/settings.md is made of it. Those that are not about
 * a vendor of network data are the rows of `settings.json`: `usual` is the default in words, `meaning` may hold Markdown.
 */
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

/** Every setting, in the order of the page. */
export const settings: readonly (typeof rows)[number][] = [
  ...rows,
  ...ofVendors,
  ...destinationSettings.map(([name, usual, meaning]) => ({ name, usual, meaning })),
]

/** The names of the settings; a variable that begins with `LES_` and is not among them is a mistake. */
export const known: readonly string[] = settings.map(({ name }) => name)
