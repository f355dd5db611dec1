/** What a fault or a hold applies to; everything left out matches. */
export type CallMatch = {
  vendor?: string | undefined
  operation?: string | undefined
  match?: Record<string, string | number> | undefined
}

/** The part of a call that rules look at. */
export type CallTarget = { vendor: string; operation: string; query: Record<string, string> }

/** Whether a rule applies to a call; a query value of 8 or more characters also matches inside a longer one (an id in a URL). */
export function matches(rule: CallMatch, call: CallTarget): boolean {
  if (rule.vendor !== undefined && rule.vendor !== call.vendor) return false
  if (rule.operation !== undefined && rule.operation !== call.operation) return false
  return Object.entries(rule.match ?? {}).every(([key, value]) => {
    const wanted = String(value)
    const sent = call.query[key]
    return sent !== undefined && (sent === wanted || (wanted.length >= 8 && sent.includes(wanted)))
  })
}
