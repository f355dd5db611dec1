/** The folders whose judgement is pure enough for mutation testing, each with a score of its own. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A folder under mutation testing: its name in the report and the files that are changed, as globs from the root of the checkout.
 * `tests`: globs of the tests that are asked, where otherwise nearly every test of the service would be. `leaveTables`: values made
 * when a module is loaded (tables, schemas) are left as they are; changing one means all tests again, and they are data
 * rather than judgement.
 */
export type MutatedFolder = {
  readonly name: string
  readonly mutate: readonly string[]
  readonly tests?: readonly string[]
  readonly leaveTables?: boolean
  /** Packages in which nothing is changed, each with the entry of what the tests need of it: it is made one file, and loaded as that. */
  readonly bundled?: Readonly<Record<string, string>>
}

/** Folders that are mostly tables. */
const ofTables: readonly string[] = ['dashboard-queries', 'directory', 'filters', 'keywords', 'scoring']

/** Folders of rules that many others import: the tests beside them are asked alone. */
const ofOwnTests: readonly string[] = ['keywords', 'scoring']

/** Share of the changes that the tests of a folder should notice, in percent. */
export const aim = 85

const modules = 'packages/server/src/modules'
const providers = 'packages/server/src/providers'
const contract = 'packages/contract/src'
const network = `${providers}/network`

/** The tests of adapters that open no socket. */
const adapterTests = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `packages/server/test/providers/${name}.test.ts`)
/** What every folder of adapters has: its tests load a part of the contract, in which nothing is changed. */
const ofAdapters = { leaveTables: true, bundled: { contract: 'scripts/mutants/contract-of-adapters.ts' } } as const

/** The tests of values: what a field takes, without the operations that have it. */
const valueTests = [
  `${contract}/values/*.test.ts`,
  ...[
    'addresses',
    'agent-values',
    'filter-rows',
    'identifiers',
    'instant',
    'member-id',
    'permalinks',
    'post-reference',
    'values',
  ].map((name) => `packages/contract/test/${name}.test.ts`),
]
/** The tests of what operations take and answer: the others would load the contract once more for each change, and notice nothing else. */
const bodyTests = ['bodies', 'dashboard-bodies', 'enrich', 'keyword-bodies', 'leads', 'roles', 'source-settings'].map(
  (name) => `packages/contract/test/${name}.test.ts`,
)
const contractTests = ['packages/contract/src/**/*.test.ts', 'packages/contract/test/*.test.ts']

/** Every folder, in the order of the report: the rules of each module by themselves, then what is pure elsewhere. */
export function mutatedFolders(root: string): readonly MutatedFolder[] {
  const rules = readdirSync(join(root, modules)).filter((name) => existsSync(join(root, modules, name, 'rules')))
  return [
    ...rules.map((name) => ({
      name,
      mutate: [`${modules}/${name}/rules/*.ts`],
      ...(ofOwnTests.includes(name) ? { tests: [`${modules}/${name}/rules/*.test.ts`] } : {}),
      leaveTables: ofTables.includes(name),
    })),
    {
      name: 'platform',
      mutate: ['packages/server/src/platform/rules/*.ts'],
      // Not `matching.test.ts`: it asks everything that matches, and loading that for each change costs more than all else.
      tests: ['words', 'countries'].map((name) => `packages/server/src/platform/rules/${name}.test.ts`),
      leaveTables: true,
    },
    { name: 'sign-in', mutate: ['packages/server/src/sign-in/rules/*.ts'] },
    {
      name: 'contract-values',
      mutate: [`${contract}/values/*.ts`],
      tests: valueTests,
      leaveTables: true,
    },
    {
      name: 'contract',
      mutate: [
        'webhook-bytes',
        'verify-webhook',
        'inspect-webhook',
        'retry',
        'paging',
        'client',
        'operation',
        'csv',
        'advice',
        'as-command',
        'command-words',
        'declared',
      ].map((name) => `${contract}/${name}.ts`),
      tests: contractTests,
      leaveTables: true,
    },
    {
      name: 'contract-operations',
      mutate: ['operations', 'resources', 'dashboard'].map((name) => `${contract}/${name}/*.ts`),
      tests: bodyTests,
      leaveTables: true,
    },
    { name: 'contract-words', mutate: [`${contract}/words/*.ts`], tests: [`${contract}/words/*.test.ts`] },
    // The agent's reads the database while it presents.
    {
      name: 'presenters',
      mutate: [`${modules}/*/present*.ts`, `!${modules}/agent/present.ts`],
      leaveTables: true,
    },
    { name: 'providers-rules', mutate: ['breaker', 'costs'].map((name) => `${providers}/${name}/rules/*.ts`) },
    {
      name: 'providers-normal',
      mutate: [`${network}/normal/*.ts`],
      // Those beside it alone: each loads one rule.
      tests: [`${network}/normal/*.test.ts`],
      leaveTables: true,
      bundled: { contract: 'packages/contract/src/values/index.ts' },
    },
    {
      name: 'providers-network',
      mutate: [
        `${network}/*.ts`,
        `${network}/rules/*.ts`,
        // They take and give places in the database.
        `!${network}/pg-budget.ts`,
        `!${network}/pg-budget-store.ts`,
        `!${network}/team-budget.ts`,
        `!${network}/budget.ts`,
      ],
      tests: [`${network}/*.test.ts`, `${network}/rules/*.test.ts`, ...adapterTests('retry')],
      ...ofAdapters,
    },
    ...['harvestapi', 'linkdapi'].map((vendor) => ({
      name: `providers-${vendor}`,
      mutate: [`${network}/${vendor}/*.ts`],
      // Those beside it load one vendor, the recordings and the wire both: with these each change would cost twice as much.
      tests: [`${network}/${vendor}/*.test.ts`],
      ...ofAdapters,
    })),
    {
      name: 'providers-ai',
      mutate: [`${providers}/ai/*.ts`],
      tests: [`${providers}/ai/*.test.ts`, ...adapterTests('recorded-others')],
      ...ofAdapters,
    },
    {
      name: 'providers-outreach',
      mutate: [`${providers}/outreach/*.ts`],
      tests: [`${providers}/outreach/*.test.ts`, ...adapterTests('heyreach-names')],
      ...ofAdapters,
    },
  ]
}
