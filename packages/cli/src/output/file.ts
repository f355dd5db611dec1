import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { usage } from '../failure.ts'
import { printNote, type Shell } from '../options.ts'

// Without it, spreadsheets read CSV in the system's code page instead of UTF-8 (G169).
const byteOrderMark = '\uFEFF'

/** `--output`: runs with a file as standard output. The file is renamed when complete, so that a failure keeps the old one. */
export async function intoFile(path: string, shell: Shell, run: (into: Shell) => Promise<void>): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`
  const refuse = (error: unknown): never => {
    throw usage(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'failed'})`)
  }
  let file = -1
  try {
    file = openSync(draft, 'wx', 0o600)
  } catch (error) {
    refuse(error)
  }
  try {
    const write = (text: string): void => {
      const bytes = Buffer.from(text)
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      } catch (error) {
        refuse(error)
      }
    }
    if (/\.csv$/i.test(path)) write(byteOrderMark)
    await run({ ...shell, stdout: { write, isTty: false, columns: shell.stdout.columns } })
    try {
      fsyncSync(file)
      renameSync(draft, path)
    } catch (error) {
      refuse(error)
    }
    printNote(shell, `${path} is written`)
  } finally {
    closeSync(file)
    rmSync(draft, { force: true })
  }
}
