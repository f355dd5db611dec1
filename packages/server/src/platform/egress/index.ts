/** The only place that makes outbound HTTP. */
export { checkDestination } from './destination.ts'
export { isPublicAddress } from './destination.ts'
export { openGuardedEgress } from './guarded.ts'
export { EgressFailure } from './types.ts'
export type { Egress, EgressFailureKind, EgressRequest, EgressResponse, Lookup } from './types.ts'
export { openPooledEgress } from './exchange.ts'
