/** Writes docs/generated from the contract and the schema; with --check only reports whether it is up to date. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalogueText, makeCatalogue } from '../packages/cli/src/catalogue/make.ts'
import { fileSchema } from '../packages/cli/src/declared/document.ts'
import { manPages } from '../packages/cli/src/catalogue/man.ts'
import { cliReference } from '../packages/cli/src/catalogue/reference.ts'
import {
  contractErrors,
  errorTable,
  openApi,
  postmanCollection,
  registry,
  type Operation,
} from '../packages/contract/src/index.ts'
import { migrations } from '../packages/server/migrations/index.ts'
import { n8nProperties } from './platforms/n8n.ts'
import { zapierActions } from './platforms/zapier.ts'
import { requirementsPage } from './requirements-page.ts'
import { retentionPage } from './retention-page.ts'
import { settingsPage } from './settings-page.ts'

const folder = join(dirname(fileURLToPath(import.meta.url)), '../docs/generated')

function operations(): string {
  const rows = (registry as readonly Operation[]).map(
    (each) =>
      `| \`${each.method}\` | \`/api/v1${each.path}\` | \`${each.id}\` | ${each.summary} ` +
      `| ${each.errors.map((key) => errorTable[key].code ?? errorTable[key].status).join(', ')} |`,
  )
  return [
    '# Operations',
    '',
    'Generated from the contract; `npm run generate` writes it.',
    '',
    '| method | path | id | what it does | refusals of its own |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function errors(): string {
  const rows = Object.entries(contractErrors)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(
      ([key, row]) => `| ${row.status} | ${row.code === null ? '' : `\`${row.code}\``} | ${row.message} | \`${key}\` |`,
    )
  return [
    '# Errors',
    '',
    'Every error body is `{error, code?, requestId}` with the details of its row. Generated from the contract.',
    '',
    '| status | code | message | key |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function schema(): string {
  const texts = Object.values(migrations).flatMap(({ shared, teams }) => [...shared, ...teams])
  return `-- The tables as the migrations make them. Generated; the migrations are the truth.\n${texts.join('')}`
}

const manuals = manPages(makeCatalogue())

const files: Record<string, () => string> = {
  'openapi.json': () => `${JSON.stringify(openApi(), null, 2)}\n`,
  'collection.json': () => `${JSON.stringify(postmanCollection(), null, 2)}\n`,
  'operations.md': operations,
  'errors.md': errors,
  'schema.sql': schema,
  // Read by the command line, for which loading every schema is too slow.
  '../../packages/cli/src/catalogue/operations.json': catalogueText,
  'config-file.schema.json': () => `${JSON.stringify(fileSchema(), null, 2)}\n`,
  'cli.md': () => cliReference(makeCatalogue()),
  'requirements.md': requirementsPage,
  'retention.md': retentionPage,
  'settings.md': settingsPage,
  '../../integrations/n8n/nodes/LeadEngagement/properties.ts': n8nProperties,
  '../../integrations/zapier/app/actions.json': zapierActions,
  ...Object.fromEntries(Object.entries(manuals).map(([name, text]) => [`../../packages/cli/man/${name}`, () => text])),
}

const check = process.argv.includes('--check')
const stale: string[] = []
mkdirSync(folder, { recursive: true })
for (const [name, make] of Object.entries(files)) {
  const path = join(folder, name)
  const text = make()
  let before = ''
  try {
    before = readFileSync(path, 'utf8')
  } catch {
    // Does not exist yet.
  }
  if (before === text) continue
  stale.push(name)
  if (check) continue
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
if (check && stale.length > 0) {
  console.error(`docs/generated is out of date: ${stale.join(', ')}; run npm run generate`)
  process.exit(1)
}
console.log(check ? 'docs/generated is up to date' : `written: ${stale.join(', ') || 'nothing changed'}`)
