import { createServer as createHttp, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'

/** A listener on loopback that records what reached it. */
export type Receiver = {
  port: number
  url: string
  connections: () => number
  requests: string[]
  open: () => number
  close(): Promise<void>
}

/** An HTTP receiver. */
export async function httpReceiver(listener: RequestListener): Promise<Receiver> {
  const requests: string[] = []
  const server = createHttp((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    listener(request, response)
  })
  return listen(server, requests)
}

/** A receiver of raw bytes; `allowHalfOpen`: it does not close when the other side does. */
export async function tcpReceiver(
  onSocket: (socket: Socket) => void,
  how: { readonly allowHalfOpen?: boolean } = {},
): Promise<Receiver> {
  return listen(createTcp(how, onSocket), [])
}

async function listen(
  server: ReturnType<typeof createTcp> | ReturnType<typeof createHttp>,
  requests: string[],
): Promise<Receiver> {
  let connections = 0
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections += 1
    open.add(socket)
    // Unread data would hide the other side's end.
    socket.resume()
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    open: () => open.size,
    requests,
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
