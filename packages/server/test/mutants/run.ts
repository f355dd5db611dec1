/**
 * Plants bugs one at a time and runs the test files that should notice: `npm run mutants:planted [-- --slice 3/8] [--only words]
 * [--again]`. `--sound` plants nothing and lists the named test files that fail anyway. Runs on TEST_DATABASE_URL, else on its own
 * embedded server. A trial is not repeated while patch, code and tests are unchanged, so an interrupted run continues.
 * Exits with 1 if a bug was missed, does not apply, or could not be tried.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded.ts'
import { takeCheckout } from './checkout.ts'
import { listPlanted, root, withBug, type Planted } from './planted.ts'
import { temporaryFolder } from '../world/folder.ts'

const { values } = parseArgs({
  options: {
    slice: { type: 'string', default: '1/1' },
    only: { type: 'string', multiple: true },
    again: { type: 'boolean', default: false },
    sound: { type: 'boolean', default: false },
  },
})

/** A bug that keeps a test file busy for this long counts as noticed. */
const longestMs = 600_000
const triedFile = join(root, '.cache/mutants/tried.json')

/** `does-not-apply`: the patch no longer fits the code. `not-run`: no test of the file finished. */
type Outcome = 'caught' | 'missed' | 'does-not-apply' | 'not-run'

/** The result for a bug: `hash` of everything the trial read, `noticedBy` the first test that failed. */
type Tried = { readonly outcome: Outcome; readonly hash: string; readonly noticedBy: string | null }

async function openServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop: async () => {} }
  const folder = await temporaryFolder('les-mutants-')
  const embedded = await startEmbeddedPostgres({
    dataDir: folder,
    log: () => {},
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_parallel_workers_per_gather: '0',
      max_connections: '200',
    },
  })
  const { host, port, user, password, database } = embedded.connection as {
    host: string
    port: number
    user: string
    password: string
    database: string
  }
  const stop = async () => {
    await embedded.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url: `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`,
    stop,
  }
}

type Results = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[]
  }[]
}
type Ran = { readonly outcome: 'passed' | 'failed' | 'not-run'; readonly noticedBy: string | null }

/** Runs test files in the copy until one test fails; with `title`, only tests of that title. */
function runTests(checkout: string, url: string, files: readonly string[], title: string | null = null): Ran {
  const output = join(checkout, 'mutant-results.json')
  rmSync(output, { force: true })
  const ran = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--bail',
      '1',
      '--reporter',
      'json',
      '--outputFile',
      output,
      ...(title === null ? [] : ['-t', title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')]),
      ...files,
    ],
    {
      cwd: checkout,
      env: { ...process.env, TEST_DATABASE_URL: url },
      stdio: 'ignore',
      timeout: longestMs,
      killSignal: 'SIGKILL',
    },
  )
  if (ran.signal !== null) return { outcome: 'failed', noticedBy: 'it does not end' }
  if (!existsSync(output)) return { outcome: 'not-run', noticedBy: null }
  const results = JSON.parse(readFileSync(output, 'utf8')) as Results
  const failed = results.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed')
  if (failed) return { outcome: 'failed', noticedBy: failed.title }
  if (ran.status === 0 && results.numPassedTests > 0) return { outcome: 'passed', noticedBy: null }
  console.log(
    results.testResults
      .map(({ message }) => message)
      .join('\n')
      .slice(0, 2_000),
  )
  return { outcome: 'not-run', noticedBy: null }
}

function tryOne(planted: Planted, before: string | null, checkout: string, url: string): Tried {
  const hash = hashOf(planted)
  const { caughtBy } = planted
  const changed = withBug(planted, (path) => readFileSync(join(root, path), 'utf8'))
  if (changed === null) return { outcome: 'does-not-apply', hash, noticedBy: null }
  for (const [path, text] of changed) writeFileSync(join(checkout, path), text)
  const again = before === null ? null : runTests(checkout, url, caughtBy, before)
  const { outcome, noticedBy } = again?.outcome === 'failed' ? again : runTests(checkout, url, caughtBy)
  for (const path of changed.keys()) writeFileSync(join(checkout, path), readFileSync(join(root, path)))
  return {
    outcome: outcome === 'failed' ? 'caught' : outcome === 'passed' ? 'missed' : 'not-run',
    hash,
    noticedBy,
  }
}

/** Hash of all that a trial reads: the patch, the files it changes and the tests that should notice. */
const hashOf = ({ text, files, caughtBy }: Planted): string => {
  const hash = createHash('sha256').update(text)
  for (const path of [...files.map((file) => file.path), ...caughtBy])
    hash.update(existsSync(join(root, path)) ? readFileSync(join(root, path)) : '')
  return hash.digest('hex')
}

const all = listPlanted()
const [slice, slices] = values.slice.split('/').map(Number) as [number, number]
if (!(slice >= 1 && slice <= slices)) throw new Error('--slice is written as 3/8')
const chosen = all.filter(
  ({ name }, n) => n % slices === slice - 1 && (values.only?.some((words) => name.includes(words)) ?? true),
)
const readTried = (): Record<string, Tried> =>
  existsSync(triedFile) ? (JSON.parse(readFileSync(triedFile, 'utf8')) as Record<string, Tried>) : {}
const tried = readTried()
const server = await openServer()
const checkout = takeCheckout()
let bad = 0
try {
  if (values.sound) {
    for (const file of [...new Set(chosen.flatMap(({ caughtBy }) => caughtBy))].sort()) {
      const { outcome, noticedBy } = runTests(checkout.path, server.url, [file])
      if (outcome !== 'passed') bad += 1
      console.log(`${outcome === 'passed' ? 'passes' : 'FAILS'}: ${file}${noticedBy === null ? '' : `: ${noticedBy}`}`)
    }
  } else {
    for (const planted of chosen.filter((each) => values.again || tried[each.name]?.hash !== hashOf(each))) {
      const began = performance.now()
      const result = tryOne(planted, tried[planted.name]?.noticedBy ?? null, checkout.path, server.url)
      if (result.outcome !== 'caught') bad += 1
      console.log(
        `${result.outcome === 'caught' ? 'caught' : result.outcome.toUpperCase()} ` +
          `in ${((performance.now() - began) / 1000).toFixed(0)} s: ` +
          `${planted.name}${result.noticedBy === null ? '' : `: ${result.noticedBy}`}`,
      )
      // Read again, because other slices may run at the same time.
      writeFileSync(triedFile, JSON.stringify({ ...readTried(), [planted.name]: result }, null, 2))
    }
  }
} finally {
  checkout.release()
  await server.stop()
}
process.exitCode = bad > 0 ? 1 : 0
