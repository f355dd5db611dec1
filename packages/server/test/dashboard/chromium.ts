/**
 * Chromium from the npm package `@sparticuz/chromium`, with its libraries and fonts, so that `npm ci` is enough.
 * `LES_TEST_CHROMIUM` names an installed browser instead.
 */
import { createReadStream, existsSync } from 'node:fs'
import { access, chmod, constants, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress } from 'node:zlib'
import { extract } from 'tar-fs'

/** What the browser driver needs to start it. */
export type Executable = { readonly executablePath: string; readonly env: Record<string, string> }

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..')

async function findPackage(): Promise<{ archives: string; version: string }> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const folder = entry.slice(
    0,
    entry.lastIndexOf(`${join('@sparticuz', 'chromium')}`) + join('@sparticuz', 'chromium').length,
  )
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { archives: join(folder, 'bin'), version }
}

/** A writable folder: the project's cache, or one in the system's temporary folder if the checkout is read-only. */
async function writableCache(): Promise<string> {
  const own = join(root, '.cache')
  try {
    await mkdir(own, { recursive: true })
    await access(own, constants.W_OK)
    return own
  } catch {
    const shared = join(tmpdir(), `les-cache-${process.getuid?.() ?? 'user'}`)
    await mkdir(shared, { recursive: true, mode: 0o700 })
    return shared
  }
}

async function unpack(archives: string, into: string): Promise<void> {
  const program = join(into, 'chromium')
  await writeFile(program, await promisify(brotliDecompress)(await readFile(join(archives, 'chromium.br'))))
  await chmod(program, 0o755)
  for (const name of ['al2023', 'fonts'])
    await pipeline(createReadStream(join(archives, `${name}.tar.br`)), createBrotliDecompress(), extract(into))
  // The package's own font configuration names a folder of another machine.
  await writeFile(
    join(into, 'fonts.conf'),
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">' +
      `<fontconfig><dir>${join(into, 'fonts')}</dir><cachedir>${join(into, 'font-cache')}</cachedir></fontconfig>\n`,
  )
}

/** Unpacks the browser once per user and version (about 3 s); if several processes do so, the first one's folder stays. */
export async function findChromium(): Promise<Executable> {
  const named = process.env.LES_TEST_CHROMIUM
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`LES_TEST_CHROMIUM names ${named}, which is not there`)
    return { executablePath: named, env: {} }
  }
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `the browser that comes with npm runs on Linux on x64: name an installed Chromium in LES_TEST_CHROMIUM`,
    )
  const { archives, version } = await findPackage()
  const cache = await writableCache()
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) {
    const draft = await mkdtemp(join(cache, 'chromium-draft-'))
    try {
      await unpack(archives, draft)
      // The font configuration contains the folder's final path.
      const conf = join(draft, 'fonts.conf')
      await writeFile(conf, (await readFile(conf, 'utf8')).replaceAll(draft, folder))
      await chmod(draft, 0o755)
      await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
        if (!existsSync(folder)) throw error
      })
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_PATH: folder, FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}
