/** Discover runs in plain words. */
import type { V1Result } from '../../api/index.ts'
import { countOf, type Tone } from '../../ui/index.ts'

/** A run without its people. */
export type Run = V1Result<'listDiscoverRuns'>['runs'][number]

/** The state of a run, with the colour it is shown in. */
export function stateOf(run: Pick<Run, 'state' | 'error'>): readonly [string, Tone] {
  if (run.state === 'running') return ['Under way', 'info']
  if (run.state === 'failed') return ['Failed', 'bad']
  return run.error === null ? ['Done', 'good'] : ['Ended early', 'warn']
}

const errors: Readonly<Record<string, string>> = {
  insufficient_enriching_credits: 'The credits ran out before everybody who qualified was added.',
  internal_error:
    'The service itself failed at it, five times over: search again, and tell whoever runs the service when that fails too.',
  subscription_inactive: 'The subscription of the team has ended.',
}

/** Why a run failed or ended early; null when it did neither. */
export const errorWords = (run: Pick<Run, 'error'>): string | null =>
  run.error === null ? null : (errors[run.error.code] ?? `${run.error.error}.`)

/** What a run looks for, in a sentence. */
export function wantedWords(run: Pick<Run, 'countries' | 'minEngagement' | 'maxInfluencers'>): string {
  const where = run.countries.length === 0 ? 'in every country' : `in ${run.countries.join(', ')}`
  const least =
    run.minEngagement > 0
      ? `, with ${countOf(run.minEngagement, 'reaction and comment', 'reactions and comments')} a post on average`
      : ''
  return `At most ${countOf(run.maxInfluencers, 'person', 'people')} ${where}${least}.`
}
