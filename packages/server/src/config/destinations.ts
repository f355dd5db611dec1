import { url, type Reading } from './reading.ts'

/** A platform with a base URL; `google_token` issues tokens for Google Sheets. */
export type DestinationPlatform = 'hubspot' | 'slack' | 'google_sheets' | 'google_token' | 'attio' | 'salesforce'

/** Without trailing slashes. Salesforce has none: every customer has an instance. */
const own: Readonly<Record<DestinationPlatform, string | null>> = {
  hubspot: 'https://api.hubapi.com',
  slack: 'https://hooks.slack.com',
  google_sheets: 'https://sheets.googleapis.com',
  google_token: 'https://oauth2.googleapis.com',
  attio: 'https://api.attio.com',
  salesforce: null,
}

/** Base URLs by platform, where known. */
export type DestinationAddresses = Readonly<Partial<Record<DestinationPlatform, string>>>

/** All destination platforms. */
export const destinationPlatforms = Object.keys(own) as readonly DestinationPlatform[]

const destinationSetting = (platform: DestinationPlatform): string => `LES_${platform.toUpperCase()}_URL`

/** The settings: name, default in words, and meaning. */
export const destinationSettings: readonly (readonly [name: string, usual: string, meaning: string])[] =
  destinationPlatforms.map((platform) => [
    destinationSetting(platform),
    own[platform] === null ? 'the instance of the customer' : `\`${own[platform]}\``,
    `base address of the destination \`${platform}\`; in the sandbox its twin unless it is set`,
  ])

/** The configured base URLs; undefined without any. */
export function destinations(reading: Reading): DestinationAddresses | undefined {
  const set = destinationPlatforms.flatMap((platform) => {
    const address = url(reading, destinationSetting(platform), ['https:', 'http:'])
    return address === undefined ? [] : [[platform, address.replace(/\/+$/, '')] as const]
  })
  return set.length === 0 ? undefined : Object.fromEntries(set)
}

/** The base URL of a platform; null when it is the customer's instance. `played`: the sandbox's. */
export const destinationAddress = (
  platform: DestinationPlatform,
  set: DestinationAddresses | undefined,
  played: DestinationAddresses | undefined,
): string | null => set?.[platform] ?? played?.[platform] ?? own[platform]
