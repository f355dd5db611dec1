/** The receivers in `examples/` accept what the service sends, once, and nothing else; for each installed language. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedHeaders } from '../../../cli/src/webhooks/delivery.ts'
import { long } from '../world/amount.ts'
import { temporaryFolder } from '../world/folder.ts'
import { freePort } from '../world/free-port.ts'

const folder = join(import.meta.dirname, '../../../../examples/receivers')
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const languages = [
  { name: 'Node', program: 'node', words: () => ['receiver.mjs'], version: '--version' },
  { name: 'Python', program: 'python3', words: () => ['receiver.py'], version: '--version' },
  {
    name: 'PHP',
    program: 'php',
    words: (port: number) => ['-S', `127.0.0.1:${port}`, 'receiver.php'],
    version: '--version',
  },
  { name: 'Ruby', program: 'ruby', words: () => ['receiver.rb'], version: '--version' },
  // Compiling takes longer than all the others together.
  ...(long ? [{ name: 'Go', program: 'go', words: () => ['run', 'receiver.go'], version: 'version' }] : []),
] as const

const running: ChildProcess[] = []
let area: string
beforeAll(async () => {
  area = await temporaryFolder('les-receivers-')
})
afterAll(async () => {
  for (const child of running) if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  await rm(area, { recursive: true, force: true })
})

async function post(port: number, headers: Record<string, string>, body: Buffer, child: ChildProcess): Promise<number> {
  for (;;) {
    try {
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: Uint8Array.from(body) })).status
    } catch (error) {
      // Not listening yet, unless it has exited.
      if (child.exitCode !== null) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

describe('the example receivers', () => {
  for (const { name, program, words, version } of languages) {
    const there = spawnSync(program, [version]).status === 0
    it.runIf(there)(
      `${name}: takes a signed delivery once, also during a change of secret, and refuses what is changed, old or foreign [WHK-20, G47]`,
      async () => {
        const port = await freePort()
        const child = spawn(program, words(port), {
          cwd: folder,
          detached: true,
          stdio: ['ignore', 'pipe', 'ignore'],
          env: { ...process.env, PORT: String(port), LES_SIGNING_SECRET: secret, LES_SEEN_FOLDER: join(area, name) },
        })
        running.push(child)
        let out = ''
        child.stdout!.setEncoding('utf8').on('data', (text: string) => (out += text))
        const seconds = Math.floor(Date.now() / 1_000)
        const id = '01a19b45-b800-7008-b7e0-bfe5130950f9'
        // Non-ASCII letters, and spaces that re-serialising would lose.
        const body = Buffer.from(`{"id": "${id}",  "lead": {"name": "Zoë Ångström"}}`)
        const signed = (by: string, at = seconds) => signedHeaders(by, { id, event: 'lead.detected', body }, at)
        const good = signed(secret)
        const other = signed(`whsec_${Buffer.alloc(32, 9).toString('base64')}`)
        const signature = Object.keys(good).find((each) => each.toLowerCase() === 'x-service-signature')!
        expect(await post(port, good, body, child)).toBe(204)
        expect(await post(port, { ...good, [signature]: `${other[signature]},${good[signature]}` }, body, child)).toBe(
          204,
        )
        expect(await post(port, other, body, child)).toBe(401)
        expect(await post(port, signed(secret, seconds - 400), body, child)).toBe(401)
        expect(await post(port, good, Buffer.from(JSON.stringify(JSON.parse(body.toString()))), child)).toBe(401)
        expect(await post(port, {}, body, child)).toBe(401)
        expect(out.split('\n').filter((line) => line.includes(id))).toEqual([`lead.detected ${id}`])
      },
    )
  }
})
