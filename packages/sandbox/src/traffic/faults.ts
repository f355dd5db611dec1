import { z } from 'zod'
import { randomFrom } from '../world/random.ts'
import { matches, type CallTarget } from './match.ts'

/** Every way a vendor can be made to misbehave. */
export const FAULT_KINDS = [
  'latency',
  'status',
  'status_429',
  'status_500',
  'status_503',
  'per_minute',
  'error_in_200',
  'html_200',
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

/** What `fault` takes: which calls, what happens, and how often (left out: until cleared). */
export const faultSchema = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  vendor: z.string().optional(),
  operation: z.string().optional(),
  match: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  times: z.union([z.number().positive(), z.literal('infinite')]).optional(),
  probability: z.number().min(0).max(1).optional(),
  delayMs: z.number().min(0).optional(),
  retryAfterS: z.number().min(0).optional(),
  /** `status`: the code. `lost_reply`: the work is done and the connection cut, or this code answered. */
  status: z.number().int().min(400).max(599).optional(),
  /** `per_minute`: calls allowed in one minute of the world's clock. */
  limit: z.number().int().min(0).optional(),
  /**
   * `shift_page`: rows of overlap (7). `short_page`: rows served, though the page's place in the list stays as long as ever (3).
   * `null_fields`: the first places of the answer (all).
   */
  rows: z.number().int().positive().optional(),
  /** `missing_fields`: the field names to leave out everywhere. `null_fields`: those that are null (actor, author). */
  fields: z.array(z.string()).optional(),
  /** `company_reactors`: the share of rows that become pages (0.5). */
  ratio: z.number().min(0).max(1).optional(),
  /** `huge_body`: the size of the body (64 MiB). */
  bytes: z.number().int().positive().optional(),
})

/** A rule for misbehaving. */
export type FaultRule = z.input<typeof faultSchema>
/** A rule that is armed, and how often it has been played. */
export type ArmedFault = FaultRule & { id: number; played: number }

/** The armed rules. `draw` takes what applies to a call and counts it as played. */
export type Faults = {
  add(rule: FaultRule): ArmedFault
  list(): ArmedFault[]
  clear(id?: number): void
  draw(call: CallTarget, now: Date): { delayMs: number; fault: FaultRule | undefined }
}

/** Makes an empty rule list; rules with a probability draw from the seed. */
export function createFaults(seed: string): Faults {
  let armed: ArmedFault[] = []
  let lastId = 0
  const minutes = new Map<string, number[]>()
  const fires = (rule: ArmedFault, call: CallTarget, now: Date): boolean => {
    if (!matches(rule, call)) return false
    if (typeof rule.times === 'number' && rule.played >= rule.times) return false
    if (rule.kind === 'per_minute') return overLimit(minutes, rule, { vendor: call.vendor, now })
    if (rule.probability !== undefined && !drawn(seed, rule, minutes)) return false
    return true
  }
  return {
    add(rule) {
      lastId += 1
      const fault = { ...faultSchema.parse(rule), id: lastId, played: 0 }
      armed.push(fault)
      return { ...fault }
    },
    list: () => armed.map((rule) => ({ ...rule })),
    clear(id) {
      armed = id === undefined ? [] : armed.filter((rule) => rule.id !== id)
      minutes.clear()
    },
    draw(call, now) {
      let delayMs = 0
      let fault: FaultRule | undefined
      for (const rule of armed) {
        if (rule.kind !== 'latency' && fault) continue
        if (!fires(rule, call, now)) continue
        rule.played += 1
        delayMs += rule.delayMs ?? (rule.kind === 'latency' ? 200 : 0)
        if (rule.kind !== 'latency') fault = rule
      }
      return { delayMs, fault }
    },
  }
}

function drawn(seed: string, rule: ArmedFault, counters: Map<string, number[]>): boolean {
  const key = `draws ${rule.id}`
  const draws = counters.get(key)?.[0] ?? 0
  counters.set(key, [draws + 1])
  return randomFrom(seed, 'fault', rule.id, draws).chance(rule.probability ?? 1)
}

function overLimit(
  minutes: Map<string, number[]>,
  rule: ArmedFault,
  { vendor, now }: { vendor: string; now: Date },
): boolean {
  const key = `minute ${rule.id} ${vendor}`
  const since = now.getTime() - 60_000
  const recent = (minutes.get(key) ?? []).filter((at) => at > since)
  const over = recent.length >= (rule.limit ?? 30)
  if (!over) recent.push(now.getTime())
  minutes.set(key, recent)
  return over
}
