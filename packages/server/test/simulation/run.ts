/**
 * Runs seeds on TEST_DATABASE_URL, else on its own embedded server; exits with 1 if one fails:
 * `node packages/server/test/simulation/run.ts --seeds 10000 [--from N] [--lanes 2] [--steps N] [--theme searches]`,
 * `--seed S --trace` for one seed.
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded.ts'
import type { ConnectionSettings } from '../../src/platform/db/open.ts'
import { openInfrastructure } from './infrastructure.ts'
import type { themes } from './feature-commands.ts'
import { report, simulate, type Counts, type Outcome } from './history.ts'
import { temporaryFolder } from '../world/folder.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    lanes: { type: 'string', default: '2' },
    steps: { type: 'string' },
    theme: { type: 'string' },
    stop: { type: 'string', default: '5' },
  },
})

async function openServer(): Promise<{ connection: ConnectionSettings; stop: () => Promise<void> }> {
  const external = process.env.TEST_DATABASE_URL
  if (external) return { connection: { connectionString: external }, stop: async () => {} }
  const folder = await temporaryFolder('les-simulation-')
  const embedded = await startEmbeddedPostgres({
    dataDir: folder,
    log: () => {},
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_parallel_workers_per_gather: '0',
      max_connections: '100',
    },
  })
  const stop = async () => {
    await embedded.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { connection: embedded.connection, stop }
}

const options = {
  ...(values.steps === undefined ? {} : { steps: Number(values.steps) }),
  ...(values.theme === undefined ? {} : { theme: values.theme as keyof typeof themes }),
}
const server = await openServer()
const failed: Outcome[] = []
const totals = {} as Counts
let ran = 0
const began = performance.now()

async function lane(number: number, next: () => number | undefined): Promise<void> {
  const infrastructure = await openInfrastructure({ server: server.connection }, `les_sim_${process.pid}_${number}`)
  for (let seed = next(); seed !== undefined; seed = next()) {
    const outcome = await simulate(infrastructure, seed, options)
    ran += 1
    for (const [name, count] of Object.entries(outcome.counts) as [keyof Counts, number][])
      totals[name] = (totals[name] ?? 0) + count
    if (values.trace) console.log(outcome.trace.join('\n'))
    if (outcome.failure !== null) {
      failed.push(outcome)
      console.log(`${report(outcome)}\n`)
    } else if (values.seed !== undefined) console.log(`seed ${seed}: ${outcome.hash}`)
    if (ran % 100 === 0)
      console.log(`${ran} seeds, ${failed.length} failed, ${((performance.now() - began) / 1000).toFixed(0)} s`)
  }
  await infrastructure.close()
}

try {
  const from = Number(values.seed ?? values.from)
  let left = values.seed === undefined ? Number(values.seeds) : 1
  const next = () =>
    left > 0 && failed.length < Number(values.stop)
      ? from + (values.seed === undefined ? Number(values.seeds) : 1) - left--
      : undefined
  await Promise.all(
    Array.from({ length: values.seed === undefined ? Number(values.lanes) : 1 }, (_, number) => lane(number, next)),
  )
} finally {
  await server.stop()
}
const seconds = (performance.now() - began) / 1000
console.log(
  `${ran} seeds in ${seconds.toFixed(1)} s (${(ran / seconds).toFixed(1)} a second), ${failed.length} ` +
    `failed${failed.length > 0 ? `: ${failed.map((outcome) => outcome.seed).join(', ')}` : ''}`,
)
console.log(
  Object.entries(totals)
    .map(([name, count]) => `${name} ${count}`)
    .join(', '),
)
process.exitCode = failed.length > 0 ? 1 : 0
