/** Our own wait, or a longer one that another party asks for (`Retry-After`), up to `longestMs`; milliseconds. */
export const askedWait = (ownMs: number, askedMs: number | null | undefined, longestMs: number): number =>
  Math.max(ownMs, Math.min(askedMs ?? 0, longestMs))
