/** Call log, faults, holds, and the limit on concurrent calls. */
import { z } from 'zod'
import { randomFrom } from './world/random.ts'

const matchSchema = z.strictObject({
  vendor: z.string().optional(),
  operation: z.string().optional(),
  match: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})

type CallMatch = z.input<typeof matchSchema>

type CallTarget = { vendor: string; operation: string; query: Record<string, string> }

/** A query value of 8 or more characters also matches inside a longer one (an id in a URL). */
function matches(rule: CallMatch, call: CallTarget): boolean {
  if (rule.vendor !== undefined && rule.vendor !== call.vendor) return false
  if (rule.operation !== undefined && rule.operation !== call.operation) return false
  return Object.entries(rule.match ?? {}).every(([key, value]) => {
    const wanted = String(value)
    const sent = call.query[key]
    return sent !== undefined && (sent === wanted || (wanted.length >= 8 && sent.includes(wanted)))
  })
}

type CallStatus = number | 'open' | 'waiting' | 'hanging' | 'reset' | 'gone'

/** A call to a vendor; `at` is the world's time, `fault` the fault that was applied. */
export type Call = CallTarget & { number: number; at: string; status: CallStatus; fault?: string }

const KEPT_CALLS = 20_000

/** Logs the last 20,000 vendor calls, oldest first. */
export function createCallLog() {
  let calls: Call[] = []
  let number = 0
  return {
    open({ at, ...made }: CallTarget & { at: Date }): Call {
      number += 1
      const call: Call = { number, ...made, at: at.toISOString(), status: 'open' }
      calls.push(call)
      if (calls.length > KEPT_CALLS * 1.1) calls = calls.slice(-KEPT_CALLS)
      return call
    },
    list: (filter: CallMatch & { status?: CallStatus | undefined } = {}): Call[] =>
      calls
        .filter((call) => matches(filter, call) && (filter.status === undefined || filter.status === call.status))
        .map((call) => ({ ...call })),
    clear() {
      calls = []
    },
  }
}

export const FAULT_KINDS = [
  'latency',
  'status',
  'status_429',
  'status_500',
  'status_503',
  'per_minute',
  'error_in_200',
  'html_200',
  'html_502',
  'quota',
  'truncated_json',
  'duplicate_page',
  'shift_page',
  'short_page',
  'empty_more',
  'endless',
  'missing_fields',
  'null_fields',
  'bare_handles',
  'company_reactors',
  'hostile_text',
  'huge_body',
  'reset',
  'hang',
  'not_found',
  'lost_reply',
  'ai_extra',
  'ai_missing',
  'ai_duplicate',
  'ai_renamed',
  'ai_shape',
  'ai_prose',
  'ai_wrapped',
  'ai_twice',
  'ai_cut',
  'ai_obey',
] as const

const faultSchema = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  ...matchSchema.shape,
  times: z.union([z.number().positive(), z.literal('infinite')]).optional(),
  probability: z.number().min(0).max(1).optional(),
  delayMs: z.number().min(0).optional(),
  retryAfterS: z.number().min(0).optional(),
  retryAs: z.enum(['seconds', 'date']).optional(),
  /** `status`: the code. `lost_reply`: do the work, then cut the connection or answer this code. */
  status: z.number().int().min(400).max(599).optional(),
  /** `per_minute`: calls allowed per minute of the world's clock. */
  limit: z.number().int().min(0).optional(),
  /** `shift_page`: overlapping rows (7). `short_page`: rows served (3), same offsets. `null_fields`: places affected (all). */
  rows: z.number().int().positive().optional(),
  /** `missing_fields`: names to drop everywhere. `null_fields`: names to set to null (actor, author). */
  fields: z.array(z.string()).optional(),
  /** `company_reactors`: share of rows that become pages (0.5). */
  ratio: z.number().min(0).max(1).optional(),
  /** `huge_body` (64 MiB). */
  bytes: z.number().int().positive().optional(),
})

export type FaultRule = z.input<typeof faultSchema>
type ArmedFault = FaultRule & { id: number; played: number }

/** An empty list of faults; `probability` draws from the seed. */
export function createFaults(seed: string) {
  let armed: ArmedFault[] = []
  let lastId = 0
  const draws = new Map<number, number>()
  const minutes = new Map<string, number[]>()
  const isDrawn = ({ id, probability = 1 }: ArmedFault): boolean => {
    const drawn = draws.get(id) ?? 0
    draws.set(id, drawn + 1)
    return randomFrom(seed, 'fault', id, drawn).chance(probability)
  }
  const isOverLimit = ({ id, limit = 30 }: ArmedFault, vendor: string, now: Date): boolean => {
    const recent = (minutes.get(`${id} ${vendor}`) ?? []).filter((at) => at > now.getTime() - 60_000)
    const isOver = recent.length >= limit
    minutes.set(`${id} ${vendor}`, isOver ? recent : [...recent, now.getTime()])
    return isOver
  }
  const applies = (rule: ArmedFault, call: CallTarget, now: Date): boolean => {
    if (!matches(rule, call)) return false
    if (typeof rule.times === 'number' && rule.played >= rule.times) return false
    if (rule.kind === 'per_minute') return isOverLimit(rule, call.vendor, now)
    return rule.probability === undefined || isDrawn(rule)
  }
  return {
    add(rule: FaultRule): ArmedFault {
      const fault = { ...faultSchema.parse(rule), id: lastId + 1, played: 0 }
      lastId += 1
      armed.push(fault)
      return { ...fault }
    },
    list: (): ArmedFault[] => armed.map((rule) => ({ ...rule })),
    clear(id?: number): void {
      armed = id === undefined ? [] : armed.filter((rule) => rule.id !== id)
      draws.clear()
      minutes.clear()
    },
    /** Returns the fault that applies to a call, and counts it as played. */
    draw(call: CallTarget, now: Date): { delayMs: number; fault: FaultRule | undefined } {
      let delayMs = 0
      let fault: FaultRule | undefined
      for (const rule of armed) {
        if (rule.kind !== 'latency' && fault) continue
        if (!applies(rule, call, now)) continue
        rule.played += 1
        delayMs += rule.delayMs ?? (rule.kind === 'latency' ? 200 : 0)
        if (rule.kind !== 'latency') fault = rule
      }
      return { delayMs, fault }
    },
  }
}

const releaseSchema = matchSchema.extend({ count: z.number().int().positive().optional() })

type Waiter = { call: CallTarget; hanging: boolean; go: () => void }

/** An empty set of holds, under which calls wait until they are released. */
export function createHolds() {
  let rules: CallMatch[] = []
  let waiters: Waiter[] = []
  let watchers: Array<{ count: number; filter: CallMatch; done: () => void }> = []
  const waiting = (filter: CallMatch = {}): number => waiters.filter((waiter) => matches(filter, waiter.call)).length
  const isHeld = (call: CallTarget): boolean => rules.some((rule) => matches(rule, call))
  const letGo = (list: Waiter[]): void => {
    waiters = waiters.filter((waiter) => !list.includes(waiter))
    for (const waiter of list) waiter.go()
  }
  const notify = (): void => {
    const ready = watchers.filter((watcher) => waiting(watcher.filter) >= watcher.count)
    watchers = watchers.filter((watcher) => !ready.includes(watcher))
    for (const watcher of ready) watcher.done()
  }
  return {
    isHeld,
    waiting,
    hold(rule: CallMatch = {}): void {
      rules.push(matchSchema.parse(rule))
    },
    release(which: z.input<typeof releaseSchema> = {}): void {
      const { count, ...filter } = releaseSchema.parse(which)
      const covered = waiters.filter((waiter) => matches(filter, waiter.call))
      if (count === undefined) rules = rules.filter((rule) => !covers(filter, rule))
      letGo(
        count === undefined
          ? covered.filter((waiter) => waiter.hanging || !isHeld(waiter.call))
          : covered.slice(0, count),
      )
    },
    /** Waits while a hold applies, or (`hanging`) until any release that covers the call; ends early when `gone` aborts. */
    wait(call: CallTarget, gone: AbortSignal, hanging = false): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const waiter: Waiter = { call, hanging, go: resolve }
      waiters.push(waiter)
      gone.addEventListener('abort', () => letGo([waiter]), { once: true })
      if (gone.aborted) letGo([waiter])
      notify()
      return promise
    },
    /** Resolves when at least `count` matching calls wait. */
    untilWaiting(count = 1, filter: CallMatch = {}): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      watchers.push({ count, filter, done: resolve })
      notify()
      return promise
    },
  }
}

function covers(filter: CallMatch, rule: CallMatch): boolean {
  if (filter.vendor !== undefined && filter.vendor !== rule.vendor) return false
  if (filter.operation !== undefined && filter.operation !== rule.operation) return false
  return Object.entries(filter.match ?? {}).every(([key, value]) => String(rule.match?.[key]) === String(value))
}

/** Per account: `limit` calls run, `queue` more wait, the rest are refused. */
export function createAdmission() {
  const accounts = new Map<string, { inside: number; queued: Array<() => void> }>()
  return {
    async enter(account: string, limit: number, queue: number): Promise<boolean> {
      const state = accounts.get(account) ?? { inside: 0, queued: [] }
      accounts.set(account, state)
      if (state.inside < limit) {
        state.inside += 1
        return true
      }
      if (state.queued.length >= queue) return false
      const { promise, resolve } = Promise.withResolvers<void>()
      state.queued.push(resolve)
      await promise
      return true
    },
    leave(account: string): void {
      const state = accounts.get(account)!
      const next = state.queued.shift()
      if (next) next()
      else state.inside -= 1
    },
  }
}
