/** The privacy desk: who is known, what is held of them, and erasing them for good. */
export { retentionOperations } from './retention/operations.ts'
export { purgeLeads, purgeUnfitLeads } from './retention/purge.ts'
export { privacyOperations } from './operations.ts'
export { eraseRecognised } from './erase.ts'
export { eraseEverywhere, listErasuresOfAll, type TeamErasure } from './operator.ts'
