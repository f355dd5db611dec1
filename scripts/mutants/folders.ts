/** The folders whose judgement is pure enough for mutation testing, each with a score of its own. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A folder under mutation testing: its name in the report and the files that are changed, as globs from the root of the checkout.
 * `tests`: the tests below this folder alone, where otherwise nearly every test of the service would be asked. `leaveTables`: values made
 * when a module is loaded (tables, schemas) are left as they are; changing one means all tests again, and they are data
 * rather than judgement.
 */
export type MutatedFolder = {
  readonly name: string
  readonly mutate: readonly string[]
  readonly tests?: string
  readonly leaveTables?: boolean
}

/** Folders that are mostly tables. */
const ofTables: readonly string[] = ['dashboard-queries', 'directory', 'filters', 'keywords', 'scoring']

/** Share of the changes that the tests of a folder should notice, in percent. */
export const aim = 85

const modules = 'packages/server/src/modules'

/** Every folder, in the order of the report: the rules of each module by themselves, then what is pure elsewhere. */
export function mutatedFolders(root: string): readonly MutatedFolder[] {
  const rules = readdirSync(join(root, modules)).filter((name) => existsSync(join(root, modules, name, 'rules')))
  return [
    ...rules.map((name) => ({ name, mutate: [`${modules}/${name}/rules/*.ts`], leaveTables: ofTables.includes(name) })),
    {
      name: 'contract-values',
      mutate: ['packages/contract/src/values/*.ts'],
      tests: 'packages/contract',
      leaveTables: true,
    },
    {
      name: 'contract',
      mutate: ['webhook-bytes', 'verify-webhook', 'inspect-webhook', 'retry', 'paging', 'client', 'operation'].map(
        (name) => `packages/contract/src/${name}.ts`,
      ),
      tests: 'packages/contract',
      leaveTables: true,
    },
    // The agent's reads the database while it presents.
    {
      name: 'presenters',
      mutate: [`${modules}/*/present*.ts`, `!${modules}/agent/present.ts`],
      leaveTables: true,
    },
    {
      name: 'providers-network',
      mutate: ['packages/server/src/providers/network/**/*.ts'],
      tests: 'packages/server',
      leaveTables: true,
    },
    { name: 'providers-ai', mutate: ['packages/server/src/providers/ai/*.ts'] },
    { name: 'providers-outreach', mutate: ['packages/server/src/providers/outreach/*.ts'] },
  ]
}
