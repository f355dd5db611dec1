/** Base addresses of the platforms where leads go: what is set, else the sandbox's, else the platform's own. */
import { url, type Reading } from './reading.ts'

/** A platform with an address of its own; `google_token` answers for the tokens of Google Sheets. */
export type DestinationPlatform = 'hubspot' | 'slack' | 'google_sheets' | 'google_token' | 'attio' | 'salesforce'

/** Without a slash at their ends. Salesforce has none: every customer has an instance, which its setting takes the place of. */
const own: Readonly<Record<DestinationPlatform, string | null>> = {
  hubspot: 'https://api.hubapi.com',
  slack: 'https://hooks.slack.com',
  google_sheets: 'https://sheets.googleapis.com',
  google_token: 'https://oauth2.googleapis.com',
  attio: 'https://api.attio.com',
  salesforce: null,
}

/** Addresses by platform, where they are known. */
export type DestinationAddresses = Readonly<Partial<Record<DestinationPlatform, string>>>

/** Every such platform. */
export const destinationPlatforms = Object.keys(own) as readonly DestinationPlatform[]

/** The name of a platform's setting, such as `LES_HUBSPOT_URL`. */
const destinationSetting = (platform: DestinationPlatform): string => `LES_${platform.toUpperCase()}_URL`

/** Every such setting with the words of its default and its meaning. */
export const destinationSettings: readonly (readonly [name: string, usual: string, meaning: string])[] =
  destinationPlatforms.map((platform) => [
    destinationSetting(platform),
    own[platform] === null ? 'the instance of the customer' : `\`${own[platform]}\``,
    `base address of the destination \`${platform}\`; in the sandbox its twin unless it is set`,
  ])

/** What is set; undefined for nothing. */
export function destinations(reading: Reading): DestinationAddresses | undefined {
  const set = destinationPlatforms.flatMap((platform) => {
    const address = url(reading, destinationSetting(platform), ['https:', 'http:'])
    return address === undefined ? [] : [[platform, address.replace(/\/+$/, '')] as const]
  })
  return set.length === 0 ? undefined : Object.fromEntries(set)
}

/** Where a platform is asked; null for the instance of the customer. `played`: the sandbox's addresses, where it plays them. */
export const destinationAddress = (
  platform: DestinationPlatform,
  { set, played }: { set: DestinationAddresses | undefined; played: DestinationAddresses | undefined },
): string | null => set?.[platform] ?? played?.[platform] ?? own[platform]
