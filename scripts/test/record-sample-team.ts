/** `npm run record:sample-team`: records the sample team's rows (`packages/server/test/dashboard/record-sample-team.test.ts`). */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const file = 'packages/server/test/dashboard/record-sample-team.test.ts'
const { status } = spawnSync(process.execPath, [vitest, 'run', file, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, LES_RECORD_SAMPLE_TEAM: '1' },
})
process.exitCode = status ?? 1
