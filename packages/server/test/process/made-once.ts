import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { alone, fingerprint } from '../../../dashboard/build/index.ts'
import { root } from '../../../../scripts/package/names.ts'

/** Something to cache: a name in `.cache`, the paths it depends on, how to make it, and whether a folder is complete. */
export type Making = {
  readonly name: string
  readonly ingredients: readonly string[]
  readonly isMade: (folder: string) => boolean
  readonly make: (folder: string) => Promise<void>
}

const dayMs = 86_400_000

/** Removes what is older than a day; something younger may still be in use by a run that began before the last change. */
async function removeOld(kept: string): Promise<void> {
  for (const name of await readdir(kept)) {
    const path = join(kept, name)
    const made = await stat(path).catch(() => undefined)
    if (made !== undefined && Date.now() - made.mtimeMs > dayMs) await rm(path, { recursive: true, force: true })
  }
}

/** The cached folder, made first if it is missing. Test files run concurrently: one makes it, the others wait. */
export async function madeOnce({ name, ingredients, isMade, make }: Making): Promise<string> {
  const kept = join(root, '.cache', name)
  await mkdir(kept, { recursive: true })
  const contents = await fingerprint(ingredients.map((path) => join(root, path)))
  const folder = join(kept, contents.slice(0, 16))
  if (isMade(folder)) return folder
  await alone(join(kept, 'lock'), async () => {
    if (isMade(folder)) return
    await rm(folder, { recursive: true, force: true })
    await removeOld(kept)
    await make(folder)
  })
  return folder
}
