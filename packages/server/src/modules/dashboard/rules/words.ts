/** The words of runs are the contract's; here they are held to what runs can come to. */
import {
  waits as waitsInWords,
  type StopReason as StopReasonInWords,
  type WaitsFor as WaitsForInWords,
} from '@les/contract'
import type { RunStop } from '../../capture/index.ts'
import type { RunState, WaitsFor } from '../../sources/index.ts'

export { failures, isStarved, runInWords, type RunFacts, type StopReason } from '@les/contract'

/** Whatever stops a run has words: a new way to stop does not compile without them. */
type Covered<All, _Some extends All> = true
export type EveryStopIsSaid = Covered<StopReasonInWords, RunStop>
export type EveryWaitIsSaid = Covered<WaitsForInWords, WaitsFor>
export type EveryStateIsSaid = Covered<import('@les/contract').RunFacts['state'], RunState>

/** What an open run waits for. */
export const waits: Readonly<Record<WaitsFor, string>> = waitsInWords
