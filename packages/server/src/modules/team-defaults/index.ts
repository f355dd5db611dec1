/** The public face of team defaults. */
export { trackingWithDefaults } from './at-tracking.ts'
export { teamDefaultOperations, type TeamDefaultOperationId } from './operations.ts'
