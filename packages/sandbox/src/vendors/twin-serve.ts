/** Common parts of the JSON twins: bearer token, scopes, rate window, one route per operation. */
import { objectIn, readBody, type Exchange, type Reply } from './exchange.ts'
import { playCall } from './serve.ts'
import type { Answering } from './vendor.ts'

const MAX_BODY = 8 * 1024 * 1024

/** A refusal in the platform's format. */
export class TwinRefusal extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super(`refused with ${reply.status}`)
    this.reply = reply
  }
}

/** The input of an operation; `path` holds its open parts. */
export type TwinInput = {
  readonly key: string
  readonly path: readonly string[]
  readonly body: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly now: Date
}

/** An operation; `*` in its pattern is an open part. */
export type TwinRoute = {
  readonly name: string
  readonly scopes?: (input: TwinInput) => readonly string[]
  /** A POST that counts as a read. */
  readonly isRead?: true
  readonly answer: (input: TwinInput) => Reply
}

export type TwinWire = {
  readonly name: string
  readonly prefix: string
  readonly routes: Readonly<Record<string, TwinRoute>>
  readonly failure: (status: number, message: string) => Reply
  readonly missingScopes: (scopes: readonly string[]) => Reply
  readonly quota: (now: Date) => Reply
  /** Calls per credential and window of the world's clock; with `writes`, writes have a limit of their own. */
  readonly window: {
    readonly calls: number
    readonly writes?: number
    readonly ms: number
    readonly refuse: (now: Date) => Reply
  }
}

/** Any token of eight or more characters works unless it contains `revoked`; `no-X-scope` removes scopes that contain X. */
export const lacksScope = (key: string, scope: string): boolean =>
  [...key.matchAll(/no-([a-z]+)-scope/g)].some(([, word]) => scope.includes(word!))

const isWellFormed = (key: string): boolean => /^[\x21-\x7e]{8,2000}$/.test(key) && !key.includes('revoked')

/** Serves a platform's calls; `forget` empties the rate windows. */
export function openTwinServer(wire: TwinWire): { serve(exchange: Exchange): Promise<void>; forget(): void } {
  const windows = new Map<string, number[]>()
  const routes = Object.entries(wire.routes).map(([pattern, route]) => ({ parts: pattern.split(/[ /]/), route }))
  const routeAt = (method: string, path: string) => {
    const asked = `${method} ${path}`.split(/[ /]/)
    for (const { parts, route } of routes) {
      if (parts.length !== asked.length || !parts.every((part, at) => part === '*' || part === asked[at])) continue
      return { route, open: asked.filter((_, at) => parts[at] === '*').map(decodeURIComponent) }
    }
    return undefined
  }
  const isOver = (key: string, isWrite: boolean, now: Date): boolean => {
    const { calls, writes, ms } = wire.window
    const counted =
      isWrite && writes !== undefined ? { name: `write ${key}`, most: writes } : { name: key, most: calls }
    const recent = (windows.get(counted.name) ?? []).filter((at) => at > now.getTime() - ms)
    const over = recent.length >= counted.most
    windows.set(counted.name, over ? recent : [...recent, now.getTime()])
    return over
  }
  async function serve(exchange: Exchange): Promise<void> {
    const { inside, request, path, query } = exchange
    const found = routeAt(request.method ?? 'GET', path.slice(wire.prefix.length))
    const text = await readBody(request, MAX_BODY)
    const isForm = (request.headers['content-type'] ?? '').includes('form-urlencoded')
    const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : text === '' ? {} : objectIn(text)
    const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const input: TwinInput = {
      key,
      path: found?.open ?? [],
      body: body ?? {},
      query,
      headers: request.headers as Record<string, string>,
      now: inside.clock.now(),
    }
    const refusal = (): Reply | undefined => {
      if (!found) return wire.failure(404, `No route for ${request.method} ${path}`)
      if (found.route.scopes && !isWellFormed(key)) return wire.failure(401, 'Invalid token')
      const isWrite = request.method !== 'GET' && !found.route.isRead
      if (isOver(key, isWrite, input.now)) return wire.window.refuse(input.now)
      const missing = (found.route.scopes?.(input) ?? []).filter((scope) => lacksScope(key, scope))
      if (missing.length > 0) return wire.missingScopes(missing)
      return body ? undefined : wire.failure(400, 'Invalid input JSON')
    }
    const answering: Answering = {
      name: wire.name,
      answer() {
        try {
          return found!.route.answer(input)
        } catch (error) {
          if (error instanceof TwinRefusal) return error.reply
          throw error
        }
      },
      failure: wire.failure,
      failureIn200: () => ({ status: 200, body: { ok: false, error: 'fatal_error' } }),
      notFound: () => wire.failure(404, 'Not found'),
      quota: ({ now }) => wire.quota(now),
    }
    await playCall(answering, exchange, {
      operation: found?.route.name ?? path,
      query: { ...query, ...(found?.open[0] ? { object: found.open[0] } : {}) },
      refusal: refusal(),
    })
  }
  return { serve, forget: () => windows.clear() }
}
