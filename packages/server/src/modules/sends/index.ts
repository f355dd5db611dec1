/** The public face of sends: previews, sends that can be undone, and the work that carries them out. */
export { sendsFaultPoints } from './fault-points.ts'
export { sendWork } from './jobs.ts'
export { sendOperations, type SendOperationId } from './operations.ts'
export { purgeSends } from './store.ts'
