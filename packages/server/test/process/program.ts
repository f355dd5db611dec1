/**
 * The service, and the command line, each as one bundle with its compiled code beside it: a process of it starts for a third of the
 * processor time that the sources take. Made once for what it is made of, in `.cache/program`. That the sources start as they are is
 * shown by `start.test.ts` and the command line's own tests, what is handed out by `dist.test.ts`.
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

/** What a process is started with: its program, and the settings by which it finds its code compiled. */
export type Program = { readonly path: string; readonly settings: Readonly<Record<string, string>> }
/** The program of the service, and that of the command line. */
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
  // Compiled code is kept by the path of what it was compiled from, and written at the end of a process that was not killed.
  for (const entry of ['server/main.mjs', 'client/les.mjs'])
    execFileSync(process.execPath, [join(folder, entry), '--help'], {
      env: { NODE_COMPILE_CACHE: join(folder, 'compiled') },
      stdio: 'ignore',
    })
}

async function find(): Promise<Programs> {
  // Compiled code comes last.
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

/** The program of this checkout as it is. */
export const builtProgram = (): Promise<Programs> => (found ??= find())
