/** Runs every benchmark in turn, each in a process of its own: `npm run bench`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

// From what a reader asks first to what is measured for ourselves; `nudges` prints a table of its own.
const benches = [
  'start',
  'rest',
  'claims',
  'capture',
  'keyword',
  'enrichment',
  'deliveries',
  'leads-read',
  'lists',
  'agent-leads',
  'dashboard',
  'rescore',
  'nudges',
]

for (const name of benches) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  if (status !== 0) console.log(`\n${name} ended with ${status}`)
}
