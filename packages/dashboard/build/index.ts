/** Builds the pages when what they are made of has changed: the service calls this before it starts, and a repeated start costs nothing. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The folder of the built pages. */
export const pagesFolder: string = join(root, 'dist')

const markFile = join(pagesFolder, '.fingerprint')
const ingredients = [
  ...['src', 'public', 'build', 'index.html', 'vite.config.ts', 'package.json'].map((name) => join(root, name)),
  join(root, '../contract/src'),
]
const compressible = /\.(?:js|css|html|svg|json|txt)$/
// Below this a compressed file is no smaller than its headers.
const leastBytes = 512
const longestBuildMs = 180_000

async function filesUnder(path: string): Promise<string[]> {
  if (!existsSync(path)) return []
  if (!(await stat(path)).isDirectory()) return [path]
  const names = (await readdir(path)).sort()
  return (await Promise.all(names.map((name) => filesUnder(join(path, name))))).flat()
}

/** SHA-256 over the names and contents of everything the pages are made of; tests are no part of them. */
export async function fingerprint(paths: readonly string[] = ingredients): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths)
    for (const file of await filesUnder(path)) {
      if (file.endsWith('.test.ts')) continue
      const content = await readFile(file)
      hash.update(`${relative(root, file)}\0${content.length}\0`).update(content)
    }
  return hash.digest('hex')
}

/** Writes a `.br` and a `.gz` beside each text file. */
async function compress(folder: string): Promise<void> {
  for (const file of await filesUnder(folder)) {
    if (!compressible.test(file)) continue
    const content = await readFile(file)
    if (content.length < leastBytes) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    await Promise.all([
      promisify(brotliCompress)(content, { params }).then((packed) => writeFile(`${file}.br`, packed)),
      promisify(gzip)(content, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
    ])
  }
}

const isFresh = async (mark: string): Promise<boolean> => (await readFile(markFile, 'utf8').catch(() => '')) === mark

/** Holds a folder that only one process can make; a lock older than any build takes was left by one that died. Throws where no folder can be made. */
export async function alone<T>(lock: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const mine = await mkdir(lock).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        // Anything else is no other process at work, and would never end.
        if (error.code !== 'EEXIST') throw error
        return false
      },
    )
    if (mine) break
    const heldSince = (await stat(lock).catch(() => undefined))?.mtimeMs
    if (heldSince !== undefined && Date.now() - heldSince > longestBuildMs)
      await rm(lock, { recursive: true, force: true })
    else await new Promise((resolve) => setTimeout(resolve, 200))
  }
  try {
    return await work()
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}

async function buildNow(): Promise<void> {
  const { build } = await import('vite')
  // React ships its slow half unless this is said, and a test runner says something else.
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'error', mode: 'production' })
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
  await compress(pagesFolder)
}

/** Builds the pages unless what lies in `dist` was made of exactly this; prints one line when it built. Of several processes one builds and the others wait. */
export async function buildIfStale(): Promise<'built' | 'fresh' | 'kept'> {
  if (await isFresh(await fingerprint())) return 'fresh'
  return await alone(join(root, 'dist.lock'), makeAnew).catch((error: unknown) =>
    keepOrExplain(error, existsSync(join(pagesFolder, 'index.html'))),
  )
}

// What a folder says that cannot be written: read-only, not ours, full.
const unwritable = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'])

/** Where nothing can be written, the pages made before stay in use; without any, says what to do. */
export function keepOrExplain(error: unknown, havePages: boolean): 'kept' {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined || !unwritable.has(code)) throw error
  if (!havePages)
    throw new Error(
      `The dashboard is not built and cannot be built here (${message}): run npm run build where ${root} can be written, then start again`,
      { cause: error },
    )
  console.error(`The dashboard is out of date and cannot be built here (${message}): the pages as they are stay in use`)
  return 'kept'
}

async function makeAnew(): Promise<'built' | 'fresh'> {
  const mark = await fingerprint()
  if (await isFresh(mark)) return 'fresh'
  const startedAt = performance.now()
  await buildNow()
  // Last: a build that was cut off is made again.
  await writeFile(markFile, mark)
  console.log(`Dashboard built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  return 'built'
}

if (import.meta.main && (await buildIfStale()) === 'fresh') console.log('Dashboard is up to date')
