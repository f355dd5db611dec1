import type { NetworkVendor } from '../network-vendor.ts'
import type { AdapterOptions } from '../vendor-client.ts'
import { harvestAccount } from './account.ts'
import { createHarvestClient } from './client.ts'
import { harvestCompanies } from './companies.ts'
import { harvestEngagement } from './engagement.ts'
import { harvestPosts } from './posts.ts'
import { harvestProfiles } from './profiles.ts'
import { harvestSearch } from './search.ts'

/** The network through HarvestAPI: big pages, no reaction times, replies in calls of their own. */
export function createHarvestApi(options: AdapterOptions): NetworkVendor {
  const client = createHarvestClient(options)
  return {
    callsAtOnce: client.callsAtOnce,
    account: harvestAccount(client),
    ...harvestProfiles(client),
    ...harvestCompanies(client),
    ...harvestPosts(client),
    ...harvestEngagement(client),
    ...harvestSearch(client),
  }
}
