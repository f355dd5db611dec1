/** Whether a port is free, asked before anything is made that would be left behind when it is not. */
import { createServer } from 'node:net'

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
