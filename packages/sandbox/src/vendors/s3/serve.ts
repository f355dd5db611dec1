/**
 * An S3 store with path addressing. Buckets exist on first use, with special names: `missing-…` does not exist, `elsewhere-…` is
 * in eu-central-1, `plain-…` ignores conditional writes, `older-…` refuses them. Any access key works: one with `DENIED` may do
 * nothing, one with `GONE` does not exist; signatures are checked for registered key pairs only.
 */
import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { createCache } from '../../world/cache.ts'
import { readBytes, type Exchange, type Reply } from '../exchange.ts'
import { playCall } from '../serve.ts'
import type { Twin } from '../twin.ts'
import type { Answering } from '../vendor.ts'

type StoredObject = { body: Buffer; headers: Record<string, string>; at: string; writes: number }

/** A manual change of an access key; registering its secret turns signature checks on. */
const keyChange = z.union([z.strictObject({ secret: z.string() }), z.strictObject({ revoked: z.boolean() })])

type Keys = { readonly secrets: Map<string, string>; readonly revoked: Set<string> }

const S3_BASE = '/s3'

const MAX_BODY = 64 * 1024 * 1024
const SKEW_MS = 15 * 60_000
const KEPT_HEADERS = /^(?:content-type|content-encoding|x-amz-meta-.+)$/

const refused = (status: number, code: string, message: string, more = ''): Reply => ({
  status,
  body: null,
  text: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message>${more}<RequestId>4442587FB7D0A2F9</RequestId></Error>`,
  headers: { 'content-type': 'application/xml' },
})
const done = (headers: Record<string, string> = {}): Reply => ({ status: 200, body: null, text: '', headers })

/** `view` shows a bucket; `change` registers or revokes an access key. */
export function createS3() {
  const buckets = createCache<string, Map<string, StoredObject>>()
  const bucketOf = (name: string) => buckets.get(name, () => new Map())
  const keys: Keys = { secrets: new Map(), revoked: new Set() }
  return {
    prefix: S3_BASE,
    serve: (exchange) => serveS3({ bucketOf, keys }, exchange),
    view: (bucket) => ({
      objects: [...bucketOf(bucket)].map(([key, { body, ...object }]) => ({
        key,
        text: (key.endsWith('.gz') ? gunzipSync(body) : body).toString('utf8'),
        ...object,
      })),
    }),
    change(id, change) {
      const read = keyChange.parse(change)
      if ('secret' in read) keys.secrets.set(id, read.secret)
      else if (read.revoked) keys.revoked.add(id)
      else keys.revoked.delete(id)
    },
    clear() {
      for (const part of [buckets, keys.secrets, keys.revoked]) part.clear()
    },
  } satisfies Twin
}

type Store = { readonly bucketOf: (name: string) => Map<string, StoredObject>; readonly keys: Keys }

async function serveS3({ bucketOf, keys }: Store, exchange: Exchange): Promise<void> {
  const { inside, request, path } = exchange
  const body = await readBytes(request, MAX_BODY)
  const [, name = '', ...rest] = decodeURIComponent(path.slice(S3_BASE.length)).split('/')
  const key = rest.join('/')
  const method = request.method ?? ''
  const bucket = bucketOf(name)
  const call = { method, headers: request.headers, url: request.url ?? '', body }
  const refusal = refusalOf({ keys, now: inside.clock.now() }, call) ?? refusalOfBucket(name)
  const answer = (): Reply => {
    const there = bucket.get(key)
    if (method === 'HEAD')
      return there
        ? done({ ...there.headers, etag: etagOf(there.body) })
        : refused(404, 'NoSuchKey', 'The specified key does not exist.')
    if (method !== 'PUT' || key === '') return refused(405, 'MethodNotAllowed', 'The method is not allowed.')
    const isConditional = request.headers['if-none-match'] === '*' && !name.startsWith('plain-')
    if (isConditional && name.startsWith('older-'))
      return refused(501, 'NotImplemented', 'A header you provided implies functionality that is not implemented')
    if (isConditional && there)
      return refused(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')
    const kept = Object.entries(request.headers).filter(([header]) => KEPT_HEADERS.test(header))
    bucket.set(key, {
      body: body!,
      headers: Object.fromEntries(kept.map(([header, value]) => [header, String(value)])),
      at: inside.clock.now().toISOString(),
      writes: (there?.writes ?? 0) + 1,
    })
    return done({ etag: etagOf(body!) })
  }
  const vendor: Answering = {
    name: 's3',
    answer: () => (method === 'HEAD' ? { ...answer(), text: '' } : answer()),
    failure: (status, message) => {
      if (status === 503) return refused(503, 'ServiceUnavailable', 'Reduce your request rate or try again later.')
      if (status === 409) return refused(409, 'ConditionalRequestConflict', 'A conflicting operation is in progress.')
      return refused(status, status === 429 ? 'TooManyRequests' : 'InternalError', message)
    },
    quota: () => refused(503, 'SlowDown', 'Please reduce your request rate.'),
    failureIn200: () => refused(200, 'InternalError', 'We encountered an internal error. Please try again.'),
    notFound: () => refused(404, 'NoSuchBucket', 'The specified bucket does not exist'),
  }
  await playCall(vendor, exchange, { operation: method.toLowerCase(), query: { bucket: name, key }, refusal })
}

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`

function refusalOfBucket(name: string): Reply | undefined {
  if (name.startsWith('missing-')) return refused(404, 'NoSuchBucket', 'The specified bucket does not exist')
  if (!name.startsWith('elsewhere-')) return undefined
  const moved = refused(
    301,
    'PermanentRedirect',
    'The bucket you are attempting to access must be addressed using the specified endpoint.',
    `<Endpoint>${name}.s3.eu-central-1.amazonaws.com</Endpoint>`,
  )
  return { ...moved, headers: { ...moved.headers, 'x-amz-bucket-region': 'eu-central-1' } }
}

type Signed = {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly url: string
  readonly body: Buffer | undefined
}

function refusalOf(
  { keys, now }: { readonly keys: Keys; readonly now: Date },
  { method, headers, url, body }: Signed,
): Reply | undefined {
  if (body === undefined) return refused(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size')
  const shape =
    /^AWS4-HMAC-SHA256 Credential=([\w-]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/
  const parts = shape.exec(headers.authorization ?? '')
  if (!parts) return refused(403, 'AccessDenied', 'Access Denied')
  const [, id = '', day = '', region = '', names = '', signature = ''] = parts
  const instant = String(headers['x-amz-date'] ?? '')
  const at = Date.parse(instant.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(at - now.getTime()) <= SKEW_MS) || !instant.startsWith(day))
    return refused(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
    )
  if (id.includes('GONE') || keys.revoked.has(id))
    return refused(403, 'InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.')
  const hash = createHash('sha256').update(body).digest('hex')
  if (headers['x-amz-content-sha256'] !== hash)
    return refused(400, 'XAmzContentSHA256Mismatch', "The provided 'x-amz-content-sha256' header does not match.")
  const checksum = headers['x-amz-checksum-sha256']
  if (checksum !== undefined && checksum !== Buffer.from(hash, 'hex').toString('base64'))
    return refused(400, 'BadDigest', 'The SHA256 you specified did not match the calculated checksum.')
  const list = names.split(';')
  const unsigned = Object.keys(headers).filter((name) => /^(?:host|x-amz-.+)$/.test(name) && !list.includes(name))
  const secret = keys.secrets.get(id)
  if (unsigned.length > 0) return refused(403, 'AccessDenied', 'There were headers present which were not signed')
  if (secret !== undefined) {
    const [path = '', search = ''] = url.split('?')
    const lines = list.map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`).join('')
    const canonical = `${method}\n${path}\n${search}\n${lines}\n${names}\n${hash}`
    const digest = createHash('sha256').update(canonical).digest('hex')
    const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
    const signingKey = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), 's3'), 'aws4_request')
    const wanted = hmac(signingKey, `AWS4-HMAC-SHA256\n${instant}\n${day}/${region}/s3/aws4_request\n${digest}`)
    if (wanted.toString('hex') !== signature)
      return refused(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.')
  }
  return id.includes('DENIED') ? refused(403, 'AccessDenied', 'Access Denied') : undefined
}
