import { searchRunInWords } from '@les/contract'
import type { ResultOf } from '../../api/index.ts'
import { count, countOf } from '../../ui/format.ts'

export type SearchRow = ResultOf<'listSources'>['sources'][number]

export const nameOf = (row: Pick<SearchRow, 'name' | 'expression' | 'keywords' | 'username'>): string =>
  row.name ?? row.expression ?? row.keywords?.join(', ') ?? row.username

export const stopWords = (row: SearchRow): string =>
  row.lastRun === undefined ? '' : searchRunInWords({ ...row, lastRun: row.lastRun })

const ended: Readonly<Record<string, string>> = {
  max_runs: 'made all the runs it was given',
  run_once: 'has made its one run',
  end_at: 'reached its end date',
}

export function endWords(row: SearchRow): string | null {
  if (row.status === 'inactive') return 'Stopped by hand'
  const reason = row.schedule?.stoppedReason
  return reason ? `Ended: ${ended[reason] ?? reason}` : null
}

export function runWords(row: SearchRow & { lastRun: NonNullable<SearchRow['lastRun']> }): readonly string[] {
  const run = row.lastRun
  const discarded = run.discardedByExpression ?? 0
  const byOthers = Math.max(0, (run.postsScanned ?? 0) - (run.postsKept ?? 0) - discarded)
  const lines = [
    `${stopWords(row)}.`,
    `It used ${countOf(run.creditsSpent, 'credit')}.`,
    run.postsScanned !== undefined &&
      `It looked at ${countOf(run.postsScanned, 'post')} and kept ${count(run.postsKept ?? 0)}.`,
    discarded > 0 && `${countOf(discarded, 'post')} did not fit the terms.`,
    run.postsKept !== undefined &&
      byOthers > 0 &&
      `${countOf(byOthers, 'post')} ${byOthers === 1 ? 'was' : 'were'} left out for another reason; the list of posts says which.`,
    run.engagersSeen !== undefined && `It saw ${countOf(run.engagersSeen, 'person', 'people')} under the posts.`,
    (run.postAuthorsCaptured ?? 0) > 0 && `It captured ${countOf(run.postAuthorsCaptured!, 'author')} of posts.`,
    (run.companyAuthorsSkipped ?? 0) > 0 &&
      `${countOf(run.companyAuthorsSkipped!, 'post')} came from a company page, so there was nobody to capture.`,
    run.providerPageLimitReached === true && 'Some posts had more people than the credit limit let it read.',
    run.unappliedFilters !== undefined &&
      run.unappliedFilters.length > 0 &&
      `The network could not apply: ${run.unappliedFilters.join(', ')}.`,
  ]
  return lines.filter((line): line is string => typeof line === 'string')
}
