import type { VendorBreaker } from '../../src/providers/breaker/breaker.ts'

/** A breaker that holds nothing. */
export const neverHeld: VendorBreaker = {
  enter: async () => ({ kind: 'go', failures: 0 }),
  leave: async () => null,
  takeProbe: async () => false,
  listHeld: async () => new Map(),
}
