/** Google Sheets: a row per person, appended once: column A has our key and is read before; people sort and edit the rows. */
import { z } from 'zod'
import { wordsIn } from '../../vendor-message.ts'
import { askJson, checkBy, failureIn, outcomeOf, platformFailure, type JsonRequest, type Platform } from '../http.ts'
import {
  DestinationFailure,
  type AdapterParts,
  type Connection,
  type DeliveryRecord,
  type DestinationAdapter,
  type DestinationTrouble,
  type RecordOutcome,
  type RemoteRecord,
} from '../port.ts'
import { documentOf } from '../mapping.ts'
import { header, rowOf } from './rows.ts'
import { accessToken, secretsOf, serviceAccount, type ServiceAccount } from './token.ts'

type SheetsSettings = { readonly spreadsheetId: string; readonly sheet?: string | undefined }
type SheetsCredentials = { readonly serviceAccount: ServiceAccount }
type SheetsConnection = Connection<SheetsSettings, SheetsCredentials>

const settings = z.strictObject({
  spreadsheetId: z
    .string()
    .regex(/^[\w-]{10,120}$/, 'give the id of the spreadsheet: the part of its address between /d/ and /edit'),
  sheet: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine((title) => !/[\p{Cc}\p{Cs}]/u.test(title), 'give the title of a tab')
    .optional(),
})
const credentials = z.strictObject({ serviceAccount })

const usualTab = 'Leads'
const rowsInCall = 500
/** Google's limit is 2 MB per call. */
const longestBody = 1_800_000
/** With more people, reading column A before every append takes too long. */
const mostPeople = 100_000

/** What the calls of one delivery share; `tab` is in A1 notation. */
type Opened = { readonly ask: (asked: JsonRequest) => Promise<unknown>; readonly tab: string; readonly title: string }

async function open(
  parts: AdapterParts,
  { settings: { spreadsheetId, sheet }, credentials: given }: SheetsConnection,
): Promise<Opened> {
  const by = given.serviceAccount
  const token = await accessToken(parts, by)
  const platform: Platform = { name: 'Google Sheets', secrets: [token, ...secretsOf(by)] }
  const title = sheet ?? usualTab
  return {
    title,
    tab: `'${title.replaceAll("'", "''")}'`,
    async ask({ path, ...asked }) {
      const { status, json } = await askJson(parts, platform, {
        ...asked,
        path: `/v4/spreadsheets/${spreadsheetId}${path}`,
        headers: { authorization: `Bearer ${token}` },
        judge: (answer, body) => refusalOf(platform, answer.status, body, by, title),
      })
      if (status < 300) return json
      const words = wordsIn(json)
      throw platformFailure(platform, 'request_refused', `refuses the request (HTTP ${status})`, { words })
    },
  }
}

const errorShape = z.looseObject({
  error: z.looseObject({
    message: z.string().catch(''),
    details: z.array(z.looseObject({ reason: z.string().optional().catch(undefined) }).catch({})).catch([]),
  }),
})

function refusalOf(
  platform: Platform,
  status: number,
  body: unknown,
  by: ServiceAccount,
  title: string,
): DestinationFailure | null {
  const read = errorShape.safeParse(body)
  if (!read.success || status < 400 || status >= 500) return null
  const { message: words, details } = read.data.error
  const reasons = details.flatMap(({ reason }) => (reason === undefined ? [] : [reason]))
  const fail = (trouble: DestinationTrouble, what: string, missing: readonly string[] = []) =>
    platformFailure(platform, trouble, what, { words, missing })
  if (status === 403) {
    const off = "is not switched on in the service account's project: enable the Google Sheets API there"
    const unshared = `does not let ${by.client_email} write: share the spreadsheet with that address as an editor`
    if (reasons.includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT'))
      return fail('scope_missing', 'wants a scope that the service account lacks', ['spreadsheets'])
    if (reasons.includes('SERVICE_DISABLED') || /has not been used in project|is disabled/.test(words))
      return fail('setup_missing', off)
    if (reasons.some((reason) => /rate_?limit/i.test(reason)) || /quota exceeded/i.test(words))
      return fail('rate', 'takes no more calls for now')
    return fail('scope_missing', unshared, [`editor of the spreadsheet: ${by.client_email}`])
  }
  if (status === 404) return fail('setup_missing', 'has no such spreadsheet: it was deleted, or the id is another')
  if (status === 400 && /unable to parse range/i.test(words))
    return fail('setup_missing', `has no tab "${title}" in the spreadsheet: it was renamed or deleted`)
  if (status === 400 && /number of cells|limit of 10000000/i.test(words))
    return fail('setup_missing', 'takes no more cells in this spreadsheet: name a new one')
  if (status === 400 && /protected/i.test(words))
    return fail('setup_missing', `protects the tab "${title}": let ${by.client_email} edit it`)
  return null
}

const valuesShape = z.object({ values: z.array(z.array(z.unknown())).optional() })

async function keysThere({ ask, tab }: Opened): Promise<ReadonlySet<string>> {
  const range = encodeURIComponent(`${tab}!A:A`)
  const read = valuesShape.safeParse(
    await ask({ method: 'GET', path: `/values/${range}?majorDimension=COLUMNS&fields=values` }),
  )
  if (!read.success) throw unreadable('unavailable')
  return new Set((read.data.values?.[0] ?? []).filter((value): value is string => typeof value === 'string'))
}

const unreadable = (trouble: DestinationTrouble): DestinationFailure =>
  new DestinationFailure(trouble, 'Google Sheets answered with something that cannot be read')

const remoteOf = ({ spreadsheetId }: SheetsSettings, key: string): RemoteRecord => ({
  id: key,
  url: `https://docs.google.com/spreadsheets/d/${spreadsheetId}/edit`,
  companyId: null,
  notes: [],
})

/** Splits records into those that fit one call and those that wait for the next. */
function packed(records: readonly DeliveryRecord[]) {
  const rows: unknown[][] = []
  const taken: DeliveryRecord[] = []
  let bytes = 0
  for (const record of records) {
    const row = Object.values(rowOf(documentOf(record)))
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    if (taken.length === rowsInCall || bytes > longestBody) break
    rows.push(row)
    taken.push(record)
  }
  return { rows, taken, waiting: records.slice(taken.length) }
}

const updatesShape = z.object({ updates: z.object({ updatedRows: z.number() }) })

async function append({ ask, tab }: Opened, rows: readonly unknown[][]): Promise<void> {
  const range = encodeURIComponent(`${tab}!A1`)
  const query = 'valueInputOption=RAW&insertDataOption=INSERT_ROWS'
  const json = { majorDimension: 'ROWS', values: rows }
  const read = updatesShape.safeParse(await ask({ method: 'POST', path: `/values/${range}:append?${query}`, json }))
  // Unknown what was written; column A is read before it is sent again.
  if (!read.success || read.data.updates.updatedRows !== rows.length) throw unreadable('answer_lost')
}

async function deliver(
  parts: AdapterParts,
  connection: SheetsConnection,
  records: readonly DeliveryRecord[],
): Promise<readonly RecordOutcome[]> {
  const written = ({ id, document }: DeliveryRecord, how: 'created' | 'updated' | 'adopted'): RecordOutcome => ({
    id,
    state: 'written',
    how,
    remote: remoteOf(connection.settings, document.personKey),
  })
  const { known = [], unknown = [] } = Object.groupBy(records, ({ remote }) => (remote ? 'known' : 'unknown'))
  const outcomes = known.map((record) => written(record, 'updated'))
  if (unknown.length === 0) return outcomes
  try {
    const opened = await open(parts, connection)
    const there = await keysThere(opened)
    const missing = unknown.filter(({ document }) => !there.has(document.personKey))
    for (const record of unknown) if (there.has(record.document.personKey)) outcomes.push(written(record, 'adopted'))
    const full = `The tab "${opened.title}" holds ${there.size} people: name a new one.`
    if (missing.length > 0 && there.size >= mostPeople) throw new DestinationFailure('setup_missing', full)
    const { rows, taken, waiting } = packed(missing)
    if (rows.length > 0) await append(opened, rows)
    outcomes.push(...taken.map((record) => written(record, 'created')))
    const next = new DestinationFailure('rate', 'The call was full; the next one takes it.', { retryAt: parts.now })
    return [...outcomes, ...waiting.map(({ id }) => outcomeOf(id, next))]
  } catch (error) {
    const failure = failureIn(error)
    const settled = new Set(outcomes.map(({ id }) => id))
    return [...outcomes, ...records.filter(({ id }) => !settled.has(id)).map(({ id }) => outcomeOf(id, failure))]
  }
}

const bookShape = z.looseObject({
  properties: z.looseObject({ title: z.string().max(1_000).catch('') }).catch({ title: '' }),
  sheets: z
    .array(z.looseObject({ properties: z.looseObject({ title: z.string() }) }).catch({ properties: { title: '' } }))
    .max(10_000),
})

async function bookOf({ ask }: Opened) {
  const read = bookShape.safeParse(
    await ask({ method: 'GET', path: '?fields=properties.title,sheets.properties.title' }),
  )
  if (!read.success) throw unreadable('unavailable')
  return { title: read.data.properties.title, tabs: read.data.sheets.map(({ properties }) => properties.title) }
}

/** Ignores that somebody else created the tab meanwhile. */
function unlessThere(error: unknown): void {
  if (!failureIn(error).message.includes('already exists')) throw error
}

/** Creates the tab if missing, and the header row if the first row is empty. */
async function prepare(parts: AdapterParts, connection: SheetsConnection): Promise<void> {
  const opened = await open(parts, connection)
  const { ask, tab, title } = opened
  const { tabs } = await bookOf(opened)
  const addTab = { requests: [{ addSheet: { properties: { title } } }] }
  if (!tabs.some((one) => one.toLowerCase() === title.toLowerCase()))
    await ask({ method: 'POST', path: ':batchUpdate', json: addTab }).catch(unlessThere)
  const range = encodeURIComponent(`${tab}!A1:Z1`)
  const read = valuesShape.safeParse(await ask({ method: 'GET', path: `/values/${range}` }))
  if (!read.success) throw unreadable('unavailable')
  const [first] = read.data.values ?? []
  if (first === undefined || first.every((cell) => cell === '')) {
    await ask({ method: 'PUT', path: `/values/${range}?valueInputOption=RAW`, json: { values: [header] } })
    return
  }
  if (first[0] !== header[0])
    throw new DestinationFailure(
      'setup_missing',
      `The first row of the tab "${title}" is not ours: empty it, or name another tab in settings.sheet (a new one is made).`,
    )
}

export const googleSheets: DestinationAdapter<SheetsSettings, SheetsCredentials> = {
  kind: 'google_sheets',
  settings,
  credentials,
  hint: ({ serviceAccount: { private_key, private_key_id } }) =>
    (private_key_id ?? private_key.replace(/-----[^-]+-----|\s/g, '')).slice(-4),
  // 60 reads and 60 writes per minute and project; a delivery makes a token request, a read and a write.
  limits: { recordsPerDelivery: rowsInCall, calls: 48, windowMs: 60_000, per: 'person' },
  isRepeatable: false,
  check(parts, connection) {
    const { client_email: account } = connection.credentials.serviceAccount
    return checkBy({ account, scopes: ['spreadsheets'] }, async () => {
      const opened = await open(parts, connection)
      const { title, tabs } = await bookOf(opened)
      const isThere = tabs.some((one) => one.toLowerCase() === opened.title.toLowerCase())
      return {
        account: `${account}, spreadsheet "${title.slice(0, 200)}"`,
        findings: isThere ? [] : [`The tab "${opened.title}" is not there yet; it is made before the first delivery.`],
      }
    })
  },
  prepare,
  fields: async () => [],
  map: (_connection, document) => rowOf(document),
  deliver,
  async find(parts, connection, keys) {
    const there = await keysThere(await open(parts, connection))
    return new Map(keys.filter((key) => there.has(key)).map((key) => [key, remoteOf(connection.settings, key)]))
  },
}
