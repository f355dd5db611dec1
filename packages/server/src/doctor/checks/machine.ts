/** The machine: room on the disk of the data folder, and whether it can be written. */
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Check, Finding } from '../check.ts'

const littleBytes = 2 * 1024 ** 3
const tooLittleBytes = 256 * 1024 ** 2

/** What free room means. */
export function judgeRoom(freeBytes: number, folder: string): Finding {
  const text = `${(freeBytes / 1024 ** 3).toFixed(1)} GB free under ${folder}`
  if (freeBytes < tooLittleBytes) return { level: 'bad', text, advice: 'make room: a full disk ends every write' }
  return freeBytes < littleBytes ? { level: 'warn', text, advice: 'make room soon' } : { level: 'ok', text }
}

/** The nearest folder that is there. */
async function nearest(folder: string): Promise<string> {
  return access(folder).then(
    () => folder,
    () => (dirname(folder) === folder ? folder : nearest(dirname(folder))),
  )
}

/** The check of the disk. */
export const disk: Check = {
  name: 'disk',
  about: 'room and rights in the data folder',
  run: async ({ config }) => {
    const folder = await nearest(config.dataDir)
    const { bavail, bsize } = await statfs(folder)
    const writable = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    )
    return [
      judgeRoom(bavail * bsize, folder),
      ...(writable
        ? []
        : [
            {
              level: 'bad',
              text: `${folder} cannot be written by this user`,
              advice: 'give it to the user of the service, or set LES_DATA_DIR',
            } satisfies Finding,
          ]),
    ]
  },
}
