import type { Held } from '../../ports.ts'

const lookAgainMs = 10 * 60_000
const dayMs = 86_400_000

/** Held once the cap is reached, until the next UTC day; looked at again every ten minutes, since the cap may be raised meanwhile. */
export function capHolds({ cap, spent }: { readonly cap: number; readonly spent: number }, now: Date): Held | null {
  if (spent < cap) return null
  const midnight = (Math.floor(now.getTime() / dayMs) + 1) * dayMs
  return { reason: 'cap', until: new Date(Math.min(midnight, now.getTime() + lookAgainMs)) }
}
