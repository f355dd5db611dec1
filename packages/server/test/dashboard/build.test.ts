/** A start in a read-only checkout reports that it cannot build and goes on; it never waits for a build that nobody makes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { alone, keepOrExplain } from '@les/dashboard/build'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

let area: string
beforeAll(async () => {
  area = await mkdtemp(join(tmpdir(), 'les-build-'))
})
afterAll(() => rm(area, { recursive: true, force: true }))

it('a folder that cannot be made is told at once, and no other process is waited for', async () => {
  await writeFile(join(area, 'file'), '')
  await expect(alone(join(area, 'file', 'dist.lock'), async () => 'built')).rejects.toMatchObject({ code: 'ENOTDIR' })
  await expect(alone(join(area, 'missing', 'dist.lock'), async () => 'built')).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await alone(join(area, 'dist.lock'), async () => 'built')).toBe('built')
})

it.each(['EROFS', 'EACCES', 'EPERM', 'ENOSPC'])(
  '%s: the pages made before stay in use; without any, the message says what to do',
  (code) => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    const error = Object.assign(new Error(`${code}: mkdir`), { code })
    expect(keepOrExplain(error, true)).toBe('kept')
    expect(told.mock.calls).toEqual([[expect.stringContaining(`cannot be built here (${code}: mkdir)`)]])
    expect(() => keepOrExplain(error, false)).toThrow(/run npm run build where .* can be written/)
    told.mockRestore()
  },
)

it('a build that is broken stays an error', () => {
  expect(() => keepOrExplain(new Error('a page does not compile'), true)).toThrow('a page does not compile')
})
