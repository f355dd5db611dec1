import { csvLineOf, csvText } from '@les/contract'
import { refuse } from '../../platform/refusal.ts'
import type { Reply } from '../reply.ts'
import {
  answer,
  costFields,
  marginFields,
  type Cell,
  type Days,
  type OperatorParts,
  type OperatorRequest,
  type OperatorRoutes,
} from './route.ts'

const dayMs = 86_400_000
const maxLines = 50_000
const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

type Query = OperatorRequest['query']

/** The UTC days `from` and `to`; the last thirty by default. */
async function daysOf(parts: OperatorParts, query: Query): Promise<Days> {
  const named = new Map(query)
  const now = await parts.clock.now(parts.db)
  const day = (name: string, otherwise: Date): string => {
    const given = named.get(name)
    if (given === undefined) return otherwise.toISOString().slice(0, 10)
    return given !== null && isDay(given)
      ? given
      : refuse('invalid_request', {}, `\`${name}\` must be a day such as 2026-11-21`)
  }
  const to = day('to', now)
  const from = day('from', new Date(Date.parse(to) - 29 * dayMs))
  return from <= to ? { from, to } : refuse('invalid_request', {}, '`from` must not be later than `to`')
}

const wantsCsv = (query: Query): boolean => new Map(query).get('format') === 'csv'

const cellText = (value: Cell): string => (typeof value === 'string' ? csvText(value) : String(value ?? ''))

function csv<F extends string>(fields: readonly F[], rows: readonly Readonly<Record<F, Cell>>[]): Reply {
  const lines = [csvLineOf([...fields]), ...rows.map((row) => csvLineOf(fields.map((field) => cellText(row[field]))))]
  return { status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' }, body: null, text: lines.join('') }
}

async function serveCosts(parts: OperatorParts, query: Query): Promise<Reply> {
  const days = await daysOf(parts, query)
  const lines = await parts.costs.lines(days, maxLines)
  if (lines.length > maxLines)
    return refuse('invalid_request', {}, `These days have more than ${maxLines} lines: ask for fewer days`)
  return wantsCsv(query) ? csv(costFields, lines) : answer(200, { ...days, lines })
}

async function serveMargins(parts: OperatorParts, query: Query): Promise<Reply> {
  const days = await daysOf(parts, query)
  const teams = await parts.costs.margins(days)
  return wantsCsv(query) ? csv(marginFields, teams) : answer(200, { ...days, teams })
}

/** The routes about vendors, their costs, and margins by team. */
export const vendorRoutes = (parts: OperatorParts): OperatorRoutes => ({
  'GET /vendors': async ({ query }) =>
    answer(200, { vendors: await parts.costs.vendors(new Map(query).get('deep') === '1') }),
  'GET /costs': ({ query }) => serveCosts(parts, query),
  'GET /margins': ({ query }) => serveMargins(parts, query),
})
