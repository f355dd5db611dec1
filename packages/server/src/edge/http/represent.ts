/** A reply as bytes: JSON, a weak validator where one was asked for, compressed where that is worth it. */
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256 } from '../../platform/secrets.ts'
import type { Reply } from '../reply.ts'

/** What goes over the wire. */
type Representation = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string | Buffer | undefined
}

const minCompressedLength = 1_024
const compressors = {
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text: string) => promisify(gzip)(text, { level: 5 }),
} as const

/** The ways to compress that we speak. */
type Encoding = keyof typeof compressors

/**
 * The best encoding a caller accepts of those offered (RFC 9110 §12.5.3); null for none. Anybody can send this header: reading it
 * takes time in proportion to its length.
 */
export function encodingOf(
  accepted: string | string[] | undefined,
  offered: readonly Encoding[] = ['br', 'gzip'],
): Encoding | null {
  const wanted = new Map(
    String(accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((offer) => {
        const [name, ...parameters] = offer.split(';').map((part) => part.trim())
        const quality = parameters.find((parameter) => parameter.startsWith('q='))
        return [name!, quality === undefined ? 1 : Number(quality.slice(2)) || 0] as const
      }),
  )
  const quality = (name: string) => wanted.get(name) ?? wanted.get('*') ?? 0
  const best = offered.toSorted((one, other) => quality(other) - quality(one))[0]
  return best !== undefined && quality(best) > 0 ? best : null
}

/** The tag of some content, without its quotes. */
export const tagOf = (content: string | Buffer): string => sha256(content).toString('base64url').slice(0, 27)

/** True when one of the tags of `If-None-Match` is this one, compared weakly. */
export function isKnown(asked: string | undefined, etag: string): boolean {
  if (asked === undefined) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return asked.trim() === '*' || asked.split(',').some((tag) => opaque(tag) === opaque(etag))
}

/** Documents, by the one reply that everybody gets without a key, in the forms they were asked for. */
const documents = new WeakMap<Reply, Map<Encoding, Promise<Buffer>>>()

function compress(reply: Reply, text: string, encoding: Encoding): Promise<Buffer> {
  if (reply.isDocument !== true) return compressors[encoding](text)
  const forms = documents.get(reply) ?? new Map<Encoding, Promise<Buffer>>()
  const form = forms.get(encoding) ?? compressors[encoding](text)
  form.catch(() => forms.delete(encoding))
  documents.set(reply, forms.set(encoding, form))
  return form
}

/**
 * Lays a reply out for a caller. Failures are never compressed: they repeat what the caller sent. A body that holds a secret is
 * not either: its compressed length would tell of it.
 */
export async function represent(reply: Reply, asked: IncomingHttpHeaders): Promise<Representation> {
  const { status } = reply
  const text = reply.text ?? JSON.stringify(reply.body)
  const headers: Record<string, string> = { ...reply.headers, vary: 'Accept-Encoding' }
  if (reply.revalidates === true && status === 200) {
    headers.etag = `W/"${tagOf(text)}"`
    if (isKnown(asked['if-none-match'], headers.etag)) return { status: 304, headers, payload: undefined }
  }
  const mayCompress = status < 300 && text.length > minCompressedLength && !/"(?:signingSecret|key)":"/.test(text)
  const encoding = mayCompress ? encodingOf(asked['accept-encoding']) : null
  if (encoding === null) return { status, headers, payload: text }
  return {
    status,
    headers: { ...headers, 'content-encoding': encoding },
    payload: await compress(reply, text, encoding),
  }
}
