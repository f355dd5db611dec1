/**
 * The service, and the command line, each as one bundle with its compiled code beside it: a process of it starts for a third of the
 * processor time that the sources take. Made once for what it is made of, in `.cache/program`. That the sources start as they are is
 * shown by `start.test.ts` and the command line's own tests, what is handed out by `dist.test.ts`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { alone, fingerprint, pagesFolder } from '../../../dashboard/build/index.ts'
import { bundle } from '../../../../scripts/package/bundle.ts'
import { head } from '../../../../scripts/package/downloads.ts'
import { root } from '../../../../scripts/package/names.ts'

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
].map((path) => join(root, path))
const kept = join(root, '.cache/program')
const dayMs = 86_400_000

/** What a process is started with: its program, and the settings by which it finds its code compiled. */
export type Program = { readonly path: string; readonly settings: Readonly<Record<string, string>> }
/** The program of the service, and that of the command line. */
export type Programs = Program & { readonly client: string }

/** Removes what nobody has made for a day in a folder: a run that is under way may still start what was made before the last change. */
export async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const made = await stat(path).catch(() => undefined)
    if (made !== undefined && Date.now() - made.mtimeMs > dayMs) await rm(path, { recursive: true, force: true })
  }
}

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
  await mkdir(kept, { recursive: true })
  const folder = join(kept, (await fingerprint(ingredients)).slice(0, 16))
  const compiled = join(folder, 'compiled')
  const [path, client] = [join(folder, 'server/main.mjs'), join(folder, 'client/les.mjs')]
  const program = { path, client, settings: { NODE_COMPILE_CACHE: compiled } }
  const isMade = () => existsSync(compiled)
  if (isMade()) return program
  // Files run beside each other: one of them makes it, the others wait.
  await alone(join(kept, 'lock'), async () => {
    if (isMade()) return
    await rm(folder, { recursive: true, force: true })
    await removeOld(kept)
    await make(folder)
  })
  return program
}

let found: Promise<Programs> | undefined

/** The program of this checkout as it is. */
export const builtProgram = (): Promise<Programs> => (found ??= find())
