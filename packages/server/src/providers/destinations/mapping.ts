import { mappingFacts } from '@les/contract'
import type { LeadDocument, MappingRow, WriteMode } from './port.ts'

/** A built-in row; `read` converts the fact for the platform. */
export type BuiltInRow = MappingRow & { readonly read?: (document: LeadDocument) => unknown }

/** A value as platforms take it. */
export type FieldValue = string | number | boolean

/** A destination's rows: a team's row replaces the built-in one of its field, `writeMode` its mode; `never` drops the row. */
export function rowsOf(
  builtIn: readonly BuiltInRow[],
  {
    writeMode,
    mapping,
  }: { readonly writeMode: Readonly<Record<string, WriteMode>>; readonly mapping: readonly MappingRow[] },
): readonly BuiltInRow[] {
  const own = new Map(builtIn.map((row) => [row.field, { ...row, mode: modeIn(writeMode, row.field) ?? row.mode }]))
  for (const row of mapping) own.set(row.field, row)
  return [...own.values()].filter(({ mode }) => mode !== 'never')
}

const modeIn = (writeMode: Readonly<Record<string, WriteMode>>, field: string): WriteMode | undefined =>
  Object.hasOwn(writeMode, field) ? writeMode[field] : undefined

/** A document's values by field; unknown facts are left out, so that nothing is emptied on the platform. */
export function valuesOf(rows: readonly BuiltInRow[], document: LeadDocument): Readonly<Record<string, FieldValue>> {
  return Object.fromEntries(
    rows.flatMap(({ field, from, read }): [string, FieldValue][] => {
      const value = read ? read(document) : factAt(document, from)
      return isValue(value) ? [[field, value]] : []
    }),
  )
}

const isValue = (value: unknown): value is FieldValue =>
  (typeof value === 'string' && value !== '') ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))

/** A fact by its name (`companyName` or `company.name`); undefined when it does not exist. */
function factAt(document: LeadDocument, from: string): unknown {
  return (mappingFacts.get(from) ?? from)
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      document,
    )
}

/** The values to send to an existing record: without `if_empty` fields that are filled. */
export function withoutFilled(
  rows: readonly BuiltInRow[],
  values: Readonly<Record<string, FieldValue>>,
  there: Readonly<Record<string, unknown>>,
): Record<string, FieldValue> {
  const ifEmpty = new Set(rows.filter(({ mode }) => mode === 'if_empty').map(({ field }) => field))
  return Object.fromEntries(Object.entries(values).filter(([field]) => !ifEmpty.has(field) || isEmpty(there[field])))
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const sampleMark = 'SAMPLE'

/** The document of a sample, visibly marked. */
export const markedSample = (document: LeadDocument): LeadDocument => ({
  ...document,
  name: `${sampleMark} ${document.name ?? 'lead'}`,
  firstName: sampleMark,
  lastName: document.lastName ?? document.name ?? 'lead',
  why: `A sample about nobody, sent to try out the connection. ${document.why}`,
})
