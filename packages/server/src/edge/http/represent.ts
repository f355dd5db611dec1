import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256 } from '../../platform/secrets.ts'
import type { Reply } from '../reply.ts'

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

type Encoding = keyof typeof compressors

/** The best offered encoding a caller accepts (RFC 9110 §12.5.3), or null. Linear in the header's length: anyone can send it. */
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

/** The ETag of some content, without quotes. */
export const tagOf = (content: string | Buffer): string => sha256(content).toString('base64url').slice(0, 27)

/** True when `If-None-Match` names this tag, compared weakly. */
export function isKnown(asked: string | undefined, etag: string): boolean {
  if (asked === undefined) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return asked.trim() === '*' || asked.split(',').some((tag) => opaque(tag) === opaque(etag))
}

/** Compressed forms of documents; each document is one reply object that everybody gets. */
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
 * A reply as bytes, with a weak ETag where it revalidates. Failures are never compressed, as they repeat what the caller sent,
 * nor is a body with a secret, as its compressed length would leak it.
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
