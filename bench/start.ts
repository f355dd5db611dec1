/** Seconds from a start on a new data folder to the first lead, and the memory of the idle service. */
import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../packages/server/test/world/folder.ts'
import { pause, report } from './support.ts'

const dataDir = await temporaryFolder('les-bench-start-')
const begun = performance.now()
const child = spawn(process.execPath, [join(import.meta.dirname, '../packages/server/bin/les-server.mjs')], {
  env: { ...process.env, LES_DATA_DIR: join(dataDir, 'data'), PORT: '0' },
  stdio: ['ignore', 'pipe', 'pipe'],
})
let [text, trouble] = ['', '']
child.stderr.on('data', (chunk: Buffer) => (trouble = (trouble + chunk.toString()).slice(-2_000)))
const firstLead = await new Promise<number>((resolve, reject) => {
  child.once('exit', () => reject(new Error(`the service ended: ${trouble}`)))
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    if (/^lead {2}/m.test(text)) resolve((performance.now() - begun) / 1000)
  })
})
// By now the sample team's week is captured and its memory released.
await pause(60_000)
// Proportional set size counts shared pages once.
const rollup = await readFile(`/proc/${child.pid}/smaps_rollup`, 'utf8').catch(() => '')
const megabytes = Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? Number.NaN) / 1024
child.kill('SIGTERM')
await new Promise((resolve) => child.once('exit', resolve))
await rm(dataDir, { recursive: true, force: true })
report({
  start: { measured: `${firstLead.toFixed(1)} s`, beside: '', value: firstLead },
  'rest: memory': { measured: `${megabytes.toFixed(0)} MB`, beside: '', value: megabytes },
})
