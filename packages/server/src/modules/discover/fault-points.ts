/** The fault points that `discover` passes, with what each lies between. */

/** By name. */
export const discoverFaultPoints = {
  'discover.leased': 'a search for people was leased, nothing fetched',
  'discover.page-fetched': 'a page of a search for people is here, nothing written',
  'discover.profile-fetched': 'a profile looked up for its country is here, nothing written',
  'discover.people-written': 'people found are leads, not charged, not committed',
  'discover.charged': 'people found are charged, not marked as added, not committed',
  'discover.before-commit': 'a step of a search for people complete, not committed',
  'discover.after-commit': 'a step of a search for people committed, the next not begun',
} as const

type DiscoverFaultPoints = typeof discoverFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends DiscoverFaultPoints {}
}
