/** The fault points that `posts` passes, with what each lies between. */

/** By name. */
export const postsFaultPoints = {
  'posts-read.fetched': 'an untracked read is here and its credits are held, nothing charged',
} as const

type PostsFaultPoints = typeof postsFaultPoints
declare module '../../../platform/faults.ts' {
  interface FaultPoints extends PostsFaultPoints {}
}
