/** Runs every benchmark in turn, each in a process of its own: `npm run bench`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

for (const name of [
  'start',
  'claims',
  'capture',
  'leads-read',
  'deliveries',
  'lists',
  'rescore',
  'dashboard',
  'keyword',
]) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  if (status !== 0) console.log(`\n${name} ended with ${status}`)
}
