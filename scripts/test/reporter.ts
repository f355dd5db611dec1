import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestModule } from 'vitest/node'

const shown = 20

function spentMs(file: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = file.diagnostic()
  return environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
}

/** Differing lines of a comparison, to find why a test passed only on retry. */
const changedLines = (diff: string | undefined): string =>
  stripVTControlCharacters(diff ?? '')
    .split('\n')
    .filter((line) => /^[+-] /.test(line))
    .slice(0, 12)
    .map((line) => `\n      ${line.slice(0, 1_000)}`)
    .join('')

/** Prints the slowest files, and the tests that passed only on retry; used in addition to the default reporter. */
export default class SlowestAndRetried implements Reporter {
  onTestRunEnd(files: readonly TestModule[]): void {
    const name = (file: TestModule) => relative(process.cwd(), file.moduleId)
    const slowest = files.map((file) => ({ file, ms: spentMs(file) })).sort((one, other) => other.ms - one.ms)
    const allMs = slowest.reduce((sum, { ms }) => sum + ms, 0)
    if (files.length > shown) {
      console.log(
        `\nThe slowest ${shown} of ${files.length} test files (${(allMs / 1000).toFixed(0)} s in all, over the workers):`,
      )
      for (const { file, ms } of slowest.slice(0, shown))
        console.log(`  ${(ms / 1000).toFixed(1).padStart(7)} s  ${name(file)}`)
    }
    const retried = files.flatMap((file) =>
      [...file.children.allTests()]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => ({ file, test })),
    )
    console.log(`Tests that needed another try: ${retried.length}`)
    for (const { file, test } of retried)
      console.log(
        `  ${name(file)}: ${test.fullName} (${test.diagnostic()!.retryCount} more, ${test.result().state})${(
          test.result().errors ?? []
        )
          .slice(0, 1)
          .map(({ message, diff }) => `: ${message.split('\n')[0]!.slice(0, 200)}${changedLines(diff)}`)
          .join('')}`,
      )
  }
}
