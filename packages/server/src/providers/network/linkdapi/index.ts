import type { NetworkVendor } from '../../accounts.ts'
import type { AdapterOptions } from '../vendor-client.ts'
import { createLinkdClient, linkdAccount } from './client.ts'
import { linkdEngagement } from './engagement.ts'
import { linkdPosts } from './posts.ts'
import { linkdProfiles } from './profiles.ts'
import { linkdSearch } from './search.ts'

/** The network through LinkdAPI: pages of ten, posts by activity number only, replies listed among the comments. */
export function createLinkdApi(options: AdapterOptions): NetworkVendor {
  const client = createLinkdClient(options)
  return {
    callsAtOnce: client.callsAtOnce,
    account: linkdAccount(client),
    ...linkdProfiles(client),
    ...linkdPosts(client),
    ...linkdEngagement(client),
    ...linkdSearch(client),
  }
}
