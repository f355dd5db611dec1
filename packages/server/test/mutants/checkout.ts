/** A copy of the checkout in which bugs are planted, so that the real one stays as it is. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './planted.ts'

const left = ['node_modules', 'dist', 'dist.lock', '.data', '.cache', 'pictures', 'planted']
const copied = ['packages', 'scripts', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts']

/** The same packages, except our own: their links lead to the copies, since a test must not load code without the bug. */
function linkPackages(to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(join(root, 'node_modules'), { withFileTypes: true })) {
    if (entry.name === '@les' || entry.name.startsWith('.vite')) continue
    symlinkSync(join(root, 'node_modules', entry.name), join(to, entry.name))
  }
  mkdirSync(join(to, '@les'))
  for (const name of readdirSync(join(root, 'node_modules/@les'))) symlinkSync(`../../packages/${name}`, join(to, '@les', name))
}

/** Makes a copy under .cache; `remove` it in the end. */
export function copyCheckout(): { readonly path: string; readonly remove: () => void } {
  const cache = join(root, '.cache/mutants')
  mkdirSync(cache, { recursive: true })
  const path = mkdtempSync(join(cache, 'checkout-'))
  for (const name of copied) cpSync(join(root, name), join(path, name), { recursive: true, filter: (from) => !left.includes(basename(from)) })
  linkPackages(join(path, 'node_modules'))
  for (const name of readdirSync(join(root, 'packages'))) {
    const own = join(root, 'packages', name, 'node_modules')
    try {
      readdirSync(own)
      symlinkSync(own, join(path, 'packages', name, 'node_modules'))
    } catch {
      // Most packages have none of their own.
    }
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
