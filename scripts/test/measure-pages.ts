/**
 * `npm run measure:pages`: what the main pages cost on a slow network, with their budgets
 * (`packages/server/test/dashboard/slow-network.test.ts`).
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const file = 'packages/server/test/dashboard/slow-network.test.ts'
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'service', file, ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: { ...process.env, LES_MEASURE_PAGES: '1' },
  },
)
process.exitCode = status ?? 1
