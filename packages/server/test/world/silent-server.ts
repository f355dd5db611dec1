/** A server that takes what it is sent and answers nothing, as one that is paused or cut off does. */
import { createServer, type AddressInfo, type Socket } from 'node:net'

/** A running one. */
export type SilentServer = {
  readonly port: number
  /** Resolves once somebody has sent it something. */
  readonly asked: Promise<void>
  close(): void
}

/** Starts one; `hangsUp`: it closes what the other side has closed, as its machine does while the server is only slow. */
export async function openSilentServer({ hangsUp }: { readonly hangsUp: boolean }): Promise<SilentServer> {
  const asked = Promise.withResolvers<void>()
  const sockets: Socket[] = []
  const server = createServer({ allowHalfOpen: !hangsUp }, (socket) => {
    sockets.push(socket)
    socket.on('error', () => {}).on('data', () => asked.resolve())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    asked: asked.promise,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
