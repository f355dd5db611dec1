/** A reply as bytes: JSON, a weak validator where one was asked for, compressed where that is worth it. */
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256 } from '../../platform/secrets.ts'
import type { Reply } from '../reply.ts'
import { readEncodings } from './accept.ts'

/** What goes over the wire. */
export type Representation = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string | Buffer | undefined
}

const worthCompressing = 1_024
const compressors = {
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text: string) => promisify(gzip)(text, { level: 5 }),
} as const

/** A way to compress a text, by the name of its encoding. */
type Compressors = Readonly<Record<keyof typeof compressors, (text: string) => Promise<Buffer>>>

/** What a text comes to, whoever asks: its validator, whether it holds a secret, and its compressed forms. */
type Prepared = {
  readonly text: string
  readonly etag: () => string
  readonly isSecret: () => boolean
  readonly compressed: (encoding: keyof typeof compressors) => Promise<Buffer>
}

const prepare = (text: string, by: Compressors): Prepared => ({
  text,
  etag: () => `W/"${sha256(text).toString('base64url').slice(0, 27)}"`,
  isSecret: () => /"(?:signingSecret|key)":"/.test(text),
  compressed: (encoding) => by[encoding](text),
})

/** The same, each part made when it is first asked for and then kept; what failed is tried again. */
function prepareOnce(text: string, by: Compressors): Prepared {
  const made = prepare(text, by)
  const forms = new Map<keyof typeof compressors, Promise<Buffer>>()
  let etag: string | undefined
  let isSecret: boolean | undefined
  return {
    text,
    etag: () => (etag ??= made.etag()),
    isSecret: () => (isSecret ??= made.isSecret()),
    compressed: (encoding) => {
      const form = forms.get(encoding) ?? made.compressed(encoding)
      forms.set(encoding, form)
      form.catch(() => forms.delete(encoding))
      return form
    },
  }
}

/** Documents by the one reply that everybody gets: kept as long as that is. */
const documents = new WeakMap<Reply, Prepared>()

function preparedOf(reply: Reply, by: Compressors): Prepared {
  const known = documents.get(reply)
  if (known !== undefined) return known
  const text = reply.text ?? JSON.stringify(reply.body)
  if (reply.isDocument !== true) return prepare(text, by)
  const prepared = prepareOnce(text, by)
  documents.set(reply, prepared)
  return prepared
}

/** The best encoding a caller accepts of those we speak; null for none. */
export function encodingOf(accepted: string | string[] | undefined): keyof typeof compressors | null {
  const offers = readEncodings(accepted)
  const quality = (name: string) => offers.get(name) ?? offers.get('*') ?? 0
  const best = (['br', 'gzip'] as const).toSorted((one, other) => quality(other) - quality(one))[0]!
  return quality(best) > 0 ? best : null
}

/** True when one of the tags of `If-None-Match` is this one, compared weakly. */
function isKnown(asked: string | undefined, etag: string): boolean {
  if (asked === undefined) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return asked.trim() === '*' || asked.split(',').some((tag) => opaque(tag) === opaque(etag))
}

/**
 * Lays a reply out for a caller. Failures are never compressed: they repeat what the caller sent. A body that holds a secret is
 * not either: its compressed length would tell of it. A document is compressed once for everybody.
 */
export async function represent(
  reply: Reply,
  asked: IncomingHttpHeaders,
  by: Compressors = compressors,
): Promise<Representation> {
  const { text, etag, isSecret, compressed } = preparedOf(reply, by)
  const headers: Record<string, string> = { ...reply.headers, vary: 'Accept-Encoding' }
  if (reply.revalidates === true && reply.status === 200) {
    headers.etag = etag()
    if (isKnown(asked['if-none-match'], headers.etag)) return { status: 304, headers, payload: undefined }
  }
  const encoding =
    reply.status < 300 && text.length > worthCompressing && !isSecret() ? encodingOf(asked['accept-encoding']) : null
  if (encoding === null) return { status: reply.status, headers, payload: text }
  return {
    status: reply.status,
    headers: { ...headers, 'content-encoding': encoding },
    payload: await compressed(encoding),
  }
}
