/** What a keyword search can cost (specification «Keyword searches», estimate; KEY-56, KEY-57; G18, G76). */
import { quote, type Quote } from '../../credits/rules/spend-gate.ts'
import type { SearchState } from './settings.ts'

/** Credits a day at most: the cap of its one run, for posts-only at most one credit a post. */
export const searchDailyMax = ({ search, source }: SearchState): number =>
  source.mode === 'posts_only' && source.postsPerSync !== null
    ? Math.min(source.postsPerSync, search.creditCap)
    : search.creditCap

/** The figures against the balance. */
export const searchQuote = (state: SearchState, balance: number): Quote =>
  quote({ per: 'day', credits: searchDailyMax(state) }, balance)
