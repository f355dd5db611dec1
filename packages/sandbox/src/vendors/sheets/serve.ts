/** Google Sheets. Spreadsheets exist on first use, except `missing`; `unshared` is closed, `readonly` is read-only. */
import { objectIn, ok, readBody, type Exchange, type Reply } from '../exchange.ts'
import { playCall } from '../serve.ts'
import type { Answering } from '../vendor.ts'
import { append, BadRange, rangeOf, read, write, type Cell, type Drive, type Workbook } from './workbooks.ts'

export const SHEETS_BASE = '/google-sheets'

const SCOPE = 'https://www.googleapis.com/auth/spreadsheets'
const MAX_BODY = 4 * 1024 * 1024
const MOST_CELL = 50_000
/** Reads, and separately writes, per user and minute. */
const PER_MINUTE = 60

const statusWords: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

const refusal = (code: number, message: string, reason?: string): Reply => ({
  status: code,
  body: {
    error: {
      code,
      message,
      status: statusWords[code] ?? 'INTERNAL',
      ...(reason === undefined
        ? {}
        : { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }] }),
    },
  },
})

export async function serveSheets(sheets: Drive, exchange: Exchange): Promise<void> {
  const { inside, request, path, query } = exchange
  const { clock } = inside
  const text = await readBody(request, MAX_BODY)
  const below = path.slice(SHEETS_BASE.length)
  const [whole = '', id = ''] = /^\/v4\/spreadsheets\/([\w-]+)/.exec(below) ?? []
  const rest = whole === '' ? '' : below.slice(whole.length)
  const range = decodeURIComponent(/^\/values\/([^/]+?)(?::append)?$/.exec(rest)?.[1] ?? '')
  const operation = id === '' ? undefined : operationOf(request.method ?? '', rest)
  const token = sheets.tokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''))
  const refused = (): Reply | undefined => {
    if (!token || token.expiresAt * 1_000 <= clock.now().getTime() || sheets.revoked.has(token.email))
      return refusal(401, 'Request had invalid authentication credentials.')
    if (!token.scopes.includes(SCOPE))
      return refusal(403, 'Request had insufficient authentication scopes.', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT')
    if (operation === undefined || id.includes('missing')) return refusal(404, 'Requested entity was not found.')
    if (id.includes('unshared') || (id.includes('readonly') && operation !== 'get' && operation !== 'read'))
      return refusal(403, 'The caller does not have permission')
    return undefined
  }
  const vendor: Answering = {
    name: 'sheets',
    answer() {
      const isRead = operation === 'get' || operation === 'read'
      const since = clock.now().getTime() - 60_000
      const recent = inside.world
        .calls({ vendor: 'sheets', match: { user: token?.email ?? '' } })
        .filter(
          (call) => Date.parse(call.at) > since && (call.operation === 'get' || call.operation === 'read') === isRead,
        )
      if (recent.length > PER_MINUTE)
        return refusal(
          429,
          `Quota exceeded for quota metric '${isRead ? 'Read' : 'Write'} requests' per minute per user.`,
        )
      try {
        return answers[operation!]({ book: sheets.book(id), range, query, body: objectIn(text) ?? {} })
      } catch (error) {
        if (error instanceof BadRange) return refusal(400, error.message)
        throw error
      }
    },
    failure: (status, message) => refusal(status, message),
    failureIn200: () => refusal(200, 'The request failed'),
    notFound: () => refusal(404, 'Requested entity was not found.'),
  }
  await playCall(vendor, exchange, {
    operation: operation ?? path,
    query: { ...query, spreadsheet: id, range, user: token?.email ?? '' },
    refusal: refused(),
  })
}

type Operation = 'get' | 'read' | 'update' | 'append' | 'batchUpdate'
type Asked = {
  book: Workbook
  range: string
  query: Record<string, string>
  body: Record<string, unknown>
}

function operationOf(method: string, rest: string): Operation | undefined {
  if (rest === '' && method === 'GET') return 'get'
  if (rest === ':batchUpdate' && method === 'POST') return 'batchUpdate'
  if (!rest.startsWith('/values/')) return undefined
  if (method === 'POST') return rest.endsWith(':append') ? 'append' : undefined
  return method === 'GET' ? 'read' : method === 'PUT' ? 'update' : undefined
}

const answers: Readonly<Record<Operation, (asked: Asked) => Reply>> = {
  get: ({ book }) =>
    ok({
      properties: { title: book.title },
      sheets: book.tabs.map(({ title, rows }, index) => ({
        properties: {
          sheetId: index,
          title,
          index,
          gridProperties: { rowCount: Math.max(1_000, rows.length), columnCount: 26 },
        },
      })),
    }),
  read: ({ book, range, query }) => {
    const rows = read(rangeOf(book, range)).map((row) =>
      row.map((cell) => (typeof cell === 'object' ? '#CALCULATED!' : String(cell))),
    )
    const width = Math.max(0, ...rows.map((row) => row.length))
    const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? ''))
    const isByColumn = query.majorDimension === 'COLUMNS'
    const values = isByColumn ? columns : rows
    return ok({ range, majorDimension: isByColumn ? 'COLUMNS' : 'ROWS', ...(values.length === 0 ? {} : { values }) })
  },
  update: ({ book, range, query, body }) => {
    const values = cellsOf(query, body)
    write(rangeOf(book, range), values)
    return ok({ updatedRange: range, updatedRows: values.length })
  },
  append: ({ book, range, query, body }) => {
    const values = cellsOf(query, body)
    const place = rangeOf(book, range)
    const at = append(place, values, query.insertDataOption === 'INSERT_ROWS')
    const updatedRange = `${place.tab.title}!A${at + 1}:X${at + values.length}`
    return ok({ tableRange: range, updates: { updatedRange, updatedRows: values.length } })
  },
  batchUpdate: ({ book, body }) => {
    const requests = Array.isArray(body.requests)
      ? (body.requests as Record<string, { properties?: { title?: string } }>[])
      : []
    for (const { addSheet } of requests) {
      const title = addSheet?.properties?.title
      if (title === undefined) throw new BadRange('Invalid requests[0]: unknown request')
      if (book.tabs.some((tab) => tab.title.toLowerCase() === title.toLowerCase()))
        throw new BadRange(`Invalid requests[0].addSheet: A sheet with the name "${title}" already exists.`)
      book.tabs.push({ title, rows: [] })
    }
    return ok({ replies: requests.map(() => ({})) })
  },
}

/** The cells of a body: verbatim with `RAW`, parsed with `USER_ENTERED`. */
function cellsOf({ valueInputOption }: Record<string, string>, body: Record<string, unknown>): Cell[][] {
  if (valueInputOption !== 'RAW' && valueInputOption !== 'USER_ENTERED')
    throw new BadRange("'valueInputOption' is required but not specified")
  const rows = Array.isArray(body.values) ? (body.values as unknown[]) : []
  return rows.map((row) => {
    if (!Array.isArray(row)) throw new BadRange('Invalid value at data.values')
    return row.map((value: unknown): Cell => {
      if (value === null) return ''
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
        throw new BadRange('Invalid values: struct_value')
      if (typeof value === 'string' && value.length > MOST_CELL)
        throw new BadRange('Your input contains more than the maximum of 50000 characters in a single cell.')
      const isFormula = valueInputOption === 'USER_ENTERED' && typeof value === 'string' && /^[=+]/.test(value)
      return isFormula ? { formula: value } : value
    })
  })
}
