/** The fault points that `capture` passes, with what each lies between. */

/** By name. */
export const captureFaultPoints = {
  'capture.leased': 'a run was leased, nothing fetched',
  'capture.page-fetched': 'a vendor page is here, nothing written',
  'capture.people-written': 'people and leads of a page written, not charged, not committed',
  'capture.charged': 'a page charged, cursor not moved, not committed',
  'capture.before-commit': 'a page complete, not committed',
  'capture.after-commit': 'a page committed, the next not begun',
  'capture.posts-written': 'the posts of a run listed, not committed',
  'capture.before-close': 'a run at its end, not closed',
  'capture.closed': 'a run closed, not committed',
} as const

type CaptureFaultPoints = typeof captureFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends CaptureFaultPoints {}
}
