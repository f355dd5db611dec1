/** `npm start` in a checkout: ending it ends the service and leaves nothing behind. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { les } from '../../../cli/test/shell.ts'
import { temporaryFolder } from '../world/folder.ts'
import { layOut } from './laid-out.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
let dataDir: string
beforeAll(async () => void (dataDir = await temporaryFolder('les-npm-start-')))
afterAll(async () => {
  for (const pid of await processesWith(dataDir)) process.kill(pid, 'SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

/** Processes with a text on their command line or, where readable, in their environment. */
async function processesWith(text: string): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    // Processes that have ended or belong to other users cannot be read.
    const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')
    const told = await Promise.all([read('cmdline'), read('environ')])
    if (told.join('').includes(text)) found.push(Number(name))
  }
  return found
}

/** Checks that the service's secret files are private and that the command line finds the service by its folder. */
async function expectFound(data: string): Promise<void> {
  // PostgreSQL runs as another user under root: it may enter the folder but reads nothing there.
  const modes = Object.fromEntries(
    await Promise.all(
      ['.', 'master-key', 'operator-token', 'postgres-password', 'address.json'].map(async (name) => [
        name,
        ((await stat(join(data, name))).mode & 0o777).toString(8),
      ]),
    ),
  )
  const secret = '600'
  expect(modes).toEqual({
    '.': process.geteuid?.() === 0 ? '711' : '700',
    'master-key': secret,
    'operator-token': secret,
    'postgres-password': secret,
    'address.json': secret,
  })
  expect((await les(['doctor'], { env: { LES_DATA_DIR: data, LES_API_KEY: '' } })).stdout).toMatch(/^ok\tservice/m)
}

// Ends one process, or sends the terminal's signal to the whole process group.
const endings = [
  ['by ending npm', (pid: number) => process.kill(pid, 'SIGTERM')],
  ['by killing npm', (pid: number) => process.kill(pid, 'SIGKILL')],
  // The other signals of a terminal, SIGHUP and SIGQUIT, end the service alike (start.test.ts).
  ['by Ctrl-C', (pid: number) => process.kill(-pid, 'SIGINT')],
] as const

// Concurrent, because starting and ending is mostly waiting; each has its own folder.
describe.runIf(process.platform === 'linux').concurrent('npm start', () => {
  it.for(endings)(
    'ends %s with the service, with its database and with everything it had started [SEC-07, SEC-12, WLD-08, FIX-11]',
    { timeout: 150_000 },
    async ([how, end], { expect }) => {
      const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env
      const data = join(dataDir, randomUUID())
      // The first case makes its database; the others start from a copy.
      if (how !== 'by ending npm') await layOut(data)
      const settings = { PATH, HOME, TMPDIR, PORT: '0', LES_DATA_DIR: data, LES_SEED_DEMO: '0' }
      const npm = spawn('npm', ['start'], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: settings,
        detached: true,
      })
      let text = ''
      for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      const ended = new Promise((resolve) => npm.once('exit', resolve))
      await expect.poll(() => text, { timeout: 100_000 }).toMatch(/^Lead Engagement Service at http:/m)
      expect((await processesWith(data)).length).toBeGreaterThan(1)
      if (how === 'by ending npm') await expectFound(data)
      end(npm.pid!)
      await ended
      await expect.poll(() => processesWith(data), { timeout: 20_000 }).toEqual([])
      await expect(stat(join(data, 'address.json'))).rejects.toThrow('ENOENT')
      expect(await readdir(join(data, 'postgres'))).not.toContain('postmaster.pid')
    },
  )
})
