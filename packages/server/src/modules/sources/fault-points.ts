/** The fault points that `sources` passes, with what each lies between. */

/** By name. */
export const sourcesFaultPoints = {
  mode_read: 'reading the current mode of a source in an edit',
  'track.before-commit': 'source and first sync written, not committed',
  'clock.sync-opened': 'a due source has its sync row, not committed',
} as const

type SourcesFaultPoints = typeof sourcesFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends SourcesFaultPoints {}
}
