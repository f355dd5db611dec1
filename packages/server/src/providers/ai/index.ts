/** The AI vendors behind the port of `port.ts`. */
export * from './port.ts'
export { type AiJudgeOptions, type AiLogEntry, createAiJudge } from './judge.ts'
export { heldJudge } from './held.ts'
