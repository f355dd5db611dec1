import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildIfStale, pagesFolder } from '@les/dashboard/build'
import { beforeAll, expect, it } from 'vitest'

beforeAll(() => buildIfStale().then(() => {}), 240_000)

const budgetKb = 240
const mostFiles = 9

type Chunk = { readonly file: string; readonly imports?: readonly string[]; readonly css?: readonly string[] }

function filesOf(manifest: Readonly<Record<string, Chunk>>, name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name]!
  if (seen.has(chunk.file)) return seen
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file)
  for (const each of chunk.imports ?? []) filesOf(manifest, each, seen)
  return seen
}

/** A file as browsers get it; the smallest are not compressed. */
const packed = (path: string): Promise<Buffer> => readFile(`${path}.br`).catch(() => readFile(path))

it.each(['home', 'leads', 'sources', 'source-detail', 'webhooks', 'settings', 'sign-in'])(
  'the page %s needs at most 9 files and 240 kB, compressed',
  async (name) => {
    const manifest = JSON.parse(await readFile(join(pagesFolder, '.manifest.json'), 'utf8'))
    const files = [...filesOf(manifest, 'index.html'), ...filesOf(manifest, `src/pages/${name}/index.tsx`), 'theme.js']
    const named = [...new Set(files)]
    const sizes = await Promise.all(named.map(async (file) => (await packed(join(pagesFolder, file))).length))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(named.length).toBeGreaterThan(3)
    expect(named.length, named.join('\n')).toBeLessThanOrEqual(mostFiles)
    expect(total).toBeLessThanOrEqual(budgetKb * 1000)
  },
)

it('nothing is inline in the document', async () => {
  const document = await readFile(join(pagesFolder, 'index.html'), 'utf8')
  expect(document).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/)
})
