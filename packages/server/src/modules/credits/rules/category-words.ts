/** Charges that belong to no source, in words. */

/** Charges that belong to no source, by their category. */
const categories: Readonly<Record<string, string>> = {
  discover: 'Discover',
  posts_read: 'Posts read on request',
  enrichment: 'Leads enriched on request',
  agent_trial: 'Free trial of the agent',
  other: 'All others',
}

/** What charges are called that belong to no source, or to one that is not named. */
export const categoryInWords = (category: string): string => categories[category] ?? category
