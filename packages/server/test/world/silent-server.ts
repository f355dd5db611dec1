/** A TCP server that accepts data and never answers, like a paused or unreachable server. */
import { tcpReceiver, type Receiver } from '../egress/receivers.ts'

/** `asked` resolves when the server has received data. */
export type SilentServer = Pick<Receiver, 'port' | 'close'> & { readonly asked: Promise<void> }

/** Starts a server. `hangsUp`: it closes a connection that the client closes, as the kernel does for a slow process. */
export async function openSilentServer({ hangsUp }: { readonly hangsUp: boolean }): Promise<SilentServer> {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const { port, close } = await tcpReceiver((socket) => void socket.once('data', () => resolve()), {
    allowHalfOpen: !hangsUp,
  })
  return { port, close, asked }
}
