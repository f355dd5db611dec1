/** Pure: what a preview adds up to, and how a send is cut into parts. */
import type { SendReason } from '@les/contract'
import { askedWait } from '../../../../platform/rules/asked-wait.ts'

/** How many have a reason. */
export type Line = { readonly reason: SendReason; readonly count: number }

/** The reasons of those who go. */
const going: readonly SendReason[] = ['now', 'after_enrichment', 'endpoint_off']

/** True for a reason of those who go. */
export const goes = (reason: SendReason): boolean => going.includes(reason)

/** How many of some lines go. */
export const countGoing = (lines: readonly Line[]): number =>
  lines.reduce((sum, { reason, count }) => sum + (goes(reason) ? count : 0), 0)

/** Lines of the same reason added up: those who go first, then the most; none that is zero. */
export function addLines(lines: readonly Line[]): Line[] {
  const sums = new Map<SendReason, number>()
  for (const { reason, count } of lines) sums.set(reason, (sums.get(reason) ?? 0) + count)
  return [...sums]
    .map(([reason, count]) => ({ reason, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => Number(goes(b.reason)) - Number(goes(a.reason)) || b.count - a.count)
}

/** Cuts a list into parts of at most `size`, in order. */
export const cut = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))

/** The host of an address, for people to recognise; null of what is no address. */
export const hostOf = (url: string | null): string | null => (url === null ? null : (URL.parse(url)?.host ?? null))

/** Service time between a yes and the first part: as long as it can be undone. */
export const undoMs = 10_000

const minute = 60_000
const longestAskedMs = 24 * 60 * 60_000
const waits = [minute, 5 * minute, 15 * minute, 60 * minute] as const

/**
 * When a send is tried again after the outreach platform was away so many times before, in service time, and not before it asked to be;
 * null: not again.
 */
export function nextTryAt(attempts: number, now: Date, askedMs = 0): Date | null {
  const wait = waits[attempts]
  return wait === undefined ? null : new Date(now.getTime() + askedWait(wait, askedMs, longestAskedMs))
}
