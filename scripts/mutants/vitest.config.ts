/** The tests that need no database, as one project: what mutation testing runs against each changed line. */
import { readdirSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Stryker runs this file inside its copy of the checkout, whose node_modules lead back to the original packages:
// without these aliases a test would load code that nothing was changed in.
const packages = join(dirname(fileURLToPath(import.meta.url)), '../../packages')
const alias = Object.fromEntries(
  ['cli', 'contract', 'mcp', 'sandbox'].map((name) => [`@les/${name}`, join(packages, name, 'src/index.ts')]),
)

// Set by run.ts for a folder whose tests load whole packages that nothing is changed in (`bundled` in folders.ts).
const bundled = process.env.LES_MUTANTS_BUNDLED
if (bundled !== undefined)
  for (const file of readdirSync(bundled)) alias[`@les/${parse(file).name}`] = join(bundled, file)
// Their tests share what they have loaded, too: nothing that is changed is kept from one run to the next.
const shared =
  bundled === undefined ? {} : { isolate: false, server: { deps: { external: [/\/bundled\/[\w-]+\/\w+\.mjs$/] } } }

// Set by run.ts for a folder whose changes nearly every test would otherwise be asked about (`tests` in folders.ts).
const chosen = process.env.LES_MUTANTS_TESTS?.split(' ')

export default defineConfig({
  resolve: { alias },
  test: {
    include: chosen ?? [
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
      // Reads the examples of the dashboard, which is not in the copy.
      'packages/server/src/modules/keywords/rules/examples.test.ts',
      // Holds the bytes of the rules of scoring, which planting changes.
      'packages/server/src/modules/fit/rules/version.test.ts',
      '**/node_modules/**',
    ],
    setupFiles: [join(dirname(fileURLToPath(import.meta.url)), 'setup.ts')],
    ...shared,
    testTimeout: 120_000,
    // Loading the contract is most of what its tests cost, and they share nothing that they change.
    isolate: chosen?.every((name) => /^packages\/(contract|server\/src\/modules\/keywords)\//.test(name)) !== true,
  },
})
