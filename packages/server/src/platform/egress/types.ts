export type EgressRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array | undefined
  /** For the whole exchange: look-up, connect, TLS, headers and body. */
  timeoutMs: number
  /** The most bytes of the answer's body. */
  maxBytes: number
  /** `fail` by default. */
  onTooLarge?: 'fail' | 'truncate'
  signal?: AbortSignal | undefined
}

/** An answer with any status; redirects are answers too. */
export type EgressResponse = {
  status: number
  /** Lower-case names; repeated headers are joined by `, `. */
  headers: Record<string, string>
  body: Buffer
  truncated: boolean
  elapsedMs: number
}

export type EgressFailureKind = 'refused_address' | 'timeout' | 'connection' | 'too_large' | 'aborted'

/** No answer; the message is fit for customers and reveals no internals. */
export class EgressFailure extends Error {
  override readonly name = 'EgressFailure'
  readonly kind: EgressFailureKind
  /** False when not a byte of the request was sent. */
  sent: boolean
  constructor(kind: EgressFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.sent = kind !== 'refused_address'
  }
}

export interface Egress {
  /** Resolves with any HTTP answer; rejects only with `EgressFailure`. */
  request(r: EgressRequest): Promise<EgressResponse>
  /** Aborts running and later requests (`aborted`), and closes all connections. */
  close(): Promise<void>
}

export type ResolvedAddress = { address: string; family: 4 | 6 }

/** Resolves a name to all its addresses; rejects without any. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]>
