/** The AI vendors behind the port of `port.ts`. */
export * from './port.ts'
export type { AiLogEntry } from './call.ts'
export type { AiJudgeOptions } from './judge.ts'
export { createAiJudge } from './late.ts'
export { heldJudge } from './held.ts'
