import { objectIn, ok, readBody, type Exchange, type Reply } from '../exchange.ts'
import { playCall } from '../serve.ts'
import type { Answering } from '../vendor.ts'
import { questionIn, sayOn } from './model.ts'
import type { Wire } from './wires.ts'

const MAX_BODY = 8 * 1024 * 1024

/** Logs `model`, `key`, `posts` (number) and `maxOutputTokens` as the query. `bad-key` and models `missing-…` are refused. */
export async function serveAi(wire: Wire, exchange: Exchange): Promise<void> {
  const { request, path } = exchange
  const body = objectIn(await readBody(request, MAX_BODY))
  const asked = body && wire.asked(path.slice(wire.prefix.length), body)
  const key = wire.keyOf(request.headers)
  const question = questionIn(textIn(body))
  const refusal = (): Reply | undefined => {
    if (request.method !== 'POST') return wire.failure(405, 'Method not allowed')
    if (key === '' || key === 'bad-key') return wire.badKey()
    if (!body) return wire.failure(400, 'We could not parse the JSON body of your request.')
    if (!asked) return wire.failure(404, `Unknown request URL: ${request.method} ${path}`)
    return asked.model.startsWith('missing-') ? wire.unknownModel(asked.model) : undefined
  }
  const vendor: Answering = {
    name: wire.name,
    failure: wire.failure,
    failureIn200: () => ({
      ...wire.failure(500, 'The server had an error while processing your request.'),
      status: 200,
    }),
    notFound: () => wire.unknownModel(asked?.model ?? ''),
    answer: ({ fault, account }) =>
      ok(wire.reply({ asked: asked!, body: body!, said: sayOn(question, fault), number: account.spent++ })),
  }
  const query = {
    model: asked?.model ?? '',
    key,
    posts: String(question?.posts.length ?? 0),
    maxOutputTokens: String(asked?.maxOutputTokens ?? ''),
  }
  await playCall(vendor, exchange, { operation: asked?.operation ?? path, query, key, refusal: refusal() })
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(textIn).join('\n')
}
