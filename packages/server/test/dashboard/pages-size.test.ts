/** What a first visit loads: few files, of a size that is held. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildIfStale, pagesFolder } from '@les/dashboard/build'
import { beforeAll, expect, it } from 'vitest'

beforeAll(() => buildIfStale().then(() => {}), 240_000)

const budgetKb = 238
const mostFiles = 9

it.each(['home', 'leads', 'sources', 'sources-id', 'webhooks', 'settings', 'sign-in'])(
  'the document of %s names all that the page needs: at most 9 files and 238 kB, compressed, and nothing inline',
  async (name) => {
    const document = await readFile(join(pagesFolder, 'frames', `${name}.html`), 'utf8')
    const files = [...document.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path!)
    const sizes = await Promise.all(files.map(async (path) => (await packed(join(pagesFolder, path))).length))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    process.stdout.write(`pages-size.test: ${name}: ${files.length} files, ${Math.round(total / 1000)} kB compressed\n`)
    expect(files.length).toBeGreaterThan(3)
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(mostFiles)
    expect(total).toBeLessThanOrEqual(budgetKb * 1000)
    expect(document).toContain('id="frame"')
    expect(document).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/)
  },
)

/** A file as browsers get it; the smallest are not packed. */
const packed = (path: string): Promise<Buffer> => readFile(`${path}.br`).catch(() => readFile(path))
