import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { inFirstPassAlone } from './packages/server/test/databases.ts'
import LongestFirst from './scripts/test/longest-first.ts'
import { long, secondPass } from './packages/server/test/world/amount.ts'

const ci = Boolean(process.env.CI)
const seconds = (count: number): number => count * 1_000

// The libraries that every process of the tests loads are compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache/compiled')

// Unit tests need nothing; the others get a PostgreSQL from the global setup (embedded, or TEST_DATABASE_URL).
export default defineConfig({
  test: {
    reporters: ['default', './scripts/test/reporter.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['packages/server/test/world/examples.ts', 'scripts/test/processor-time.ts'],
          // The dashboard's build makes these modules out of values of the contract.
          alias: { 'virtual:values': '@les/contract', 'virtual:operations': '@les/contract' },
          // Pure rules share nothing: loading each file into a process of its own cost more than the tests.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/contract/test/**/*.test.ts',
            'packages/cli/test/**/*.test.ts',
            'packages/server/test/architecture/**/*.test.ts',
          ],
          testTimeout: seconds(30),
          retry: ci ? 1 : 0,
        },
      },
      {
        test: {
          name: 'service',
          setupFiles: ['packages/server/test/world/examples.ts', 'scripts/test/processor-time.ts'],
          include: ['packages/server/test/**/*.test.ts'],
          exclude: ['architecture/**', ...(secondPass ? Object.keys(inFirstPassAlone) : [])].map(
            (name) => `packages/server/test/${name}.test.ts`,
          ),
          globalSetup: ['packages/server/test/world/global-setup.ts'],
          testTimeout: seconds(ci || long ? 120 : 60),
          hookTimeout: seconds(120),
          // What a page shows comes when its answers have come; the bound is for a machine that stands still.
          expect: { poll: { timeout: seconds(20) } },
          // One more than the cores of the smallest machine: a quarter of the run waits for processes, pages and time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          // One process works file after file: loading the service anew, and running it cold, cost a third of the whole run.
          isolate: false,
          // A build is not refused for a machine that stood still; the reporter names and counts every test that needed it.
          retry: ci ? 2 : 0,
        },
      },
    ],
  },
})
