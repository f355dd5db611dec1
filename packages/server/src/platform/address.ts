/** Where a service of this machine is reached, and the note of it that the command line reads. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer } from 'node:net'

/** The address of what listens on a host, as this machine reaches it: one that listens everywhere is reached here. */
export function addressHere(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * Leaves the address in the data folder for as long as the service runs, so that the command line in the same folder
 * finds it whatever the port is; answers how to take it away. A folder that cannot be written to keeps nobody from starting.
 */
export async function noteAddress(dataDir: string, url: string): Promise<() => Promise<void>> {
  const path = join(dataDir, 'address.json')
  const text = `${JSON.stringify({ url, pid: process.pid })}\n`
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const draft = `${path}.${process.pid}.tmp`
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, path)
  } catch {
    return async () => {}
  }
  return async () => {
    // Another service on the same folder may have written its own meanwhile.
    if ((await readFile(path, 'utf8').catch(() => '')) === text) await rm(path, { force: true })
  }
}

/** Throws as listening would (`EADDRINUSE` and the like); port 0 is always free. */
export async function refuseTakenPort(port: number, host: string): Promise<void> {
  if (port === 0) return
  const trial = createServer()
  await new Promise<void>((resolve, reject) => {
    trial.once('error', reject)
    trial.listen({ port, host, exclusive: true }, resolve)
  })
  await new Promise((resolve) => trial.close(resolve))
}
