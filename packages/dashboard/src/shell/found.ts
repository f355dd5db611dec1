/** What the palette finds without asking anybody. */

/** Rows of a kind that are shown at most. */
export const most = 5

/** The tabs of the settings, by what somebody may type. */
export const settingsPlaces = [
  { tab: 'team', label: 'Team name and plan' },
  { tab: 'members', label: 'Members and invitations' },
  { tab: 'keys', label: 'API keys' },
  { tab: 'credentials', label: 'Keys of AI vendors and outreach' },
  { tab: 'secret', label: 'Signing secret' },
  { tab: 'sessions', label: 'Sessions' },
  { tab: 'audit', label: 'Audit log' },
] as const

/** Names that hold every word of a text, in any case; at most five. */
export function named<T>(rows: readonly T[], text: string, nameOf: (row: T) => string): readonly T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => words.every((word) => nameOf(row).toLowerCase().includes(word))).slice(0, most)
}

/** Companies of leads, each once. */
export const companiesIn = (leads: readonly { readonly companyName: string | null }[]): readonly string[] =>
  [...new Set(leads.flatMap(({ companyName }) => companyName ?? []))].slice(0, most)
