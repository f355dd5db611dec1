import type { ToolEntry } from './tool-entry.ts'

/** Posts: those stored, those of the network, and searches in them. */
export const postTools: readonly ToolEntry[] = [
  {
    name: 'list_posts',
    title: 'List stored posts',
    toolsets: ['sources', 'keyword'],
    description: 'Posts that a posts-only watch stored or a search kept (swept: also those it dropped, and why). Free.',
    selectors: [{ name: 'of', default: 'watch' }],
    operations: { watch: 'listSourcePosts', search: 'listKeptPosts' },
  },
  {
    name: 'fetch_posts',
    title: 'Fetch posts from the network',
    toolsets: ['sources'],
    description: 'Free of tracked sources; untracked reads cost one credit a post returned.',
    selectors: [{ name: 'what' }],
    operations: {
      posts_of_person: 'fetchProfilePosts',
      posts_of_company: 'fetchCompanyPosts',
      reactions: 'fetchPostReactions',
      comments: 'fetchPostComments',
      company_comments: 'fetchCompanyPostComments',
      untracked_person: 'readProfilePosts',
      untracked_company: 'readCompanyPosts',
    },
    outside: true,
  },
  {
    name: 'resolve_person',
    title: 'Resolve a handle',
    toolsets: ['sources', 'keyword'],
    description: 'The member id of a public handle, for search filters. Free.',
    selectors: [],
    operations: { '': 'resolveProfileUrn' },
    outside: true,
  },
  {
    name: 'save_keyword_search',
    title: 'Estimate, create or edit a keyword search',
    toolsets: ['keyword'],
    description:
      'A daily search of posts whose authors or engagers become leads. estimate is free and changes nothing: ' +
      'do it first. create takes exactly one of keywords, keyword and expression.',
    selectors: [{ name: 'action' }],
    operations: { estimate: 'estimateKeyword', create: 'trackKeyword', edit: 'editKeyword' },
    effect: 'changes',
    outside: true,
  },
  {
    name: 'discover_people',
    title: 'Start or delete a people search',
    toolsets: ['discover'],
    description: 'Finds people who post about a topic; one credit a person found.',
    selectors: [{ name: 'action', default: 'start' }],
    operations: { start: 'startDiscover', delete: 'deleteDiscoverRun' },
    effect: 'removes',
    outside: true,
  },
  {
    name: 'get_discover_runs',
    title: 'Read people searches',
    toolsets: ['discover'],
    description: 'All runs, or one with the people it found.',
    selectors: [{ name: 'of', default: 'all' }],
    operations: { all: 'listDiscoverRuns', one: 'getDiscoverRun' },
  },
]
