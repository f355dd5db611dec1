/** What the time that was last seen says of the clock of now. Pure. */

/** What is kept of the clock: `seen` in service time, `seenMs` in system time, and where it stood after it last leapt forward. */
export type ClockMark = { readonly seen: Date; readonly seenMs: number; readonly leaptTo: Date | null }

/** A clock that was set back: what was put at `from` or later may have been put there by the wrong one, which was ahead by `byMs`. */
export type SetBack = { readonly from: Date; readonly byMs: number }

/** Less than this is how clocks of machines differ, and how they are corrected all day. */
const toleratedMs = 120_000

/** The mark is looked at every minute: a gap beyond a few says that the clock leapt, or that nobody looked. */
const leapMs = 300_000
const rememberedMs = 7 * 24 * 3_600_000

/** The mark of now, and whether the clock was set back since the last. */
export function judgeClock(
  last: ClockMark | null,
  now: Date,
  nowMs: number,
): { readonly mark: ClockMark; readonly back: SetBack | null } {
  if (last === null) return { mark: { seen: now, seenMs: nowMs, leaptTo: null }, back: null }
  const aheadMs = Math.max(last.seen.getTime() - now.getTime(), last.seenMs - nowMs)
  if (aheadMs > toleratedMs) {
    // Where it leapt to is the earliest that it can have written; what was put before that was put by a clock that was right.
    const from = last.leaptTo !== null && last.leaptTo > now ? last.leaptTo : now
    return { mark: { seen: now, seenMs: nowMs, leaptTo: null }, back: { from, byMs: aheadMs } }
  }
  const remembered =
    last.leaptTo !== null && now.getTime() - last.leaptTo.getTime() < rememberedMs ? last.leaptTo : null
  const leapt = now.getTime() - last.seen.getTime() > leapMs
  // The earliest of several: all that was written since is in question.
  const leaptTo = remembered ?? (leapt ? now : null)
  return {
    mark: { seen: now > last.seen ? now : last.seen, seenMs: Math.max(nowMs, last.seenMs), leaptTo },
    back: null,
  }
}
