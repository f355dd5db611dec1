/** The privacy desk: finds, exports and erases people, and sets how long leads are kept. */
export { retentionOperations } from './retention/operations.ts'
export { purgeLeads, purgeUnfitLeads } from './retention/purge.ts'
export { privacyOperations } from './operations.ts'
export { eraseRecognised } from './erase.ts'
export { eraseEverywhere, listErasuresOfAll, type TeamErasure } from './operator.ts'
