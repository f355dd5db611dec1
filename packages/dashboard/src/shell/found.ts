import { foldAsked, foldText } from '@les/contract'

export const maxFound = 5

export const settingsPlaces = [
  { tab: 'team', label: 'Team name and plan' },
  { tab: 'members', label: 'Members and invitations' },
  { tab: 'keys', label: 'API keys' },
  { tab: 'credentials', label: 'Keys of AI vendors and outreach' },
  { tab: 'secret', label: 'Signing secret' },
  { tab: 'sessions', label: 'Sessions' },
  { tab: 'audit', label: 'Audit log' },
] as const

const wordsIn = (text: string): string[] => foldAsked(text).split(' ').filter(Boolean)

/** At most five rows whose name contains every word of a text, ignoring case. */
export function named<T>(rows: readonly T[], text: string, nameOf: (row: T) => string): readonly T[] {
  const words = wordsIn(text)
  return rows.filter((row) => words.every((word) => foldText(nameOf(row)).includes(word))).slice(0, maxFound)
}

/** Scores a palette line, whose label is a keyword: 0 if any word is missing, 1 if a keyword begins with the text, else 0.5. */
export function fitOf(typed: string, name: string, keywords: readonly string[] = []): number {
  const text = foldText([name, ...keywords].join(' '))
  const words = wordsIn(typed)
  if (!words.every((word) => text.includes(word))) return 0
  return keywords.some((each) => foldText(each).startsWith(words.join(' '))) ? 1 : 0.5
}

export const companiesIn = (leads: readonly { readonly companyName: string | null }[]): readonly string[] =>
  [...new Set(leads.flatMap(({ companyName }) => companyName ?? []))].slice(0, maxFound)

/** The argument of a palette action: the text without a leading verb. */
export const argumentOf = (typed: string): string => typed.trim().replace(/^(?:track|search) +/i, '')
