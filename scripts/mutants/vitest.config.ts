/** The tests that need no database, as one project: what mutation testing runs against each changed line. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Stryker runs this file inside its copy of the checkout, whose node_modules lead back to the original packages:
// without these aliases a test would load code that nothing was changed in.
const packages = join(dirname(fileURLToPath(import.meta.url)), '../../packages')
const alias = Object.fromEntries(
  ['cli', 'contract', 'mcp', 'sandbox'].map((name) => [`@les/${name}`, join(packages, name, 'src/index.ts')]),
)

export default defineConfig({
  resolve: { alias },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/contract/test/**/*.test.ts',
      'packages/server/test/providers/*.test.ts',
      'packages/server/test/egress/text.test.ts',
    ],
    exclude: [
      'packages/dashboard/**',
      'packages/sandbox/**',
      'packages/cli/**',
      'packages/server/test/providers/budget.test.ts',
      '**/node_modules/**',
    ],
    setupFiles: [join(dirname(fileURLToPath(import.meta.url)), 'setup.ts')],
    testTimeout: 120_000,
  },
})
