/** One outbound request. */
export type EgressRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Bounds the whole exchange: name look-up, connect, TLS, headers and body. */
  timeoutMs: number
  /** At most so many bytes of the answer's body are read. */
  maxBytes: number
  /** What a longer body means; `fail` when not said. */
  onTooLarge?: 'fail' | 'truncate'
  signal?: AbortSignal
}

/** An answer, whatever its status; redirects are answers, never followed. */
export type EgressResponse = {
  status: number
  /** Names in lower case; repeated headers are joined by `, `. */
  headers: Record<string, string>
  body: Buffer
  /** The body was longer than `maxBytes` and was cut there. */
  truncated: boolean
  elapsedMs: number
}

/** Why no answer came. */
export type EgressFailureKind = 'refused_address' | 'timeout' | 'connection' | 'too_large' | 'aborted'

/** An exchange that brought no answer; the message is fit for a customer's eyes and carries no internals. */
export class EgressFailure extends Error {
  override readonly name = 'EgressFailure'
  readonly kind: EgressFailureKind
  /** False: not a byte of the request left. */
  sent: boolean
  constructor(kind: EgressFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.sent = kind !== 'refused_address'
  }
}

/** A way out of the service. */
export interface Egress {
  /** Resolves with any HTTP answer; rejects with `EgressFailure` and nothing else. */
  request(r: EgressRequest): Promise<EgressResponse>
  /** Gives up what is in flight (`aborted`) and closes every connection; later requests are refused as `aborted`. */
  close(): Promise<void>
}

/** One resolved address of a host. */
export type ResolvedAddress = { address: string; family: 4 | 6 }

/** Resolves a host name to all its addresses; rejects when there are none. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]>
