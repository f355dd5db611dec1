/**
 * How long `les --help` takes as a process, against the 150 ms people should wait at most: `node
 * packages/cli/test/start-time.ts [runs]`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const limitMs = 150
const runs = Number(process.argv[2] ?? 20)
const shim = fileURLToPath(new URL('../bin/les.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'les-start-time-'))

/** Milliseconds from start to end. */
function measure(argv: readonly string[]): number {
  const startedAt = performance.now()
  const child = spawnSync(process.execPath, argv, { env: { PATH: '', NODE_COMPILE_CACHE: join(folder, 'cache') } })
  if (child.status !== 0) throw new Error(child.stderr.toString())
  return performance.now() - startedAt
}

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]!

for (const [name, argv] of [
  ['node, nothing else', ['-e', '']],
  ['les --help', [shim, '--help']],
  ['les keyword track --help', [shim, 'keyword', 'track', '--help']],
] as const) {
  // The first start compiles and keeps what it compiled.
  measure(argv)
  const took = Array.from({ length: runs }, () => measure(argv))
  const median = middle(took)
  console.log(
    `${name.padEnd(26)} median ${median.toFixed(0)} ms, fastest ${Math.min(...took).toFixed(0)} ms of ${runs} runs; ` +
      `${(median / limitMs).toFixed(2)} of the limit of ${limitMs} ms`,
  )
}
console.log(`load average ${loadavg()[0]!.toFixed(1)}`)
rmSync(folder, { recursive: true })
