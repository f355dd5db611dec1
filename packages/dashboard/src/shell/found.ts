/** What the palette finds without asking anybody. */
import { foldAsked, foldText } from '@les/contract'

/** Rows of a kind that are shown at most. */
export const most = 5

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
  const words = wordsIn(text)
  return rows.filter((row) => words.every((word) => foldText(nameOf(row)).includes(word))).slice(0, most)
}

const wordsIn = (text: string): string[] => foldAsked(text).split(' ').filter(Boolean)

/**
 * How well a line of the palette fits what was typed: every word of that must be in its name or beside it, and best is
 * one that begins with it.
 */
export function fitOf(typed: string, name: string, beside: readonly string[] = []): number {
  const text = foldText([name, ...beside].join(' '))
  const words = wordsIn(typed)
  if (!words.every((word) => text.includes(word))) return 0
  return beside.some((each) => foldText(each).startsWith(words.join(' '))) ? 1 : 0.5
}

/** Companies of leads, each once. */
export const companiesIn = (leads: readonly { readonly companyName: string | null }[]): readonly string[] =>
  [...new Set(leads.flatMap(({ companyName }) => companyName ?? []))].slice(0, most)

/** What an act of the palette is about: what was typed, without the verb that may stand before it. */
export const argumentOf = (typed: string): string => typed.trim().replace(/^(?:track|search) +/i, '')
