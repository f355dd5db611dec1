import { erasePersonFromAgents } from '../modules/agent/index.ts'
import type { BlockList } from '../modules/network/index.ts'
import { erasePersonFromSends } from '../modules/reports/index.ts'
import { forgetAnswersOf } from '../worker/kept-answers.ts'
import type { Base } from './base.ts'

export const erasersAbovePrivacy = {
  eraseFromAgents: erasePersonFromAgents,
  eraseFromSends: erasePersonFromSends,
} as const

/** Everything that erasing a person needs. */
export const erasingParts = ({ faults, sandbox }: Base, blockList: BlockList) => ({
  blockList,
  faultPoint: faults.faultPoint,
  forgetAnswers: forgetAnswersOf,
  forgetInSandbox: (handles: readonly string[]) => sandbox?.world.forget(handles),
  ...erasersAbovePrivacy,
})
