/** What tests of processes make once for what it is made of, in a folder of `.cache` that later files and runs find. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { alone, fingerprint } from '../../../dashboard/build/index.ts'
import { root } from '../../../../scripts/package/names.ts'

/** What is made: a name in `.cache`, the paths whose contents it depends on, and how. `make` leaves a folder that `isMade` knows. */
export type Making = {
  readonly name: string
  readonly ingredients: readonly string[]
  readonly isMade: (folder: string) => boolean
  readonly make: (folder: string) => Promise<void>
}

const dayMs = 86_400_000

/** Removes what nobody has made for a day: a run that is under way may still use what was made before the last change. */
async function removeOld(kept: string): Promise<void> {
  for (const name of await readdir(kept)) {
    const path = join(kept, name)
    const made = await stat(path).catch(() => undefined)
    if (made !== undefined && Date.now() - made.mtimeMs > dayMs) await rm(path, { recursive: true, force: true })
  }
}

/** The folder of what is made, made now where nobody has. Files run beside each other: one of them makes it, the others wait. */
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
