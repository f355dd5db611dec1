import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes that a test run may need at once: its own PostgreSQL cluster and those of the processes it starts. */
const roomy = 3 * 1024 ** 3

/** /dev/shm if it has room: on disk, creating and removing a database's hundreds of files is ten times slower. */
async function fastest(): Promise<string> {
  if (process.env.TMPDIR) return tmpdir()
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory && memory.bavail * memory.bsize > roomy ? '/dev/shm' : tmpdir()
}

/** Makes a folder that other users may enter: PostgreSQL does not run as root, and containers forbid user namespaces. */
export async function temporaryFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(await fastest(), prefix))
  await chmod(folder, 0o711)
  return folder
}

/** Copies a folder and keeps the owners, because a cluster must belong to the user that runs its server. */
export const copyFolder = (from: string, to: string): void => {
  execFileSync('cp', ['-a', from, to])
}
