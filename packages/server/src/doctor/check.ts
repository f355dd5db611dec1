/** What a check of the doctor is, works with and finds. */
import type { Config } from '../config/config.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Egress } from '../platform/egress/index.ts'
import type { Random } from '../platform/random.ts'

/** What a check found. `bad` makes the doctor end with 1; everything that is not `ok` says in `advice` what to do. */
export type Finding =
  | { readonly level: 'ok' | 'skipped'; readonly text: string; readonly advice?: string }
  | { readonly level: 'warn' | 'bad'; readonly text: string; readonly advice: string }

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const skipped = (text: string, advice?: string): Finding => ({
  level: 'skipped',
  text,
  ...(advice === undefined ? {} : { advice }),
})
export const warn = (text: string, advice: string): Finding => ({ level: 'warn', text, advice })
export const bad = (text: string, advice: string): Finding => ({ level: 'bad', text, advice })

export type DoctorParts = {
  readonly config: Config
  /** True when calls that cost something may be made: at most a cent or two in all. */
  readonly deep: boolean
  readonly egress: Egress
  readonly system: SystemClock
  readonly random: Random
}

/** One check. It changes nothing, asks within some seconds, and what it throws is told as a finding that is bad. */
export type Check = {
  /** One word: `vendors`, `mail`. */
  readonly name: string
  readonly about: string
  readonly run: (parts: DoctorParts) => Promise<readonly Finding[]>
}
