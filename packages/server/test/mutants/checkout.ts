/**
 * Numbered copies of the checkout under .cache in which bugs are planted, each used by one process at a time. They are kept
 * because vitest's transform cache in their node_modules saves most of the time of a test file.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './planted.ts'

const left = ['node_modules', 'dist', 'dist.lock', '.data', '.cache', 'pictures', 'planted']
const copied = ['packages', 'scripts', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts']
const vitestCache = '.vitest-cache'

/** Links the installed packages; our own link to the copy, since a test must not load code without the bug. */
function linkPackages(to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(to)) if (name !== vitestCache) rmSync(join(to, name), { recursive: true, force: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@les' || name === vitestCache || name.startsWith('.vite')) continue
    symlinkSync(join(root, 'node_modules', name), join(to, name))
  }
  mkdirSync(join(to, '@les'))
  for (const name of readdirSync(join(root, 'node_modules/@les')))
    symlinkSync(`../../packages/${name}`, join(to, '@les', name))
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function lock(path: string): boolean {
  try {
    if (existsSync(path) && !isAlive(Number(readFileSync(path, 'utf8')))) rmSync(path)
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

/** Updates a copy and locks it; call `release` at the end. */
export function takeCheckout(): { readonly path: string; readonly release: () => void } {
  const cache = join(root, '.cache/mutants')
  mkdirSync(cache, { recursive: true })
  let number = 1
  while (!lock(join(cache, `checkout-${number}.lock`))) number += 1
  const path = join(cache, `checkout-${number}`)
  for (const name of copied) {
    rmSync(join(path, name), { recursive: true, force: true })
    cpSync(join(root, name), join(path, name), { recursive: true, filter: (from) => !left.includes(basename(from)) })
  }
  linkPackages(join(path, 'node_modules'))
  for (const name of readdirSync(join(root, 'packages'))) {
    const own = join(root, 'packages', name, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(path, 'packages', name, 'node_modules'))
  }
  return { path, release: () => rmSync(join(cache, `checkout-${number}.lock`), { force: true }) }
}
