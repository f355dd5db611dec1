/** What becomes of a wait that somebody asks for (`Retry-After`): a vendor, a platform or a receiver, who may ask for anything. */

/** The wait of our own, or the longer one that was asked for, which is kept up to `longestMs`; milliseconds. */
export const askedWait = (ownMs: number, askedMs: number | null | undefined, longestMs: number): number =>
  Math.max(ownMs, Math.min(askedMs ?? 0, longestMs))
