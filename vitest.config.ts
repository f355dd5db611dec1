import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { inFirstPassAlone } from './packages/server/test/databases.ts'
import LongestFirst from './scripts/test/longest-first.ts'
import { long } from './packages/server/test/world/amount.ts'

const ci = Boolean(process.env.CI)
const seconds = (count: number): number => count * 1_000

// The libraries that every process of the tests loads are compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache/compiled')

const inTest = (name: string): string => `packages/server/test/${name}.test.ts`
const once = Object.keys(inFirstPassAlone).map(inTest)

/** Tests of the service; `order`: files of one project after those of the other, as a process works for one project. */
const service = (
  name: string,
  order: number,
  files: { readonly include: string[]; readonly exclude?: string[]; readonly env?: Record<string, string> },
) => ({
  test: {
    name,
    ...files,
    setupFiles: ['packages/server/test/world/examples.ts'],
    globalSetup: ['packages/server/test/world/global-setup.ts'],
    testTimeout: seconds(ci || long ? 120 : 60),
    hookTimeout: seconds(120),
    // What a page shows comes when its answers have come; the bound is for a machine that stands still.
    expect: { poll: { timeout: seconds(20) } },
    // One more than the cores of the smallest machine: a quarter of the run waits for processes, pages and time.
    maxWorkers: 3,
    sequence: { groupOrder: order },
    // One process works file after file: loading the service anew, and running it cold, cost a third of the whole run.
    isolate: false,
    // A build is not refused for a machine that stood still; the reporter names and counts every test that needed it.
    retry: ci ? 2 : 0,
  },
})

// Unit tests need nothing; the others get a PostgreSQL from the global setup (embedded, or TEST_DATABASE_URL).
export default defineConfig({
  test: {
    reporters: ['default', './scripts/test/reporter.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['packages/server/test/world/examples.ts'],
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
      service('service-once', 1, { include: once, env: { LES_TEST_SHARDS: '3' } }),
      service('service', 2, {
        include: ['packages/server/test/**/*.test.ts'],
        exclude: [inTest('architecture/**'), ...once],
      }),
    ],
  },
})
