/** The only place that makes outbound HTTP (design §4). */
export type { DestinationCheck } from './destination.ts'
export { checkDestination, MAX_DESTINATION_LENGTH } from './destination.ts'
export { isPublicAddress } from './destination.ts'
export { type GuardedEgressOptions, openGuardedEgress } from './guarded.ts'
export { EgressFailure } from './types.ts'
export type { Egress, EgressFailureKind, EgressRequest, EgressResponse, Lookup, ResolvedAddress } from './types.ts'
export { openPooledEgress, type PooledEgressOptions } from './exchange.ts'
