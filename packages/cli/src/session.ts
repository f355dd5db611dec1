/** What one command works with: where the service is, who asks, and how the answer is wanted. */
import { createClient, interfaceVersion, type CallInput, type Operation, type OperationId, type OperationOf, type Result } from '@les/contract'
import { exitCodes } from './exit-codes.ts'
import { Failure } from './failure.ts'
import type { Io } from './io.ts'
import { createTransport, type RawAnswer } from './transport.ts'

/** The options every command takes. */
export type GlobalOptions = { readonly json?: boolean; readonly apiKey?: string; readonly baseUrl?: string; readonly idempotencyKey?: string; readonly showSecret?: boolean }

/** An answer parsed, and as it came. */
export type Answer<Value = Readonly<Record<string, unknown>>> = { readonly value: Value; readonly raw: RawAnswer }

/** Calls the service for one command. */
export type Session = {
  readonly options: GlobalOptions
  /** Calls an operation; rejects with `ApiError` when it is refused. */
  readonly call: (operation: Operation, input: Readonly<Record<string, unknown>>) => Promise<Answer>
  /** The same with the types of a known operation. */
  readonly ask: <Id extends OperationId>(id: Id, input: CallInput<OperationOf<Id>>) => Promise<Answer<Result<OperationOf<Id>>>>
  /** Sends any request below the service's address. */
  readonly send: (method: string, path: string, body: string | undefined) => Promise<RawAnswer>
  /** The answer that came last, whatever it was. */
  readonly last: () => RawAnswer | undefined
}

/** Where the service is when nothing says otherwise. */
export const defaultBaseUrl = 'http://127.0.0.1:8080'

function readBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.origin
  throw new Failure(exitCodes.usage, `${text} is not the address of a service: give one such as ${defaultBaseUrl} with --base-url or LES_BASE_URL`)
}

/** Opens a session: flags go before the environment. Refuses when there is no key or the address is none. */
export function openSession(options: GlobalOptions, io: Io): Session {
  const baseUrl = readBaseUrl(options.baseUrl || io.env.LES_BASE_URL || defaultBaseUrl)
  const apiKey = options.apiKey || io.env.LES_API_KEY
  if (!apiKey) throw new Failure(exitCodes.signIn, 'no API key')
  const userAgent = `les-cli/${interfaceVersion}`
  const transport = createTransport(io)
  const client = createClient({ baseUrl, apiKey, fetch: transport.fetch, userAgent })
  const settings = options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }
  const call: Session['call'] = async (operation, input) => {
    const method = client[operation.id as OperationId] as (input: unknown, settings: unknown) => Promise<Readonly<Record<string, unknown>>>
    const value = await method(input, operation.method === 'GET' ? {} : settings)
    return { value, raw: transport.last()! }
  }
  return {
    options,
    last: transport.last,
    call,
    ask: async (id, input) => {
      const value = await client[id](input as never)
      return { value: value as never, raw: transport.last()! }
    },
    send: async (method, path, body) => {
      await transport.fetch(new URL(path, baseUrl), {
        method,
        headers: {
          'x-api-key': apiKey,
          accept: 'application/json',
          'user-agent': userAgent,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
        },
        ...(body === undefined ? {} : { body }),
      })
      return transport.last()!
    },
  }
}
