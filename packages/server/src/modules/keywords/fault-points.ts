/** The fault points that `keywords` passes, with what each lies between. */

/** By name. */
export const keywordsFaultPoints = {
  'keyword.leased': 'a run that searches was leased, nothing fetched',
  'keyword.page-fetched': 'a page of found posts is here, nothing written',
  'keyword.posts-written': 'found posts judged and written, not taken into the run, not charged, not committed',
  'keyword.judged': 'the verdicts of an AI are here, nothing written',
  'keyword.verdicts-written': 'the verdicts of an AI written, the posts not taken into the run, not committed',
  'keyword.before-commit': 'a page of found posts or the verdicts on some complete, not committed',
  'keyword.after-commit': 'a unit of a search committed, the next not begun',
  'keyword.handed-over': 'a run handed over to capture, or closed, not committed',
} as const

type KeywordsFaultPoints = typeof keywordsFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends KeywordsFaultPoints {}
}
