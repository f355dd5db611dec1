/** Twins of platforms that receive leads: each stores what it gets by credential, in its platform's wire format. */
import { createCache } from '../world/cache.ts'
import { objectIn, readBody, type Exchange, type Reply } from './exchange.ts'
import { playCall } from './serve.ts'

export type Twin = {
  readonly prefix: string
  serve(exchange: Exchange): Promise<void>
  view(key: string): unknown
  /** A manual change (archive a field, delete a record …); throws when invalid. */
  change(key: string, change: unknown): void
  clear(): void
}

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
export type TwinInput<Account> = {
  readonly key: string
  readonly account: Account
  readonly path: readonly string[]
  readonly body: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly now: Date
}

type Operation<Account> = (input: TwinInput<Account>) => Reply

type Scopes = (path: readonly string[]) => readonly string[]

/** Without `scopes` it takes no token. `isRead`: a POST that counts as a read. */
type TwinRoute<Account> = {
  readonly name: string
  readonly scopes?: Scopes
  readonly isRead?: true
  readonly answer: Operation<Account>
}

/** An operation for tokens with these scopes. */
export const route = <Account>(name: string, scopes: Scopes, answer: Operation<Account>): TwinRoute<Account> => ({
  name,
  scopes,
  answer,
})

/** A JSON platform with bearer tokens. */
type TwinWire<Account> = {
  readonly name: string
  /** An empty account; `nth` counts from 0. */
  readonly open: (nth: number) => Account
  /** The account of a token; by default each token has its own. */
  readonly accountOf?: (token: string) => string
  /** By method and path; `*` is an open part. */
  readonly routes: Readonly<Record<string, TwinRoute<Account>>>
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
  readonly view: (account: Account) => unknown
  readonly change: (account: Account, change: unknown) => void
}

/** Any token of eight or more characters works unless it contains `revoked`; `no-X-scope` removes scopes that contain X. */
export const lacksScope = (key: string, scope: string): boolean =>
  [...key.matchAll(/no-([a-z]+)-scope/g)].some(([, word]) => scope.includes(word!))

const isWellFormed = (key: string): boolean => /^[\x21-\x7e]{8,2000}$/.test(key) && !key.includes('revoked')

/** Fields of a JSON value; none for anything but an object. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

/** An empty twin. */
export function createTwin<Account>(wire: TwinWire<Account>): Twin {
  const { name, accountOf = (token) => token } = wire
  const prefix = `/${name}`
  const accounts = createCache<string, Account>()
  const windows = new Map<string, number[]>()
  const accountAt = (id: string): Account => accounts.get(id, () => wire.open(accounts.size()))
  const routes = Object.entries(wire.routes).map(([pattern, each]) => ({ parts: pattern.split(/[ /]/), route: each }))
  const routeAt = (method: string, path: string) => {
    const asked = `${method} ${path}`.split(/[ /]/)
    for (const { parts, route: found } of routes) {
      if (parts.length !== asked.length || !parts.every((part, at) => part === '*' || part === asked[at])) continue
      return { route: found, open: asked.filter((_, at) => parts[at] === '*').map(decodeURIComponent) }
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
    const found = routeAt(request.method ?? 'GET', path.slice(prefix.length))
    const text = await readBody(request, MAX_BODY)
    const isForm = (request.headers['content-type'] ?? '').includes('form-urlencoded')
    const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : text === '' ? {} : objectIn(text)
    const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const now = inside.clock.now()
    const open = found?.open ?? []
    const refusal = (): Reply | undefined => {
      if (!found) return wire.failure(404, `No route for ${request.method} ${path}`)
      const { scopes, isRead } = found.route
      if (scopes && !isWellFormed(key)) return wire.failure(401, 'Invalid token')
      if (isOver(key, request.method !== 'GET' && !isRead, now)) return wire.window.refuse(now)
      const missing = (scopes?.(open) ?? []).filter((scope) => lacksScope(key, scope))
      if (missing.length > 0) return wire.missingScopes(missing)
      return body ? undefined : wire.failure(400, 'Invalid input JSON')
    }
    const answer = (): Reply => {
      const headers = request.headers as Record<string, string>
      try {
        const account = accountAt(accountOf(key))
        return found!.route.answer({ key, account, path: open, body: body ?? {}, query, headers, now })
      } catch (error) {
        if (error instanceof TwinRefusal) return error.reply
        throw error
      }
    }
    const vendor = {
      name,
      answer,
      failure: wire.failure,
      failureIn200: () => ({ status: 200, body: { ok: false, error: 'fatal_error' } }),
      quota: () => wire.quota(inside.clock.now()),
    }
    await playCall(vendor, exchange, {
      operation: found?.route.name ?? path,
      query: { ...query, ...(open[0] ? { object: open[0] } : {}) },
      refusal: refusal(),
    })
  }
  return {
    prefix,
    serve,
    view: (id) => wire.view(accountAt(id)),
    change: (id, change) => wire.change(accountAt(id), change),
    clear: () => {
      accounts.clear()
      windows.clear()
    },
  }
}
