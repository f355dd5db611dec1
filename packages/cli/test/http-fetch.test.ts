/** The command line's HTTP client, on raw sockets. */
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { httpFetch } from '../src/http-fetch.ts'
import { les } from './shell.ts'

const open: Server[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve))
})

async function listening(server: Server): Promise<string> {
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const answering = (...pieces: string[]): Promise<string> =>
  listening(
    createServer((socket: Socket) => {
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.once('data', async () => {
        for (const piece of pieces) {
          socket.write(piece, 'latin1')
          await new Promise((resolve) => setTimeout(resolve, 2))
        }
        socket.end()
      })
    }),
  )

const speaking = (listener: RequestListener): Promise<string> => listening(createHttp(listener))

const goOn = 'HTTP/1.1 100 Continue\r\nServer: IIS\r\n\r\n'
const processing = 'HTTP/1.1 102 Processing\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n'
const answer = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const keys = JSON.stringify({ keys: [], quota: { used: 0, max: 10, remaining: 10 } })

describe('interim answers', () => {
  it.each([
    ['100', [goOn + answer('200 OK', keys)]],
    ['100 in a packet of its own', [goOn, answer('200 OK', keys)]],
    ['100, 102 and 103', [goOn + processing, hints, answer('200 OK', keys)]],
    ['several', [goOn + goOn, goOn, answer('200 OK', keys)]],
    ['a cut one', ['HTTP/1.1 10', `0 Continue\r\n\r\n${answer('200 OK', keys)}`]],
  ])('are passed over by commands: %s [WLD-04]', async (_what, pieces) => {
    const { code, stdout, stderr } = await les('keys list --json', { url: await answering(...pieces) })
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ quota: { max: 10 } })
  })
  it('leave a refusal behind them what it is [WLD-04]', async () => {
    const url = await answering(goOn, answer('401 Unauthorized', JSON.stringify({ error: 'Invalid key' })))
    const response = await httpFetch(`${url}/x`, { method: 'POST', body: '{}' })
    expect([response.status, await response.json()]).toEqual([401, { error: 'Invalid key' }])
  })
})

describe('answers', () => {
  it('are read as Node reads them: compressed, repeated headers, without a body, redirects as they are', async () => {
    const url = await speaking((request, response) => {
      const { url: path = '' } = request
      if (path === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('zipped'))
      else if (path === '/br') response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('brotli'))
      else if (path === '/none') response.writeHead(204).end()
      else if (path === '/away') response.writeHead(302, { location: '/gzip' }).end()
      else response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end(request.headers['accept-encoding'])
    })
    expect(await (await httpFetch(`${url}/gzip`)).text()).toBe('zipped')
    expect(await (await httpFetch(new URL('/br', url))).text()).toBe('brotli')
    expect((await httpFetch(`${url}/none`)).status).toBe(204)
    expect((await httpFetch(`${url}/away`)).status).toBe(302)
    const plain = await httpFetch(`${url}/`)
    expect([plain.headers.getSetCookie(), await plain.text()]).toEqual([['a=1', 'b=2'], 'gzip, br'])
  })
  it('that do not come reject as those of fetch: with the code of the connection, or with what ended the wait', async () => {
    const url = await listening(createServer((socket) => void socket.on('error', () => {}).resume()))
    await expect(httpFetch(url, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' })
    const cut = await answering('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')
    await expect(httpFetch(cut)).rejects.toThrow(TypeError)
    await expect(httpFetch('http://127.0.0.1:1/')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  })
})
