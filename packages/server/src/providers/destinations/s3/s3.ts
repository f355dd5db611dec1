/** Gzipped JSON lines in a bucket, a file per delivery, named after it and written once; the day's `manifest.json` is last. */
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { checkBy, failureIn, outcomeOf, platformFailure } from '../http.ts'
import type { AdapterParts, DeliveryRecord, DestinationAdapter, LeadDocument, RecordOutcome } from '../port.ts'
import { sha256Hex } from './sign.ts'
import { put, platformOf, storedHash, type S3Connection, type S3Credentials, type S3Settings } from './store.ts'

const howEndpoint = 'give the address of the store, such as https://s3.eu-central-1.amazonaws.com, without a query'
const isEndpoint = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return url.username === '' && url.password === '' && url.search === '' && url.hash === ''
}
const isPrefix = (text: string): boolean =>
  !/[\p{Cc}\p{Cs}\\]/u.test(text) && text.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

const settings = z.strictObject({
  endpoint: z.string().max(500).refine(isEndpoint, howEndpoint).optional(),
  region: z.string().regex(/^[a-z0-9-]{1,40}$/, 'give the region of the bucket, such as eu-central-1 (`auto` for R2)'),
  bucket: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'give the name of the bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
    ),
  prefix: z
    .string()
    .max(500)
    .transform((text) => text.replace(/^\/|\/$/g, ''))
    .refine((text) => text === '' || isPrefix(text), 'give folders with a slash between them, such as `les/prod`')
    .optional(),
  pathStyle: z.boolean().optional(),
})
const credentials = z.strictObject({
  accessKeyId: z.string().regex(/^[\w-]{3,128}$/, 'give the id of the access key, such as AKIA…'),
  secretAccessKey: z.string().regex(/^[\x21-\x7e]{8,256}$/, 'give the secret of the access key'),
})

const recordsInPart = 500
/** Written into every line and manifest, so that readers can handle changes. */
const formatVersion = 1

const under = ({ prefix }: S3Settings, path: string): string => (prefix ? `${prefix}/${path}` : path)
const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)

const lineOf = (document: LeadDocument): Readonly<Record<string, unknown>> => ({ version: formatVersion, ...document })

/** The key is made of the deliveries; if that file has other content (a fact changed after a lost answer), another is used. */
async function writePart(
  parts: AdapterParts,
  connection: S3Connection,
  records: readonly DeliveryRecord[],
  folder: string,
): Promise<{ readonly key: string; readonly isNew: boolean }> {
  const sorted = [...records].sort((one, other) => (one.id < other.id ? -1 : 1))
  const lines = sorted.map(
    ({ id, document, isSample }) =>
      `${JSON.stringify({ deliveryId: id, ...(isSample ? { isSample } : {}), ...lineOf(document) })}\n`,
  )
  const text = lines.join('')
  const hash = sha256Hex(text)
  const name = `part-${sha256Hex(sorted.map(({ id }) => id).join('\n')).slice(0, 32)}`
  const object = { body: gzipSync(text), hash, type: 'application/gzip' }
  const key = under(connection.settings, `${folder}/${name}.jsonl.gz`)
  if (await put(parts, connection, { key, ...object })) return { key, isNew: true }
  if ((await storedHash(parts, connection, key)) === hash) return { key, isNew: false }
  const other = under(connection.settings, `${folder}/${name}-${hash.slice(0, 8)}.jsonl.gz`)
  return { key: other, isNew: await put(parts, connection, { key: other, ...object }) }
}

async function deliver(
  parts: AdapterParts,
  connection: S3Connection,
  records: readonly DeliveryRecord[],
): Promise<readonly RecordOutcome[]> {
  const day = parts.day ?? dayOf(parts.now)
  // Samples are about nobody and stay out of the day.
  const groups = Map.groupBy(records, ({ isSample }) => (isSample ? 'samples' : `leads/${day}`))
  const outcomes = await Promise.all(
    [...groups].map(async ([folder, its]): Promise<readonly RecordOutcome[]> => {
      try {
        const { key, isNew } = await writePart(parts, connection, its, folder)
        const remote = { id: key, url: null, companyId: null, notes: [] }
        return its.map(({ id }) => ({ id, state: 'written', how: isNew ? 'created' : 'adopted', remote }))
      } catch (error) {
        const failure = failureIn(error)
        return its.map(({ id }) => outcomeOf(id, failure))
      }
    }),
  )
  return outcomes.flat()
}

async function closeDay(
  parts: AdapterParts,
  connection: S3Connection,
  day: string,
  partKeys: readonly string[],
): Promise<void> {
  const text = `${JSON.stringify({ version: formatVersion, day, parts: [...new Set(partKeys)].sort() }, null, 2)}\n`
  const key = under(connection.settings, `leads/${day}/manifest.json`)
  const object = { key, body: Buffer.from(text), hash: sha256Hex(text), type: 'application/json' }
  if (await put(parts, connection, object)) return
  if ((await storedHash(parts, connection, key)) === object.hash) return
  const what = `has another manifest of ${day} already: give each destination a prefix of its own`
  throw platformFailure(platformOf(connection), 'request_refused', what)
}

export const s3: DestinationAdapter<S3Settings, S3Credentials> = {
  kind: 's3',
  settings,
  credentials,
  hint: ({ secretAccessKey }) => secretAccessKey.slice(-4),
  // S3 takes thousands of writes per second below one prefix; limits of other stores are unknown.
  limits: { recordsPerDelivery: recordsInPart, calls: 40, windowMs: 1_000, per: 'person' },
  isRepeatable: true,
  // Only a write shows that writing is allowed; the second shows whether `If-None-Match` is honoured.
  check(parts, connection) {
    const { settings: given, credentials: keys } = connection
    const account = `bucket ${given.bucket} in ${given.region}, access key ${keys.accessKeyId}`
    return checkBy({ account, scopes: ['s3:PutObject'] }, async () => {
      const text = 'Written once to see whether files can be put here.\n'
      const key = under(given, 'les-check.txt')
      const probe = { key, body: Buffer.from(text), hash: sha256Hex(text), type: 'text/plain' }
      const isOnce = !(await put(parts, connection, probe)) || !(await put(parts, connection, probe))
      const finding = 'The store ignores `If-None-Match`: a repeated file replaces the first, which has the same name.'
      return { findings: isOnce ? [] : [finding] }
    })
  },
  prepare: async () => {},
  fields: async () => [],
  map: (_connection, document) => lineOf(document),
  deliver,
  find: async () => null,
  customerAddress: ({ endpoint }) => endpoint ?? null,
  closeDay,
}
