import { defineConfig } from 'vitest/config'

// Unit tests need nothing; the others get a PostgreSQL from the global setup (embedded, or TEST_DATABASE_URL).
export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'packages/contract/test/**/*.test.ts', 'packages/cli/test/**/*.test.ts', 'packages/server/test/architecture/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'service',
          include: ['packages/server/test/**/*.test.ts'],
          exclude: ['packages/server/test/architecture/**'],
          globalSetup: ['packages/server/test/world/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          // A build must not fail for one race with a busy machine; a test that fails twice has found something.
          retry: process.env.CI ? 1 : 0,
        },
      },
    ],
  },
})
