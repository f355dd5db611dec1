/** What a run of a keyword search is bound by; taken when it starts, so that later edits bind from the next one (KEY-60). */
import { pickSettings, settingsOfRun, type SourceSettings } from '@les/contract'
import type { RunSettings } from '../../sources/index.ts'
import type { SearchSettings } from './settings.ts'

/** Posts one run looks at, over all its terms (specification «Limits»; KRN-03). */
export const scanLimit = 2_000

/** What a run looks for. */
export type SearchCriteria = Pick<
  SearchSettings,
  'terms' | 'expression' | 'datePosted' | 'contentType' | 'filters' | 'ai'
>

/** The settings of a keyword run. */
export type SearchRunSettings = RunSettings &
  Required<Pick<RunSettings, 'keyword'>> & { readonly search: SearchCriteria }

/** Binds a run of a search to what it is set to now. */
export function searchRunSettings(source: SourceSettings, search: SearchSettings): SearchRunSettings {
  const { terms, expression, datePosted, contentType, filters, ai } = search
  const { creditCap, captureEngagers, capturePostAuthors, captureMode, maxEngagementsPerPost } = search
  return {
    mode: source.mode,
    maxPosts: source.mode === 'posts_only' ? (source.postsPerSync ?? creditCap) : scanLimit,
    sinceDays: null,
    rowCap: null,
    ...pickSettings(source, settingsOfRun),
    keyword: { creditCap, captureEngagers, capturePostAuthors, captureMode, maxEngagementsPerPost },
    search: { terms, expression, datePosted, contentType, filters, ai },
  }
}
