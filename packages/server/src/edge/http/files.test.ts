import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readOnce } from './files.ts'

it('a file is read once, however many ask for it at once: all get the same bytes and tag [SEC-04]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'les-files-'))
  try {
    await writeFile(join(folder, 'les.tgz'), 'an archive')
    const read = readOnce(folder)
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => read('les.tgz')))
    for (const other of others) expect(other.body).toBe(first!.body)
    await rm(join(folder, 'les.tgz'))
    expect(await read('les.tgz')).toEqual(first)
  } finally {
    await rm(folder, { recursive: true })
  }
})
