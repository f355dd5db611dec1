import { errorTable, type ErrorDetails, type ErrorKey } from '@les/contract'

/** The caller's situation forbids the request: no outage and no bug. The edge answers with the row of the error table. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly key: ErrorKey
  readonly details: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  constructor(
    key: ErrorKey,
    details: Readonly<Record<string, unknown>> = {},
    message?: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message ?? errorTable[key].message)
    this.key = key
    this.details = details
    this.headers = headers
  }
}

type Optional<K extends ErrorKey> =
  Record<never, never> extends ErrorDetails<K>
    ? [details?: ErrorDetails<K>, message?: string]
    : [details: ErrorDetails<K>, message?: string]

/** Throws a refusal; the error table types `details`. */
export function refuse<K extends ErrorKey>(key: K, ...[details, message]: Optional<K>): never {
  throw new Refusal(key, details ?? {}, message)
}

/** A refusal to return from a unit of work whose writes must stay (C1: the failed job of an unknown lead). */
export function refusal<K extends ErrorKey>(key: K, ...[details, message]: Optional<K>): Refusal {
  return new Refusal(key, details ?? {}, message)
}
