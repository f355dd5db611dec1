import type { NetworkProvider } from '../../ports.ts'
import type { AdapterOptions } from '../vendor-client.ts'
import { createHarvestClient } from './client.ts'
import { harvestCompanies } from './companies.ts'
import { harvestEngagement } from './engagement.ts'
import { harvestPosts } from './posts.ts'
import { harvestProfiles } from './profiles.ts'
import { harvestSearch } from './search.ts'

/** The network through HarvestAPI: big pages, no reaction times, replies in calls of their own. */
export function createHarvestApi(options: AdapterOptions): NetworkProvider {
  const client = createHarvestClient(options)
  return {
    ...harvestProfiles(client),
    ...harvestCompanies(client),
    ...harvestPosts(client),
    ...harvestEngagement(client),
    ...harvestSearch(client),
  }
}
