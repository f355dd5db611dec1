/** `npm run bench [-- capture leads]`: runs each benchmark in its own process; figures go into docs/benchmarks.md. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promises } from './promises.ts'

const commands = Object.values(promises).map(({ command }) => command)
const known = [...new Set(commands.map((command) => command.replace(/^node bench\/|\.ts$/g, '')))]
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${known.join(', ')}.`)
  process.exit(2)
}
const failed = known
  .filter((name) => asked.length === 0 || asked.includes(name))
  .filter((name) => {
    console.log(`\n# ${name}`)
    const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), '--keep'], {
      stdio: 'inherit',
    })
    return status !== 0
  })
if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
