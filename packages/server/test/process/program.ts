/**
 * The service and the command line as bundles with a compile cache, which start in a third of the CPU time; cached in
 * `.cache/program` by their ingredients. `start.test.ts` and the command line's own tests cover the sources, `dist.test.ts` the
 * distribution.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pagesFolder } from '../../../dashboard/build/index.ts'
import { bundle } from '../../../../scripts/package/bundle.ts'
import { head } from '../../../../scripts/package/downloads.ts'
import { root } from '../../../../scripts/package/names.ts'
import { madeOnce } from './made-once.ts'

const ingredients = [
  'packages/cli/src',
  'packages/server/src',
  'packages/server/migrations',
  'packages/contract/src',
  'packages/mcp/src',
  'packages/sandbox/src',
  'scripts/package',
  'package.json',
  'package-lock.json',
]

/** A program and the settings that point it to its compile cache. */
export type Program = { readonly path: string; readonly settings: Readonly<Record<string, string>> }
/** The service's program and the command line's. */
export type Programs = Program & { readonly client: string }

async function make(folder: string): Promise<void> {
  const draft = `${folder}.draft`
  await rm(draft, { recursive: true, force: true })
  await bundle({
    entries: { main: 'packages/server/src/main.ts' },
    folder: join(draft, 'server'),
    oneFile: false,
    target: 'node24',
  })
  await bundle({
    entries: { les: 'scripts/package/entries/les.ts' },
    folder: join(draft, 'client'),
    oneFile: true,
    target: 'node24',
    banner: head,
  })
  await symlink(pagesFolder, join(draft, 'dashboard'))
  await symlink(join(root, 'packages/server/sample-team'), join(draft, 'sample-team'))
  await rename(draft, folder)
  // The compile cache depends on the bundle's path and is written when the process exits normally.
  for (const entry of ['server/main.mjs', 'client/les.mjs'])
    execFileSync(process.execPath, [join(folder, entry), '--help'], {
      env: { NODE_COMPILE_CACHE: join(folder, 'compiled') },
      stdio: 'ignore',
    })
}

async function find(): Promise<Programs> {
  // The compile cache is made last, so its existence means that the folder is complete.
  const compiledIn = (folder: string) => join(folder, 'compiled')
  const folder = await madeOnce({
    name: 'program',
    ingredients,
    isMade: (made) => existsSync(compiledIn(made)),
    make,
  })
  return {
    path: join(folder, 'server/main.mjs'),
    client: join(folder, 'client/les.mjs'),
    settings: { NODE_COMPILE_CACHE: compiledIn(folder) },
  }
}

let found: Promise<Programs> | undefined

/** The programs of this checkout. */
export const builtProgram = (): Promise<Programs> => (found ??= find())
