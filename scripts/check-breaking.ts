/** Fails when the interface would break callers of docs/generated/openapi-baseline.json; `--accept` makes it the baseline. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openApi } from '../packages/contract/src/index.ts'
import { breakingChanges } from './openapi/breaking.ts'

const baseline = join(dirname(fileURLToPath(import.meta.url)), '../docs/generated/openapi-baseline.json')
const now = JSON.parse(JSON.stringify(openApi())) as Record<string, unknown>

if (process.argv.includes('--accept')) {
  writeFileSync(baseline, `${JSON.stringify(now)}\n`)
  console.log('the baseline is the present description')
} else {
  const changes = breakingChanges(JSON.parse(readFileSync(baseline, 'utf8')) as Record<string, unknown>, now)
  for (const change of changes) console.error(change)
  if (changes.length > 0) {
    console.error(
      `${changes.length} changes would break callers: undo them, or accept them with node scripts/check-breaking.ts --accept`,
    )
    process.exit(1)
  }
  console.log('nothing breaks callers of the baseline')
}
