import { counted, share } from '@les/contract'

const counts = new Intl.NumberFormat('en')
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })
const clocks = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** The time zone all times are shown in: the reader's own. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** A number with thousands apart; a dash for none. */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : counts.format(value)
}

const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** A number with at most one digit behind the point; a dash for none. */
export const decimal = (value: number | null): string => (value === null ? '–' : decimals.format(value))

/** A name cut to a length. */
export const shortened = (name: string, longest: number): string =>
  name.length > longest ? `${name.slice(0, longest)}…` : name

/** A number with its noun: `1 lead`, `2 leads`. */
export const countOf = counted

/** A part of a whole as a percentage; a dash when there is no whole. */
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

/** A span of seconds in the words of its largest unit; negative ones are past. */
function inWords(seconds: number): string {
  let left = seconds
  for (const [unit, size] of steps) {
    if (Math.abs(Math.round(left)) < size) return relative.format(Math.round(left), unit)
    left /= size
  }
  return ''
}

const secondsFrom = (at: string | number | Date, nowMs: number): number => (new Date(at).getTime() - nowMs) / 1000

/**
 * How long ago something was. Never in the future: the present of a page is up to 15 seconds old, and the clock of a browser may be
 * behind that of the service.
 */
export function timeAgo(at: string | number | Date, nowMs: number): string {
  const seconds = secondsFrom(at, nowMs)
  return seconds > -5 ? 'just now' : inWords(seconds)
}

/** How soon something comes; `now` for what is due, and how long ago for what is over by more than a minute. */
export function timeUntil(at: string | number | Date, nowMs: number): string {
  const seconds = secondsFrom(at, nowMs)
  return seconds > -60 && seconds < 5 ? 'now' : inWords(seconds)
}

/** A plan as it is called on every page: by its name, with a capital. */
export const planName = (plan: string): string => plan.charAt(0).toUpperCase() + plan.slice(1)
