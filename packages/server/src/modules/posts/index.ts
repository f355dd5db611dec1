/** Posts and engagement read from the network on request. */
export { postsFaultPoints } from './fault-points.ts'
export { postsJobWork, type PostsJobDeps } from './jobs.ts'
export { postReadOperations, type PostOperationDeps } from './operations.ts'
export { purgePages } from './store.ts'
export { inTurn, turnBounds, type TurnBounds } from './turns.ts'
