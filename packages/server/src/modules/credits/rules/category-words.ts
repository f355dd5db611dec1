const categories: Readonly<Record<string, string>> = {
  discover: 'Discover',
  posts_read: 'Posts read on request',
  enrichment: 'Leads enriched on request',
  agent_trial: 'Free trial of the agent',
  other: 'All others',
}

/** Display name of charges without a named source, by category. */
export const categoryInWords = (category: string): string => categories[category] ?? category
