import type { NetworkVendor } from '../../accounts.ts'
import type { AdapterOptions } from '../vendor-client.ts'
import { createHarvestClient, harvestAccount } from './client.ts'
import { harvestEngagement } from './engagement.ts'
import { harvestPosts } from './posts.ts'
import { harvestProfiles } from './profiles.ts'

/** The network through HarvestAPI: large pages, no reaction times, replies in separate calls. */
export function createHarvestApi(options: AdapterOptions): NetworkVendor {
  const client = createHarvestClient(options)
  return {
    callsAtOnce: client.callsAtOnce,
    account: harvestAccount(client),
    ...harvestProfiles(client),
    ...harvestPosts(client),
    ...harvestEngagement(client),
  }
}
