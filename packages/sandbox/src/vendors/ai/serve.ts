import type { IncomingMessage } from 'node:http'
import type { Exchange } from '../exchange.ts'
import { playCall } from '../serve.ts'
import type { Reply, Vendor, VendorContext } from '../vendor.ts'
import { sayOn } from './answer.ts'
import { questionIn } from './question.ts'
import type { Body, Wire } from './wire.ts'
import { AI_WIRES } from './wires.ts'

const MAX_BODY = 8 * 1024 * 1024

/** The AI vendor whose address a path begins with. */
export function aiWireAt(path: string): Wire | undefined {
  return AI_WIRES.find(({ prefix }) => path.startsWith(`${prefix}/`))
}

/** The AI vendors' base addresses on a server. */
export function aiAddresses(url: string): Record<Wire['name'], string> {
  return Object.fromEntries(AI_WIRES.map(({ name, prefix }) => [name, url + prefix])) as Record<Wire['name'], string>
}

/**
 * Answers one call to an AI vendor; its entry in the log has `model`, `key`, `posts` (how many) and `maxOutputTokens` as its query.
 *
 * Any key works but `bad-key`, any model but those that begin with `missing-`.
 */
export async function serveAi(wire: Wire, exchange: Exchange): Promise<void> {
  const { request, path } = exchange
  const text = await bodyOf(request)
  const body = objectIn(text)
  const asked = body && wire.asked(path.slice(wire.prefix.length), body)
  const key = wire.keyOf(request.headers)
  const question = questionIn(textIn(body))
  const query = {
    model: asked?.model ?? '',
    key,
    posts: String(question?.posts.length ?? 0),
    maxOutputTokens: String(asked?.maxOutputTokens ?? ''),
  }
  const refusal = (): Reply | undefined => {
    if (request.method !== 'POST') return wire.failure(405, 'Method not allowed')
    if (key === '' || key === 'bad-key') return wire.badKey()
    if (!body) return wire.failure(400, 'We could not parse the JSON body of your request.')
    if (!asked) return wire.failure(404, `Unknown request URL: ${request.method} ${path}`)
    return asked.model.startsWith('missing-') ? wire.unknownModel(asked.model) : undefined
  }
  const failure = (status: number, message: string): Reply => wire.failure(status, message)
  const vendor: Vendor = {
    name: wire.name,
    prefix: wire.prefix,
    limitsInFlight: false,
    operationAt: () => asked?.operation,
    keyOf: () => key,
    refuse: refusal,
    failure,
    failureIn200: () => ({
      ...wire.failure(500, 'The server had an error while processing your request.'),
      status: 200,
    }),
    notFound: () => wire.unknownModel(asked?.model ?? ''),
    answer: ({ fault, account }: VendorContext) => ({
      status: 200,
      body: wire.reply({ asked: asked!, body: body!, said: sayOn(question, fault), number: account.spent++ }),
    }),
  }
  await playCall(vendor, exchange, { operation: asked?.operation ?? path, query, refusal: refusal() })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MAX_BODY) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function objectIn(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined
  } catch {
    return undefined
  }
}

/** Every text of a request, whatever its vendor's shape, one under the other. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(textIn).join('\n')
}
