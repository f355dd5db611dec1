import { defineConfig } from 'vitest/config'

/** What knows no database, or the embedded one alone: a second pass over another database leaves it out. */
const once = ['platform/embedded-postgres', 'process/start', 'process/first-hour', 'simulation/planted-bugs', 'dashboard/pages*', 'dashboard/snippets'].map((name) => `packages/server/test/${name}.test.ts`)

// Unit tests need nothing; the others get a PostgreSQL from the global setup (embedded, or TEST_DATABASE_URL).
export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'packages/contract/test/**/*.test.ts', 'packages/cli/test/**/*.test.ts', 'packages/server/test/architecture/**/*.test.ts'],
          testTimeout: 30_000,
          retry: process.env.CI ? 1 : 0,
        },
      },
      {
        test: {
          name: 'service',
          include: ['packages/server/test/**/*.test.ts'],
          exclude: ['packages/server/test/architecture/**', ...(process.env.LES_TEST_SECOND_PASS === '1' ? once : [])],
          globalSetup: ['packages/server/test/world/global-setup.ts'],
          testTimeout: process.env.CI ? 60_000 : 30_000,
          hookTimeout: process.env.CI ? 120_000 : 60_000,
          maxWorkers: 2,
          // A build must not fail for a race with a busy machine; a test that fails three times has found something.
          retry: process.env.CI ? 2 : 0,
        },
      },
    ],
  },
})
