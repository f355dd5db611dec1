/** A server that takes what it is sent and answers nothing, as one that is paused or cut off does. */
import { tcpReceiver, type Receiver } from '../egress/receivers.ts'

/** A running one; `asked` resolves once somebody has sent it something. */
export type SilentServer = Pick<Receiver, 'port' | 'close'> & { readonly asked: Promise<void> }

/** Starts one; `hangsUp`: it closes what the other side has closed, as its machine does while the server is only slow. */
export async function openSilentServer({ hangsUp }: { readonly hangsUp: boolean }): Promise<SilentServer> {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const { port, close } = await tcpReceiver((socket) => void socket.once('data', () => resolve()), {
    allowHalfOpen: !hangsUp,
  })
  return { port, close, asked }
}
