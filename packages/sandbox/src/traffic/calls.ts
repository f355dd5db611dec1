import { matches, type CallMatch } from './match.ts'

/** How a call ended, or that it has not: a status code, or a word. */
export type CallStatus = number | 'open' | 'waiting' | 'hanging' | 'reset' | 'gone'

/** One call a client made to a vendor; `at` is the world's time, `fault` the fault that was played. */
export type Call = {
  number: number
  vendor: string
  operation: string
  query: Record<string, string>
  at: string
  status: CallStatus
  fault?: string
}

/** Which calls to list. */
export type CallFilter = CallMatch & { status?: CallStatus | undefined }

/** The log of vendor calls, oldest first; it keeps the last 20,000. */
export type CallLog = {
  open(made: { vendor: string; operation: string; query: Record<string, string>; at: Date }): Call
  list(filter?: CallFilter): Call[]
  clear(): void
}

const KEPT = 20_000

/** Makes an empty log. */
export function createCallLog(): CallLog {
  let calls: Call[] = []
  let number = 0
  return {
    open({ vendor, operation, query, at }) {
      number += 1
      const call: Call = { number, vendor, operation, query, at: at.toISOString(), status: 'open' }
      calls.push(call)
      if (calls.length > KEPT * 1.1) calls = calls.slice(-KEPT)
      return call
    },
    list: (filter = {}) =>
      calls
        .filter((call) => matches(filter, call) && (filter.status === undefined || filter.status === call.status))
        .map((call) => ({ ...call })),
    clear() {
      calls = []
    },
  }
}
