import { counted, share } from '@les/contract'

const counts = new Intl.NumberFormat('en')
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })
const clocks = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** The time zone of all times shown: the reader's. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** A number with thousands separators; a dash for none. */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : counts.format(value)
}

const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** A number with at most one decimal; a dash for none. */
export const decimal = (value: number | null): string => (value === null ? '–' : decimals.format(value))

export const shortened = (name: string, longest: number): string =>
  name.length > longest ? `${name.slice(0, longest)}…` : name

/** A number with its noun: `1 lead`, `2 leads`. */
export const countOf = counted

export { share }

/** Credits in words: `1 credit`, `1,200 credits`. */
export function credits(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : countOf(value, 'credit')
}

/** Date and time with the zone: `21 Nov 2026, 10:02:03 (Europe/Paris)`. */
export function absoluteTime(at: string | number | Date): string {
  return `${absolute.format(new Date(at))} (${timeZone})`
}

/** The time of day in the reader's zone: `14:05`. */
export function timeOfDay(at: string | number | Date): string {
  return clocks.format(new Date(at))
}

export function day(at: string | number | Date): string {
  return days.format(new Date(at))
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
]

/** Seconds in words, by the largest unit; negative is past. */
function inWords(seconds: number): string {
  let left = seconds
  for (const [unit, size] of steps) {
    if (Math.abs(Math.round(left)) < size) return relative.format(Math.round(left), unit)
    left /= size
  }
  return ''
}

const secondsFrom = (at: string | number | Date, nowMs: number): number => (new Date(at).getTime() - nowMs) / 1000

/** How long ago something was. Never future, since `useNow` lags up to 15 seconds and the browser's clock may be behind. */
export function timeAgo(at: string | number | Date, nowMs: number): string {
  const seconds = secondsFrom(at, nowMs)
  return seconds > -5 ? 'just now' : inWords(seconds)
}

/** How soon something comes; `now` from 5 seconds before to a minute after, then how long ago. */
export function timeUntil(at: string | number | Date, nowMs: number): string {
  const seconds = secondsFrom(at, nowMs)
  return seconds > -60 && seconds < 5 ? 'now' : inWords(seconds)
}

export const planName = (plan: string): string => plan.charAt(0).toUpperCase() + plan.slice(1)
