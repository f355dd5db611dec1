import type { Config } from '../config/config.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Egress } from '../platform/egress/index.ts'
import type { Random } from '../platform/random.ts'

/** A check's finding. `bad` makes the doctor exit with 1. */
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
  /** Calls that cost money are allowed: a cent or two in all. */
  readonly deep: boolean
  readonly egress: Egress
  readonly system: SystemClock
  readonly random: Random
}

/** A check changes nothing and takes seconds; what it throws becomes a bad finding. */
export type Check = {
  /** One word: `vendors`, `mail`. */
  readonly name: string
  readonly about: string
  readonly run: (parts: DoctorParts) => Promise<readonly Finding[]>
}
