/** What erasing people works with: what modules above `privacy` hold of them, and what is kept outside of modules. */
import { erasePersonFromAgents } from '../modules/agent/index.ts'
import type { BlockList } from '../modules/network/index.ts'
import { erasePersonFromSends } from '../modules/reports/index.ts'
import { forgetAnswersOf } from '../worker/kept-answers.ts'
import type { Base } from './base.ts'

/** What modules above `privacy` hold of people, and how it goes. */
export const erasersAbovePrivacy = {
  eraseFromAgents: erasePersonFromAgents,
  eraseFromSends: erasePersonFromSends,
} as const

/** All that takes a person out. */
export const erasingParts = ({ faults, sandbox }: Base, blockList: BlockList) => ({
  blockList,
  faultPoint: faults.faultPoint,
  forgetAnswers: forgetAnswersOf,
  forgetInSandbox: (handles: readonly string[]) => sandbox?.world.forget(handles),
  ...erasersAbovePrivacy,
})
