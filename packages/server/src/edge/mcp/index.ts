/** `/mcp`: the agent tools over streamable HTTP, for clients of the current revision and of 2025 (G108). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bounds } from '@les/contract'
import { makeToolServer, reachesOperation, readView, toolsets, type View } from '@les/mcp'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, type McpRequestContext, type McpServer } from '@modelcontextprotocol/server'
import { Refusal } from '../../platform/refusal.ts'
import type { Dispatch, DispatchParts } from '../dispatch.ts'
import { discardBody, readJsonObject } from '../http/body.ts'
import type { Serve } from '../http/envelope.ts'
import { rateHeaders, type CountedIn } from '../http/rate-headers.ts'
import { readTarget } from '../http/target.ts'
import { OpenStreams, type OpenStream } from '../open-streams.ts'
import { whyRefused } from '../origin.ts'
import { failureReply, type Reply } from '../reply.ts'
import { challenge, readCredential, recognise, type Principal, type ToolSignIn } from './credentials.ts'
import { operationsFor } from './operations.ts'
import { answerInJson, bothKinds, acceptedFormat } from './accept.ts'
import { questionsOf } from './questions.ts'

/** Streams that wait for news of the tools, at once, per caller, team and process. */
export const toolStreamLimits = { caller: 5, team: 20, process: 1_000 } as const

export const mcpPath = '/mcp'

export type McpParts = DispatchParts & {
  readonly dispatch: Dispatch
  readonly signIn: ToolSignIn
}

/** `serve` answers itself (null), or returns a reply for a request that does not reach the SDK. */
type McpSurface = {
  readonly serve: Serve
  close(): Promise<void>
}

type Scope = {
  readonly principal: Principal
  readonly view: View
  readonly requestId: string
  readonly onCounted: (counted: CountedIn, now: Date) => void
  readonly inJson: boolean
}

const scopeOf = ({ authInfo }: Pick<McpRequestContext, 'authInfo'>): Scope => authInfo!.extra as unknown as Scope

/** Headers passed to the SDK; keys, cookies and addresses are not. */
const passedOn = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'last-event-id',
  'traceparent',
  'tracestate',
  'baggage',
]

const headersFor = (raw: IncomingMessage): Record<string, string | string[] | undefined> =>
  Object.fromEntries(
    Object.entries(raw.headers).filter(([name]) => passedOn.includes(name) || name.startsWith('mcp-param-')),
  )

const refused = ({ status, code, message, id }: Refused): Reply => ({
  status,
  headers: status === 429 ? { 'retry-after': '20' } : {},
  body: { jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null, error: { code, message } },
})

type Refused = { readonly status: number; readonly code: number; readonly message: string; readonly id?: unknown }

/** Never stored, and without the SDK's `connection` header: the caller may have asked to close, or the process be stopping. */
const unstored = (response: ServerResponse): Parameters<ReturnType<typeof toNodeHandler>>[1] => ({
  writeHead: (status, headers) => {
    const kept = Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() !== 'connection')
    return response.writeHead(status, { ...Object.fromEntries(kept), 'cache-control': 'no-store' })
  },
  write: (chunk) => response.write(chunk),
  end: (chunk) => response.end(chunk),
  on: (event, listener) => response.on(event, listener),
  get destroyed() {
    return response.destroyed
  },
})

interface ToolStream extends OpenStream, Admitted {}

async function stillRecognised(streams: readonly ToolStream[]): Promise<boolean[]> {
  const may: boolean[] = []
  for (const { principal, recogniseAgain } of streams) {
    const now = await recogniseAgain()
    may.push(now !== null && now.id === principal.id && now.teamId === principal.teamId)
  }
  return may
}

interface Admitted {
  readonly principal: Principal
  readonly view: View
  readonly recogniseAgain: () => Promise<Principal | null>
}

const notOneMessage =
  'Parse error: the body must be one JSON-RPC message, as a JSON object in UTF-8. ' +
  'A batch is not taken: send each of its messages in a request of its own.'

/** Who sent a message, and which tools they see; refuses an unknown key, path or toolset. */
async function admit(parts: McpParts, raw: IncomingMessage, url: string): Promise<Admitted> {
  const { segments, query } = readTarget(url, mcpPath)
  if (segments === null || segments.length > 1) throw new Refusal('no_such_endpoint')
  const header = (name: string) => raw.headers[name] as string | undefined
  const credential = readCredential(raw.headers, segments[0])
  const unknown = (key: 'missing_key' | 'invalid_key_header', message?: string) =>
    new Refusal(key, {}, message, { 'www-authenticate': challenge(parts.signIn) })
  if (credential === null)
    throw unknown('missing_key', 'Missing API key: send it as X-API-Key or as Authorization: Bearer')
  const principal = await recognise(credential, parts)
  if (principal === null) throw unknown('invalid_key_header')
  const asked = Object.fromEntries(query)
  const view = readView(
    { toolsets: asked.toolsets, readOnly: asked.readonly },
    { toolsets: header('x-mcp-toolsets'), readOnly: header('x-mcp-readonly') },
  )
  if ('unknown' in view)
    throw new Refusal('invalid_request', {}, `\`toolsets\` must name some of ${toolsets.join(', ')}`)
  return { principal, view, recogniseAgain: () => recognise(credential, parts) }
}

/** A message that calls no operation costs about as much as one that does; it counts in its own window, ten times as wide. */
async function countMessage(parts: McpParts, { principal, view }: Admitted, message: Message): Promise<void> {
  if (reachesOperation(view, message)) return
  await parts.dispatch.countSession(principal.teamId, { method: 'toolLists' }, await parts.clock.now(parts.db))
}

type Message = Readonly<Record<string, unknown>>

export function makeMcp(parts: McpParts): McpSurface {
  let underWay = 0
  let onIdle = () => {}
  const makeServer = (context: McpRequestContext): McpServer => {
    const { principal, view, requestId, onCounted } = scopeOf(context)
    const dispatch = operationsFor(parts, { principal, requestId, onCounted })
    return makeToolServer({
      dispatch,
      questions: questionsOf(parts, principal.teamId),
      view,
      newKey: () => parts.ids.uuid(new Date(parts.system.nowMs())),
    })
  }
  const handler = createMcpHandler(makeServer, {
    onerror: (error) => parts.log.info('agent tools', { error }),
    maxSubscriptions: toolStreamLimits.process,
    maxRequestBodySize: bounds.largeBodyBytes,
  })
  const answer = toNodeHandler({
    fetch: async (request, options = {}) =>
      (request.method === 'POST' && scopeOf(options).inJson
        ? await answerInJson(makeServer, request, options)
        : null) ?? (await handler.fetch(request, options)),
  })
  const streams = new OpenStreams<ToolStream>({ ...parts, limits: toolStreamLimits, mayStay: stillRecognised })

  return {
    serve: async ({ raw, response, url, requestId }) => {
      const stranger = whyRefused(raw.headers, raw.socket.localAddress)
      if (stranger !== null) {
        await discardBody(raw)
        return refused({ status: 403, code: -32_000, message: stranger })
      }
      let scope: Admitted
      let body: Record<string, unknown> | undefined
      try {
        scope = await admit(parts, raw, url)
        if (raw.method === 'POST') {
          body = await readJsonObject(raw, bounds.largeBodyBytes)
          await countMessage(parts, scope, body)
        }
      } catch (error) {
        await discardBody(raw)
        if (error instanceof Refusal && error.key === 'invalid_json')
          return refused({ status: 400, code: -32_700, message: notOneMessage })
        return failureReply(error, requestId, parts.log)
      }
      if (raw.method !== 'POST') await discardBody(raw)
      const onCounted: Scope['onCounted'] = (counted, now) => {
        if (!response.headersSent)
          for (const [name, value] of Object.entries(rateHeaders(counted, now))) response.setHeader(name, value)
      }
      const { principal, view } = scope
      const kind = acceptedFormat(raw.headers.accept)
      const extra = { principal, view, requestId, onCounted, inJson: kind === 'json' } satisfies Scope
      // The SDK gets the address without its key, and no other secret.
      const request = Object.assign((async function* () {})(), {
        method: raw.method ?? 'GET',
        url: mcpPath,
        headers: { ...headersFor(raw), ...(kind === null ? {} : { accept: bothKinds }), host: 'localhost' },
        auth: { token: '', clientId: principal.teamId, scopes: [], extra },
      })
      // A listening stream never ends by itself, so `close` does not wait for it.
      const ends = body?.method !== 'subscriptions/listen'
      const stream = { ...scope, response, callerId: principal.id, teamId: principal.teamId }
      const usedUp = ends ? null : streams.open(raw, stream)
      if (usedUp !== null) {
        const has = `${usedUp === 'caller' ? 'You have' : 'The team has'} ${toolStreamLimits[usedUp]} streams open`
        return refused({ status: 429, code: -32_000, message: `${has}: close one of them first`, id: body?.id })
      }
      if (ends) underWay++
      try {
        await parts.shards.ofTeam(principal.teamId, () => answer(request, unstored(response), body))
      } finally {
        if (ends && --underWay === 0) onIdle()
      }
      return null
    },
    close: async () => {
      if (underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve))
      await handler.close()
    },
  }
}

export { purgeSpendAnswers } from './questions.ts'
