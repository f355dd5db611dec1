/** Shortens answers for a model, unless the call asks for more with `detail: "full"` or `fields`. */
import type { OperationId } from '@les/contract'
import rowsOfOperations from './brief-rows.json' with { type: 'json' }

type Rows = {
  readonly under: string
  readonly fields: readonly string[]
}

/** For operations with wide rows: the list and the fields shown by default. */
export const briefRows: { readonly [Id in OperationId]?: Rows } = rowsOfOperations

/** How much of an answer a call asks for. */
export type Detail = { readonly full: boolean; readonly fields: readonly string[] | null }

/** Default page size. */
export const pageOfTools = 15
/** Most characters of an answer by default: 10,000 tokens of four characters. */
export const answerBudget = 40_000
const textShown = 140

type Body = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads `detail` and `fields`; returns a text that says what is wrong with them. */
export function readDetail(given: Body): Detail | string {
  const { detail, fields } = given
  if (detail !== undefined && detail !== 'brief' && detail !== 'full') return '`detail` must be brief or full'
  if (fields !== undefined && (!Array.isArray(fields) || !fields.every((name) => typeof name === 'string')))
    return '`fields` must be a list of names of fields'
  return { full: detail === 'full', fields: (fields as string[] | undefined) ?? null }
}

function lean(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > textShown
      ? `${value
          .slice(0, textShown)
          .toWellFormed()
          .replace(/\uFFFD$/, '')}…`
      : value
  if (Array.isArray(value)) return value.map(lean)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null && !(Array.isArray(inner) && inner.length === 0))
      .map(([name, inner]) => [name, lean(inner)]),
  )
}

const only = (row: Body, fields: readonly string[]): Body =>
  Object.fromEntries(fields.filter((name) => name in row).map((name) => [name, row[name]]))

function longestList(body: Body): { readonly path: readonly string[]; readonly rows: readonly unknown[] } | null {
  const lists = Object.entries(body).flatMap(([name, value]) =>
    Array.isArray(value)
      ? [{ path: [name], rows: value as unknown[] }]
      : isObject(value)
        ? Object.entries(value).flatMap(([inner, rows]) =>
            Array.isArray(rows) ? [{ path: [name, inner], rows: rows as unknown[] }] : [],
          )
        : [],
  )
  return lists.toSorted((one, other) => JSON.stringify(other.rows).length - JSON.stringify(one.rows).length)[0] ?? null
}

const put = (body: Body, [name, ...rest]: readonly string[], value: unknown): Body => ({
  ...body,
  [name!]: rest.length === 0 ? value : put(body[name!] as Body, rest, value),
})

/** Drops rows of the longest list, but not the first, to fit `limit` characters; null when there is no list. */
export function cutLongest(
  body: Body,
  limit: number,
): { readonly body: Body; readonly name: string; readonly kept: number; readonly total: number } | null {
  const longest = longestList(body)
  if (!longest) return null
  const { path, rows } = longest
  let room = limit - JSON.stringify(put(body, path, [])).length
  const end = rows.findIndex((row, at) => (room -= JSON.stringify(row).length + 1) < 0 && at > 0)
  const kept = end === -1 ? rows : rows.slice(0, end)
  return { body: put(body, path, kept), name: path.join('.'), kept: kept.length, total: rows.length }
}

function fitted(body: Body): { readonly body: Body; readonly note: string | null } {
  const cut = JSON.stringify(body).length <= answerBudget ? null : cutLongest(body, answerBudget)
  if (cut === null) return { body, note: null }
  return {
    body: cut.body,
    note:
      `${cut.kept} of these ${cut.total} ${cut.name} are here, to stay short: ` +
      'ask for fewer, for some fields only, or with "detail":"full" for all.',
  }
}

/** Shortens an answer as asked; `note` says what was left out, null if nothing. */
export function brief(
  operationId: OperationId,
  body: Body,
  detail: Detail,
): { readonly body: Body; readonly note: string | null } {
  const wide = briefRows[operationId]
  const rows = wide && Array.isArray(body[wide.under]) ? (body[wide.under] as Body[]) : null
  if (detail.fields !== null && rows)
    return fitted({ ...body, [wide!.under]: rows.map((row) => only(row, ['id', ...detail.fields!])) })
  if (detail.full) return { body, note: null }
  if (!rows) return fitted(body)
  const short = rows.map((row) => lean(only(row, wide!.fields)))
  const cut = fitted({ ...body, [wide!.under]: short })
  return {
    body: cut.body,
    note:
      [
        rows.length === 0
          ? null
          : 'Rows in brief, without what is null; "detail":"full" or "fields":[…] gives the rest.',
        cut.note,
      ]
        .filter((line) => line !== null)
        .join(' ') || null,
  }
}
