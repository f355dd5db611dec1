import type { ResultOf } from '../../api/index.ts'
import { countOf } from '../../ui/format.ts'

export type Run = ResultOf<'listDiscoverRuns'>['runs'][number]

export function wantedWords(run: Pick<Run, 'countries' | 'minEngagement' | 'maxInfluencers'>): string {
  const where = run.countries.length === 0 ? 'in every country' : `in ${run.countries.join(', ')}`
  const least =
    run.minEngagement > 0
      ? `, with at least ${countOf(run.minEngagement, 'reaction and comment', 'reactions and comments')} a post on average`
      : ''
  return `At most ${countOf(run.maxInfluencers, 'person', 'people')} ${where}${least}.`
}
