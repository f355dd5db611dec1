/** Every credit explained: reads across modules. */
export { reportOperations } from './operations.ts'
