/** Third-party tools, installed into `.cache/strangers` with exact versions (`scripts/strangers`); not part of the project. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../../..')

/** The folder with the list of tools and versions. */
export const manifest: string = join(root, 'scripts/strangers')

/** Where they are installed. */
export const area: string = join(root, '.cache/strangers')

/** The time limit of an installation in milliseconds. */
export const installMs = 300_000

/** Runs a program there to its end. */
export const run = (
  program: string,
  args: readonly string[],
  timeout = 120_000,
): Promise<{ readonly code: number; readonly text: string }> =>
  new Promise((resolve) => {
    execFile(program, args, { cwd: area, timeout, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) || 1 : 0, text: `${stdout}${stderr}` }),
    )
  })

/** Installs the tools unless these versions are there. */
export async function installStrangers(): Promise<void> {
  const wanted = readFileSync(join(manifest, 'package.json'), 'utf8')
  const marker = join(area, 'installed.json')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  mkdirSync(area, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(manifest, file), join(area, file))
  const { code, text } = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], installMs)
  if (code !== 0) throw new Error(`the tools could not be installed: ${text}`)
  writeFileSync(marker, wanted)
}
