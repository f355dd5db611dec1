/** Output to a terminal, which strangers' text must not control, to a pipe, or to a file. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { les, startStub } from './shell.ts'

const name = 'Ann Example\u001b]52;c;cm0gLXJm\u0007\u009b31m\u202e\u2066 O\u0000\u007f'
const row = { id: 'x', name, jobTitle: 'a\tb\nc' }
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

it.each([
  [['leads', 'list']],
  [['leads', 'list', '--csv']],
  [['leads', 'list', '--all', '--csv']],
  [['leads', 'list', '--json']],
  [['leads', 'list', '--json', 'name']],
  [['leads', 'list', '--jq', '.leads[0].name']],
  [['api', 'GET', '/leads']],
  [['api', 'GET', '/leads', '--jq', '.leads[0].name']],
])('%j lets nothing that strangers wrote steer a terminal, and gives it as it is to a pipe [SEC-14]', async (argv) => {
  const stub = await startStub(() => ({ body: { leads: [row], hasMore: false, total: 1, limit: 1, offset: 0 } }))
  const shown = await les(argv, { url: stub.url, tty: true })
  const piped = await les(argv, { url: stub.url })
  await stub.close()
  expect([shown.code, piped.code]).toEqual([0, 0])
  expect(shown.stdout).toContain('Ann Example')
  expect([shown.stdout.match(steering), shown.stderr.match(steering)]).toEqual([null, null])
  if (argv.length > 2) expect(piped.stdout).toContain('\u202e')
})

it('--output writes CSV with a byte order mark, a pipe gets none, and a refusal leaves the file as it was [G169]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'les-output-'))
  const file = join(folder, 'leads.csv')
  const page = { leads: [{ id: '1', name: 'Zoë' }], hasMore: false, total: 1, limit: 1, offset: 0 }
  const stub = await startStub((_request, nth) => (nth < 4 ? { body: page } : { status: 404, body: { error: 'no' } }))
  const list = (...flags: string[]) => les(['leads', 'list', ...flags], { url: stub.url, tty: true })
  for (const flags of [[], ['--all', '--csv']]) {
    expect(await list(...flags, '--output', file)).toMatchObject({ code: 0, stdout: '' })
    expect(readFileSync(file, 'utf8')).toMatch(/^\uFEFFid,[^\n]*\r\n1,[^\n]*Zoë/)
  }
  expect((await les('leads list --csv', { url: stub.url })).stdout).toMatch(/^id,/)
  const before = readFileSync(file, 'utf8')
  expect((await list('--output', file)).code).toBe(5)
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([before, ['leads.csv']])
  expect(await list('--output', join(folder, 'no', 'a.csv'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot be written') as string,
  })
  await stub.close()
  rmSync(folder, { recursive: true })
})
