/** `npm start` as it is typed in a checkout: whoever ends it ends the service, and nothing is left behind. */
import { spawn } from 'node:child_process'
import { readFile, readdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../world/folder.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
let dataDir: string
beforeAll(async () => void (dataDir = await temporaryFolder('les-npm-start-')))
afterAll(async () => {
  for (const pid of await processesWith(dataDir)) process.kill(pid, 'SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

/** Processes that have a text on their command line or, where it may be read, in their environment. */
async function processesWith(text: string): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    // What ended meanwhile, or is somebody else's, says nothing.
    const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')
    const told = await Promise.all([read('cmdline'), read('environ')])
    if (told.join('').includes(text)) found.push(Number(name))
  }
  return found
}

it.runIf(process.platform === 'linux')(
  'ends with the service, with its database and with everything it had started',
  async () => {
    const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env
    const settings = { PATH, HOME, TMPDIR, PORT: '0', LES_DATA_DIR: dataDir, LES_SEED_DEMO: '0' }
    const npm = spawn('npm', ['start'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: settings })
    let text = ''
    for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    const ended = new Promise((resolve) => npm.once('exit', resolve))
    await expect.poll(() => text, { timeout: 100_000 }).toMatch(/^Lead Engagement Service at http:/m)
    expect((await processesWith(dataDir)).length).toBeGreaterThan(1)
    npm.kill('SIGTERM')
    await ended
    await expect.poll(() => processesWith(dataDir), { timeout: 20_000 }).toEqual([])
  },
  150_000,
)
