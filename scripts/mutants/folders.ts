/** The folders whose judgement is pure enough for mutation testing, each with a score of its own. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A folder under mutation testing: its name in the report and the files that are changed, as globs from the root of the checkout. */
export type MutatedFolder = { readonly name: string; readonly mutate: readonly string[] }

/** Share of the changes that the tests of a folder should notice, in percent. */
export const aim = 85

const modules = 'packages/server/src/modules'

/** Every folder, in the order of the report: the rules of each module by themselves, then what is pure elsewhere. */
export function mutatedFolders(root: string): readonly MutatedFolder[] {
  const rules = readdirSync(join(root, modules)).filter((name) => existsSync(join(root, modules, name, 'rules')))
  return [
    ...rules.map((name) => ({ name, mutate: [`${modules}/${name}/rules/*.ts`] })),
    { name: 'contract-values', mutate: ['packages/contract/src/values/*.ts'] },
    { name: 'contract', mutate: ['webhook-bytes', 'verify-webhook', 'inspect-webhook', 'retry', 'paging', 'client', 'operation'].map((name) => `packages/contract/src/${name}.ts`) },
    { name: 'presenters', mutate: [`${modules}/*/present*.ts`] },
    { name: 'providers-network', mutate: ['packages/server/src/providers/network/**/*.ts'] },
    { name: 'providers-ai', mutate: ['packages/server/src/providers/ai/*.ts'] },
    { name: 'providers-outreach', mutate: ['packages/server/src/providers/outreach/*.ts'] },
  ]
}
