/** `bin/les.mjs` as a process: it passes the exit code on, also on a Node too old for TypeScript. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startStub } from './shell.ts'

const shim = fileURLToPath(new URL('../bin/les.mjs', import.meta.url))
const systemNode = '/usr/bin/node'
const nodes = [process.execPath, ...(existsSync(systemNode) ? [systemNode] : [])]
if (nodes.length === 1) console.warn(`${systemNode} is not there: the re-exec from an old Node is not tested`)

describe.each(nodes)('les started by %s', (node) => {
  const cache = mkdtempSync(join(tmpdir(), 'les-cli-'))
  const start = (...argv: string[]) =>
    spawnSync(node, [shim, ...argv], { encoding: 'utf8', env: { PATH: '', NODE_COMPILE_CACHE: cache } })
  it('runs and ends with 0', () =>
    expect(start('--version')).toMatchObject({ status: 0, stdout: '1.0.0\n', stderr: '' }))
  it('passes a failure through', () => expect(start('credits', 'show')).toMatchObject({ status: 4, stdout: '' }))
  it.skipIf(!existsSync('/dev/full'))('says in words that standard output takes nothing more, and ends with 1', () => {
    const full = openSync('/dev/full', 'w')
    try {
      const written = spawnSync(node, [shim, 'completion', 'bash'], {
        encoding: 'utf8',
        stdio: ['ignore', full, 'pipe'],
        env: { PATH: '', NODE_COMPILE_CACHE: cache },
      })
      expect(written).toMatchObject({ status: 1, stderr: 'les: standard output cannot be written (ENOSPC)\n' })
    } finally {
      closeSync(full)
    }
  })
  it('hands Ctrl-C on, so that waiting stops with 130', async () => {
    let polled = () => {}
    const firstPoll = new Promise<void>((resolve) => (polled = resolve))
    const stub = await startStub(({ method }) => {
      if (method === 'GET') polled()
      return { body: { jobId: 'j', status: 'running' } }
    })
    const argv = ['enrich', 'company', '--username', 'acme', '--wait', '--base-url', stub.url]
    const child = spawn(node, [shim, ...argv], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: '', NODE_COMPILE_CACHE: cache, LES_API_KEY: 'k' },
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    await firstPoll
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([130, null])
    expect(stderr).toContain('the work goes on: see les jobs get j')
    await stub.close()
  })
})
