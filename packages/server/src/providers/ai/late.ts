/** The judge, loaded with the first question: the vendors' packages are a fifth of what a start reads, and most processes never ask one. */
import type { AiJudgeOptions } from './judge.ts'
import type { AiJudge } from './port.ts'

/** Opens the judge over the vendors' own wire formats. */
export function createAiJudge(options: AiJudgeOptions): AiJudge {
  let loaded: Promise<AiJudge> | undefined
  const load = () => (loaded ??= import('./judge.ts').then((judge) => judge.createAiJudge(options)))
  return {
    judge: async (question) => (await load()).judge(question),
    check: async (vendor, key, how) => (await load()).check(vendor, key, how),
  }
}
