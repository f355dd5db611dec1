import { createHash } from 'node:crypto'
import { commonFailure, platformFailure, retryAtOf, type Platform } from '../http.ts'
import type { AdapterParts, Connection, DestinationFailure, DestinationTrouble, PlatformAnswer } from '../port.ts'
import { encoded, sha256Hex, signed } from './sign.ts'

/** Where the files go; `pathStyle`: the bucket is in the path, not in the host, as usual outside Amazon. */
export type S3Settings = {
  readonly endpoint?: string | undefined
  readonly region: string
  readonly bucket: string
  readonly prefix?: string | undefined
  readonly pathStyle?: boolean | undefined
}
export type S3Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string }

export type S3Connection = Connection<S3Settings, S3Credentials>

/** The store as failures name it. */
export const platformOf = ({ settings, credentials }: S3Connection): Platform => ({
  name: `The store of the bucket ${settings.bucket}`,
  secrets: [credentials.secretAccessKey],
})

/** The URL of an object: at `endpoint`, `baseUrl` (the sandbox) or Amazon. Bucket names with dots need the path style (TLS). */
export function addressOf({ endpoint, region, bucket, pathStyle }: S3Settings, key: string, baseUrl = ''): URL {
  const amazon = `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  const url = new URL(endpoint ?? (baseUrl === '' ? amazon : baseUrl))
  const isPathStyle = pathStyle ?? (bucket.includes('.') || !/(?:^|\.)amazonaws\.com(?:\.cn)?$/.test(url.hostname))
  const base = url.pathname.replace(/\/+$/, '')
  const path = key.split('/').map(encoded).join('/')
  if (!isPathStyle) url.hostname = `${bucket}.${url.hostname}`
  url.pathname = isPathStyle ? `${base}/${bucket}/${path}` : `${base}/${path}`
  return url
}

/** An object; `hash` is of its uncompressed content, because gzip output differs between versions. */
type S3Object = { readonly key: string; readonly body: Buffer; readonly hash: string; readonly type: string }

const hashHeader = 'x-amz-meta-les-sha256'

/** Writes an object unless one exists; returns false then. */
export async function put(
  parts: AdapterParts,
  connection: S3Connection,
  { key, body, hash, type }: S3Object,
): Promise<boolean> {
  // Buckets with object lock require this checksum besides the signature's hash.
  const checksum = createHash('sha256').update(body).digest('base64')
  const headers = { 'content-type': type, 'x-amz-checksum-sha256': checksum, [hashHeader]: hash }
  const answer = await send(parts, connection, 'PUT', key, { ...headers, 'if-none-match': '*' }, body)
  if (answer.status === 412) return false
  if (answer.status !== 501) return judged(parts, connection, answer)
  // The store has no conditional writes: check, then write.
  if ((await storedHash(parts, connection, key)) !== null) return false
  // Somebody may have been excluded since the first try.
  await parts.beforeRecord?.()
  return judged(parts, connection, await send(parts, connection, 'PUT', key, headers, body))
}

/** The stored hash of an object; null when there is none or it may not be read. */
export async function storedHash(parts: AdapterParts, connection: S3Connection, key: string): Promise<string | null> {
  const answer = await send(parts, connection, 'HEAD', key, {})
  // A write-only key is refused here; that must not stop the delivery.
  if (answer.status === 404 || answer.status === 403) return null
  judged(parts, connection, answer)
  return answer.headers[hashHeader] ?? 'unknown'
}

function judged(parts: AdapterParts, connection: S3Connection, answer: PlatformAnswer): true {
  const failure = refusalOf(parts, connection, answer)
  if (failure) throw failure
  return true
}

function send(
  { call, now, baseUrl }: AdapterParts,
  { settings, credentials }: S3Connection,
  method: 'PUT' | 'HEAD',
  key: string,
  headers: Readonly<Record<string, string>>,
  body?: Buffer,
): Promise<PlatformAnswer> {
  const url = addressOf(settings, key, baseUrl)
  const unsigned = { method, url, headers, bodyHash: sha256Hex(body ?? '') }
  const signature = signed(unsigned, { ...credentials, region: settings.region, now })
  return call({ method, url: url.href, headers: signature, body })
}

const revoked = [
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'AuthorizationHeaderMalformed',
]
const meanings: Readonly<Record<string, readonly [DestinationTrouble, string]>> = {
  ...Object.fromEntries(revoked.map((code) => [code, ['auth_revoked', 'refuses the access key'] as const])),
  AccessDenied: ['scope_missing', 'does not let this access key put files: it needs s3:PutObject'],
  AllAccessDisabled: ['scope_missing', 'has closed the bucket'],
  NoSuchBucket: ['setup_missing', 'is not there: it was deleted, or its name is another'],
  InvalidBucketName: ['setup_missing', 'is not there: its name is another'],
  SlowDown: ['rate', 'takes no more calls for now'],
  TooManyRequests: ['rate', 'takes no more calls for now'],
  ConditionalRequestConflict: ['unavailable', 'is writing this file for somebody else'],
  OperationAborted: ['unavailable', 'is busy'],
  RequestTimeout: ['unavailable', 'did not get the whole file'],
  RequestTimeTooSkewed: ['unavailable', 'has another time than this service'],
  QuotaExceeded: ['setup_missing', 'is full'],
}

function refusalOf({ now }: AdapterParts, connection: S3Connection, answer: PlatformAnswer): DestinationFailure | null {
  const platform = platformOf(connection)
  const { status, headers } = answer
  const { code, message, region } = errorIn(answer)
  if (status >= 200 && status < 300) {
    // A success has an empty body; anything else is not the store's.
    if (code === null && answer.body.length === 0) return null
    return platformFailure(platform, 'answer_lost', 'answered with something that cannot be read', { words: message })
  }
  const elsewhere = headers['x-amz-bucket-region'] ?? region
  if (
    code === 'PermanentRedirect' ||
    code === 'TemporaryRedirect' ||
    (code === 'AuthorizationHeaderMalformed' && elsewhere)
  ) {
    const where = elsewhere !== null && /^[a-z0-9-]{1,40}$/.test(elsewhere) ? ` (${elsewhere})` : ''
    const what = `is in another region${where}: correct settings.region`
    return platformFailure(platform, 'setup_missing', what, { words: message })
  }
  const meaning = code === null ? undefined : meanings[code]
  if (meaning) {
    const [trouble, what] = meaning
    const retryAt = retryAtOf(headers['retry-after'], now)
    const missing = trouble === 'scope_missing' ? ['s3:PutObject'] : []
    return platformFailure(platform, trouble, what, { words: message, retryAt, missing })
  }
  const common = commonFailure(platform, answer, now)
  if (common) return common
  if (status === 403)
    return platformFailure(platform, 'scope_missing', 'does not let this access key in', { words: message })
  return platformFailure(platform, 'request_refused', `refuses the file (HTTP ${status})`, { words: message ?? code })
}

function errorIn({ body }: PlatformAnswer): { code: string | null; message: string | null; region: string | null } {
  const text = body.toString('utf8', 0, 4_000)
  const read = (name: string): string | null => new RegExp(`<${name}>([^<]{1,500})</${name}>`).exec(text)?.[1] ?? null
  return { code: read('Code'), message: read('Message'), region: read('Region') }
}
