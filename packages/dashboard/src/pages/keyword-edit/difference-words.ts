/** A comparison of words in words. */
import type { SessionResult } from '../../api/types.ts'
import { count, countOf } from '../../ui/format.ts'

/** What a trial of words would change. */
export type WordDifference = NonNullable<SessionResult<'backtestKeyword'>['difference']>

/** What the present words keep and those tried would, in one sentence. */
export function changeWords({ posts: { gained, lost } }: WordDifference): string {
  if (gained + lost === 0) return 'The same posts would be kept as now: it costs what it costs now.'
  const parts = [
    gained > 0 && `${countOf(gained, 'post')} would be kept that ${gained === 1 ? 'is' : 'are'} discarded now`,
    lost > 0 && `${countOf(lost, 'post')} discarded that ${lost === 1 ? 'is' : 'are'} kept now`,
  ].filter((part) => part !== false)
  return gained === 0
    ? `${parts.join('').replace('discarded that', 'would be discarded that')}.`
    : `${parts.join(', ')}.`
}

const range = (from: number, to: number): string =>
  from === to ? countOf(to, 'credit') : `${count(from)} to ${countOf(to, 'credit')}`

/** What that is expected to cost; a run never spends more than its cap. */
export function costWords({
  posts: { gained, lost },
  credits: { from, to, lost: paid },
  creditCap,
}: WordDifference): string {
  const more =
    gained > 0 &&
    `Posts that are gained are expected to cost ${range(from, to)}, each person once, at most ${count(creditCap)} a run.`
  const less = lost > 0 && `Those that are lost have cost ${countOf(paid, 'credit')}.`
  return [more, less].filter((part) => part !== false).join(' ')
}

/** Why people are compared that far and no further. */
export const peopleHint = (isExpression: boolean): string =>
  isExpression
    ? 'People are those any of your sources has captured on these posts; more may have engaged.'
    : 'The search takes what the network finds for its terms, an expression only posts that hold its words. ' +
      'People are those any of your sources has captured on these posts.'
