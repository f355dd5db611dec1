/** In-memory rate windows while the database cannot write: reads continue and stay limited. */
import { describeWindow, windowMs, type RateBucket, type RateWindow } from './rules/rate.ts'

export type FallbackRateWindows = {
  count(of: { readonly teamId: string; readonly bucket: RateBucket }, limit: number, now: Date): RateWindow
}

const most = 10_000

/** Opens empty windows. */
export function openFallbackRateWindows(): FallbackRateWindows {
  const windows = new Map<string, { openedAt: Date; used: number }>()
  const isOver = ({ openedAt }: { openedAt: Date }, now: Date) =>
    Math.abs(now.getTime() - openedAt.getTime()) >= windowMs
  return {
    count: ({ teamId, bucket }, limit, now) => {
      const name = `${teamId} ${bucket}`
      const held = windows.get(name)
      if (held && !isOver(held, now)) {
        const refused = held.used >= limit
        if (!refused) held.used += 1
        return describeWindow({ ...held, refused }, limit)
      }
      if (windows.size >= most) for (const [other, window] of windows) if (isOver(window, now)) windows.delete(other)
      const opened = { openedAt: now, used: 1 }
      windows.set(name, opened)
      return describeWindow({ ...opened, refused: false }, limit)
    },
  }
}
