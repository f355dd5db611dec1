/** Work that would only find every vendor held: it is not even claimed, however much of it waits, until one of them is free. */
import { eachKind, type JobKind } from '../job-catalog.ts'
import type { WorkState } from './due.ts'
import type { Steps } from './lanes.ts'

/** Kinds of which a unit always asks the network, and of which there may be hundreds of thousands. */
const kinds: readonly JobKind[] = ['enrichment']

/** The same steps; those of these kinds find nothing while all vendors of data are held. */
export function heldBack(steps: Steps, allHeld: () => Promise<boolean>): Steps {
  return eachKind((kind) =>
    kinds.includes(kind) ? async (closing) => ((await allHeld()) ? 'idle' : steps[kind](closing)) : steps[kind],
  )
}

/** What is due without what is held back, so that nobody waits for it. */
export async function withoutHeld(state: WorkState, allHeld: () => Promise<boolean>): Promise<WorkState> {
  const waiting = state.kinds.filter((kind) => kinds.includes(kind))
  if (waiting.length === 0 || !(await allHeld())) return state
  return { ...state, kinds: state.kinds.filter((kind) => !kinds.includes(kind)) }
}
