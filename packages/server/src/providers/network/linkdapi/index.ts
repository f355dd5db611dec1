import type { NetworkProvider } from '../../ports.ts'
import type { AdapterOptions } from '../vendor-client.ts'
import { createLinkdClient } from './client.ts'
import { linkdCompanies } from './companies.ts'
import { linkdEngagement } from './engagement.ts'
import { linkdPosts } from './posts.ts'
import { linkdProfiles } from './profiles.ts'
import { linkdSearch } from './search.ts'

/** The network through LinkdAPI: pages of ten, posts by activity number only, replies flat among the comments. */
export function createLinkdApi(options: AdapterOptions): NetworkProvider {
  const client = createLinkdClient(options)
  return {
    ...linkdProfiles(client),
    ...linkdCompanies(client),
    ...linkdPosts(client),
    ...linkdEngagement(client),
    ...linkdSearch(client),
  }
}
