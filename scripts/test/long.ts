/** `npm run test:long`: every test, long ones in full (`packages/server/test/world/amount.ts`). Arguments go to vitest. */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, LES_TEST_LONG: '1' },
})
process.exitCode = status ?? 1
