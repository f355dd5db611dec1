/** What the palette finds without asking the service. */
import { foldAsked, foldText } from '@les/contract'

/** Rows of a kind that are shown. */
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

/** Names that hold every word of a text, in any case; at most five. */
export function named<T>(rows: readonly T[], text: string, nameOf: (row: T) => string): readonly T[] {
  const words = wordsIn(text)
  return rows.filter((row) => words.every((word) => foldText(nameOf(row)).includes(word))).slice(0, maxFound)
}

/** How well a line of the palette fits what was typed: every word must be in its name or its keywords, best is one that begins with it. */
export function fitOf(typed: string, name: string, keywords: readonly string[] = []): number {
  const text = foldText([name, ...keywords].join(' '))
  const words = wordsIn(typed)
  if (!words.every((word) => text.includes(word))) return 0
  return keywords.some((each) => foldText(each).startsWith(words.join(' '))) ? 1 : 0.5
}

/** Companies of leads, each once. */
export const companiesIn = (leads: readonly { readonly companyName: string | null }[]): readonly string[] =>
  [...new Set(leads.flatMap(({ companyName }) => companyName ?? []))].slice(0, maxFound)

/** What an act of the palette is about: what was typed, without the verb that may stand before it. */
export const argumentOf = (typed: string): string => typed.trim().replace(/^(?:track|search) +/i, '')
