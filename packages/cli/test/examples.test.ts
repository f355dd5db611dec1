import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../src/catalogue/load.ts'
import { ownCommands } from '../src/commands/own.ts'
import { les, startStub, type Stub } from './shell.ts'

const files: Readonly<Record<string, string>> = {
  'rules.json': '[]',
  'ids.txt': 'a\nb\n',
  'people.json': '[]',
  'criteria.json': '{}',
}
const done = {
  ok: true,
  jobId: 'j',
  pushId: 'p',
  id: 'i',
  status: 'completed',
  state: 'done',
  isFinal: true,
  finished: true,
  counts: {},
  firstRun: { done: true },
  agent: { id: 'a' },
}

let folder: string
let stub: Stub
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'les-examples-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  stub = await startStub(() => ({ body: done }))
})
afterAll(async () => {
  await stub.close()
  rmSync(folder, { recursive: true })
})

function wordsOfLines(lines: readonly string[]): string[][] {
  const script = lines.map((line) => `printf '%s\\0' ${line.replace(/^les /, '')}; printf '\\1'`).join('\n')
  const { stdout, status } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
  expect(status).toBe(0)
  return stdout
    .split('\u0001')
    .slice(0, -1)
    .map((line) => line.split('\0').slice(0, -1))
}

describe('every example', () => {
  it('of an operation is sent', async () => {
    const lines = catalogue.entries.flatMap(({ examples }) => examples)
    expect(lines.length).toBeGreaterThan(catalogue.entries.length)
    const failed: string[] = []
    for (const [index, words] of wordsOfLines(lines).entries()) {
      const before = stub.received.length
      const { code, stderr } = await les(
        words.map((word) => word.replace(/^@(?=[\w-]+\.\w+$)/, `@${folder}/`)),
        { url: stub.url },
      )
      if (code !== 0 || stub.received.length === before) failed.push(`${lines[index]}: ${code} ${stderr}`)
    }
    expect(failed).toEqual([])
  })

  it("of the client's own commands names a command with flags that there are", async () => {
    const lines = ownCommands.flatMap(({ words, examples }) =>
      examples.filter((line) => line.startsWith('les ')).map((line) => [words, line.replace(/ [<>] .*$/, '')] as const),
    )
    const parsed = wordsOfLines(lines.map(([, line]) => line))
    for (const [index, words] of parsed.entries()) {
      expect(words.slice(0, lines[index]![0].length)).toEqual(lines[index]![0])
      expect([lines[index]![1], (await les([...words, '--help'])).code]).toEqual([lines[index]![1], 0])
    }
  })
})
