/**
 * A receiver of deliveries that counts what it gets. One that takes its time answers from a thread of its own: beside the service its
 * timer would come late whenever the service has something to do, and that would be measured as the service's.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** A running receiver. */
export type Receiver = {
  readonly url: string
  received(): number
  close(): Promise<void>
}

type Given = { readonly takesMs: number; readonly counter: Int32Array }

/** Listens; answers the port. */
function listen({ takesMs, counter }: Given) {
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      Atomics.add(counter, 0, 1)
      const answer = () => response.writeHead(200).end('ok')
      if (takesMs === 0) answer()
      else setTimeout(answer, takesMs)
    })
  })
  const port = new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
  return { server, port }
}

/** Starts one that answers after so many milliseconds. */
export async function openReceiver(takesMs: number): Promise<Receiver> {
  const counter = new Int32Array(new SharedArrayBuffer(4))
  const given: Given = { takesMs, counter }
  const at = (port: number) => `http://127.0.0.1:${port}/hook`
  const received = () => Atomics.load(counter, 0)
  if (takesMs > 0) {
    const thread = new Worker(new URL(import.meta.url), { workerData: given })
    const port = await new Promise<number>((resolve) => thread.once('message', resolve))
    return { url: at(port), received, close: async () => void (await thread.terminate()) }
  }
  const { server, port } = listen(given)
  return {
    url: at(await port),
    received,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

if (!isMainThread) parentPort?.postMessage(await listen(workerData as Given).port)
