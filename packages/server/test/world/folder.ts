/** Temporary folders of tests. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes that a run of the tests may need at once: a cluster for the run, and those of the processes under test. */
const roomy = 3 * 1024 ** 3

/**
 * Memory where there is plenty of it (a database is hundreds of files, and a disk makes and removes them ten times
 * slower), else the usual place.
 */
async function fastest(): Promise<string> {
  if (process.env.TMPDIR) return tmpdir()
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory && memory.bavail * memory.bsize > roomy ? '/dev/shm' : tmpdir()
}

/**
 * Makes one that others may pass through: root's database runs as another user, and a container forbids the namespace
 * that would help otherwise.
 */
export async function temporaryFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(await fastest(), prefix))
  await chmod(folder, 0o711)
  return folder
}

/** Copies a folder with the owners of what is in it: a cluster belongs to the user that its server runs as. */
export const copyFolder = (from: string, to: string): void => {
  execFileSync('cp', ['-a', from, to])
}
