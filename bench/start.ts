/** Seconds from start to the first lead, and idle memory of service and database, on a new data folder. */
import { spawn } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { printFigures } from './support.ts'
import { temporaryFolder } from '../packages/server/test/world/folder.ts'

const dataDir = await temporaryFolder('les-bench-start-')
const begun = performance.now()
const child = spawn(process.execPath, [join(import.meta.dirname, '../packages/server/bin/les-server.mjs')], {
  env: { ...process.env, LES_DATA_DIR: join(dataDir, 'data'), PORT: '0' },
  stdio: ['ignore', 'pipe', 'pipe'],
})
let text = ''
let said = ''
child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)))
const at = (pattern: RegExp) =>
  new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the service ended: ${said}`)))
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (pattern.test(text)) resolve((performance.now() - begun) / 1000)
    })
  })
const [up, first] = await Promise.all([at(/Lead Engagement Service at/), at(/^lead {2}/m)])
await new Promise((resolve) => setTimeout(resolve, 15_000))

/** Proportional set size of a process in MB: shared pages counted once. */
async function memory(pid: string): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024
}
let database = 0
for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const cwd = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  if (/postgres/.test(command) && (command.includes(dataDir) || cwd.includes(dataDir))) database += await memory(pid)
}
const service = await memory(String(child.pid))
child.kill('SIGTERM')
await new Promise((resolve) => child.once('exit', resolve))
await rm(dataDir, { recursive: true, force: true })
printFigures('Start', [
  {
    name: 'seconds from start to listening, new data folder',
    measured: `${up.toFixed(1)} s`,
    limit: '',
    ratio: null,
    aim: '',
    reached: null,
  },
  {
    name: 'seconds from start to the first enriched lead',
    measured: `${first.toFixed(1)} s`,
    limit: '',
    ratio: null,
    aim: '<= 6 s',
    reached: first <= 6,
  },
  {
    name: 'memory after the first sync, service',
    measured: `${service.toFixed(0)} MB`,
    limit: '',
    ratio: null,
    aim: '<= 250 MB',
    reached: service <= 250,
  },
  {
    name: 'memory, database (all its processes)',
    measured: `${database.toFixed(0)} MB`,
    limit: '',
    ratio: null,
    aim: '',
    reached: null,
  },
])
