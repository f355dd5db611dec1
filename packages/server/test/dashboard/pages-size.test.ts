/** What a first visit loads. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildIfStale, pagesFolder } from '@les/dashboard/build'
import { expect, it } from 'vitest'

it('the first script and all it needs are at most 250 KB, compressed', async () => {
  await buildIfStale()
  const page = await readFile(join(pagesFolder, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, path]) => path!)
  expect(scripts.length).toBeGreaterThan(0)
  const sizes = await Promise.all(scripts.map(async (path) => gzipSync(await readFile(join(pagesFolder, path))).length))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  process.stdout.write(`pages-size.test: ${scripts.length} scripts, ${Math.round(total / 1024)} KB compressed\n`)
  expect(total).toBeLessThanOrEqual(250 * 1024)
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/)
}, 240_000)
