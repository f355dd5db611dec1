import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { citedRequirements, requirements } from '../packages/server/test/requirements.ts'

const packages = join(dirname(fileURLToPath(import.meta.url)), '../packages')

function citations(): Map<string, Set<string>> {
  const citedIn = new Map<string, Set<string>>()
  for (const entry of readdirSync(packages, { recursive: true, withFileTypes: true })) {
    if (!/\.test\.tsx?$/.test(entry.name) || entry.parentPath.includes('node_modules')) continue
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    for (const id of citedRequirements(text)) {
      citedIn.set(id, (citedIn.get(id) ?? new Set()).add(basename(entry.name).replace(/\.test\.tsx?$/, '')))
    }
  }
  return citedIn
}

/** The page of requirements: what each demands, and the test files that show it. */
export function requirementsPage(): string {
  const citedIn = citations()
  const shownBy = (id: string) => [...(citedIn.get(id) ?? [])].sort().join(', ')
  return [
    '# Requirements',
    '',
    'What the interface asks of this service, one line an id, in short, with the test files whose titles name it. The interface specification wins wherever a line is too short to decide; where it is silent, [rulings.md](../rulings.md) decides. Generated from `docs/requirements.json` and the tests; `npm run generate` writes it.',
    ...requirements.flatMap(({ group, requirements: rows }) => [
      '',
      `## ${group}`,
      '',
      '| id | requirement | shown by |',
      '|---|---|---|',
      ...Object.entries(rows).map(([id, text]) => `| \`${id}\` | ${text.replaceAll('|', '\\|')} | ${shownBy(id)} |`),
    ]),
    '',
  ].join('\n')
}
