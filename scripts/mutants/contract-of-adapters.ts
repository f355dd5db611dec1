/** What the adapters take of the contract: its values, and the words for a network that is of no use. The rest is not loaded for them. */
export * from '../../packages/contract/src/values/index.ts'
export { networkTrouble } from '../../packages/contract/src/words/runs.ts'
