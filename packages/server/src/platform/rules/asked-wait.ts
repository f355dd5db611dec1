/**
 * Our own wait, or the longer one that another party asks for (`Retry-After`), honoured up to `longestMs` since it may ask for
 * anything; milliseconds.
 */
export const askedWait = (ownMs: number, askedMs: number | null | undefined, longestMs: number): number =>
  Math.max(ownMs, Math.min(askedMs ?? 0, longestMs))
