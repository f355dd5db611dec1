/** What adapters of CRMs share in mapping: rows of a team laid over the built-in ones, and when a field is written. Pure. */
import { mappingFacts } from '@les/contract'
import type { LeadDocument, MappingRow, WriteMode } from './port.ts'

/** A built-in row; `read` where the platform wants another form of the fact. */
export type BuiltInRow = MappingRow & { readonly read?: (document: LeadDocument) => unknown }

/** A value as platforms take it; what is not known is not sent. */
export type FieldValue = string | number | boolean

/**
 * The rows that count: a row of the team takes the place of the built-in one of its field, and its mode that of `writeMode`. What is
 * never written has no row.
 */
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

/** The values of a document by field; a fact that is not known leaves its field out, so that nothing is emptied there. */
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

/** A fact by its name (`companyName`, `company.name`); undefined for one that does not exist. */
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

/** The values to be sent to a record that has these already: what is written only while it is empty there is left out. */
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

/** The document of a sample, marked where everybody sees it. */
export const markedSample = (document: LeadDocument): LeadDocument => ({
  ...document,
  name: `${sampleMark} ${document.name ?? 'lead'}`,
  firstName: sampleMark,
  lastName: document.lastName ?? document.name ?? 'lead',
  why: `A sample about nobody, sent to try out the connection. ${document.why}`,
})
