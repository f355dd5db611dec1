/** Two folders of pictures, compared pixel by pixel in the browser that took them. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { chromium } from 'playwright-core'
import { findChromium } from '../../packages/server/test/dashboard/chromium.ts'

/** A picture that differs, with the share of its pixels that do; null for one that there was not. */
export type Difference = { readonly name: string; readonly share: number | null }

/** Fewer pixels than this share are chance: a corner drawn by another thread. */
const chance = 0.000_01

/** How far a colour may be off, of 255 each, before a pixel counts: edges of letters are not drawn alike everywhere. */
const tolerance = 8

/** In the browser: the share of differing pixels, and before, after and difference beside each other, as a picture. */
async function inBrowser({ before, after, tolerance: most }: { before: string; after: string; tolerance: number }) {
  const { document, Image } = globalThis as any
  const load = async (data: string) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    return image
  }
  const pictures = [await load(before), await load(after)]
  const width = Math.max(...pictures.map((each) => each.width))
  const height = Math.max(...pictures.map((each) => each.height))
  const sheet = document.createElement('canvas')
  sheet.width = width * 3
  sheet.height = height
  const drawing = sheet.getContext('2d', { willReadFrequently: true })
  for (const [at, picture] of pictures.entries()) drawing.drawImage(picture, at * width, 0)
  const [one, two] = [0, 1].map((at) => drawing.getImageData(at * width, 0, width, height).data)
  const marks = drawing.createImageData(width, height)
  let differing = 0
  for (let at = 0; at < one.length; at += 4) {
    const differs = [0, 1, 2].some((part) => Math.abs(one[at + part] - two[at + part]) > most)
    if (differs) differing += 1
    const grey = 200 + (two[at] + two[at + 1] + two[at + 2]) / 14
    marks.data.set(differs ? [220, 0, 60, 255] : [grey, grey, grey, 255], at)
  }
  drawing.putImageData(marks, width * 2, 0)
  return { share: differing / (width * height), sheet: sheet.toDataURL('image/png').split(',')[1] as string }
}

/** A page that shows every difference, the largest first, to be opened in a browser. */
const overview = (found: readonly Difference[], after: string): string => `<!doctype html>
<meta charset="utf-8"><title>Pictures that differ</title>
<style>body{font:14px system-ui;margin:2rem}img{max-width:100%;border:1px solid #999}</style>
<h1>${found.length} pictures differ</h1><p>Before, after, and the difference in red.</p>
${found
  .map(({ name, share }) =>
    share === null
      ? `<h2>${name}: new</h2><img src="${after}/${name}" alt="">`
      : `<h2>${name}: ${(share * 100).toFixed(2)} %</h2><a href="${name}"><img src="${name}" alt=""></a>`,
  )
  .join('\n')}
`

/**
 * Compares the pictures of these names; of each that differs, before, after and the difference lie side by side in a
 * folder, with an `index.html` that shows them all.
 */
export async function compare(
  names: readonly string[],
  before: string,
  after: string,
  folder: string,
): Promise<Difference[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { executablePath, env } = await findChromium()
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] })
  const page = await browser.newPage()
  const found: Difference[] = []
  for (const name of names) {
    if (!existsSync(join(before, name))) {
      found.push({ name, share: null })
      continue
    }
    const [one, two] = [before, after].map((place) => readFileSync(join(place, name)).toString('base64'))
    const { share, sheet } = await page.evaluate(inBrowser, { before: one!, after: two!, tolerance })
    if (share <= chance) continue
    found.push({ name, share })
    writeFileSync(join(folder, name), Buffer.from(sheet, 'base64'))
  }
  await browser.close()
  found.sort((a, b) => (b.share ?? 1) - (a.share ?? 1))
  if (found.length > 0) writeFileSync(join(folder, 'index.html'), overview(found, relative(folder, after)))
  return found
}
