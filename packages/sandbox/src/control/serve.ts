import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Exchange } from '../vendors/exchange.ts'
import { CONTROL_ROUTES, ControlError } from './routes.ts'

const MAX_BODY = 64 * 1024 * 1024

/** Answers one `/control/...` request; whatever makes no sense gets 400 (or 404, 405) and `{error}`. */
export async function serveControl(exchange: Exchange): Promise<void> {
  const { response } = exchange
  try {
    const result = await run(exchange)
    reply(response, 200, result)
  } catch (error) {
    if (error instanceof ControlError) return reply(response, error.status, { error: error.message })
    if (error instanceof z.ZodError) return reply(response, 400, { error: z.prettifyError(error) })
    reply(response, 400, { error: error instanceof Error ? error.message : 'the request failed' })
  }
}

async function run({ inside, request, path, query }: Exchange): Promise<unknown> {
  const [group = '', name, ...rest] = path
    .replace(/^\/control\/?/, '')
    .replace(/\/+$/, '')
    .split('/')
  const pattern = [group, ...(name === undefined ? [] : ['*']), ...rest].join('/')
  const route = CONTROL_ROUTES[`${request.method} ${pattern}`]
  if (!route)
    throw new ControlError(
      Object.keys(CONTROL_ROUTES).some((key) => key.endsWith(` ${pattern}`)) ? 405 : 404,
      `no ${request.method} ${path}; there are: ${Object.keys(CONTROL_ROUTES).join(', ')}`,
    )
  return route(inside.world, { name: decodeURIComponent(name ?? ''), body: await readJson(request), query })
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY) throw new ControlError(400, 'the body is too large')
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new ControlError(400, 'the body is not JSON')
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'x-sandbox': 'true',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
