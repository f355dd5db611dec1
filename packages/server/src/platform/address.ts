import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer } from 'node:net'

/** The URL at which this machine reaches a listener on `host`. */
export function addressHere(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Notes the address in the data folder for the command line; returns the removal. A folder that is not writable is no error. */
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
    // Another service on the same folder may have overwritten the file.
    if ((await readFile(path, 'utf8').catch(() => '')) === text) await rm(path, { force: true })
  }
}

/** Throws as `listen` would (`EADDRINUSE` …) when the port is taken; port 0 never is. */
export async function refuseTakenPort(port: number, host: string): Promise<void> {
  if (port === 0) return
  const trial = createServer()
  await new Promise<void>((resolve, reject) => {
    trial.once('error', reject)
    trial.listen({ port, host, exclusive: true }, resolve)
  })
  await new Promise((resolve) => trial.close(resolve))
}
