import { mappingFacts } from '@les/contract'
import type { DeliveryRecord, EngagementDocument, LeadDocument, MappingRow, WriteMode } from './port.ts'

/** A built-in row; `read` converts the fact for the platform. */
export type BuiltInRow = MappingRow & { readonly read?: ((document: LeadDocument) => unknown) | undefined }

export const row = (
  field: string,
  from: string,
  mode: WriteMode = 'always',
  read?: BuiltInRow['read'],
): BuiltInRow => ({ field, from, mode, read })

export type FieldValue = string | number | boolean

/** A destination's rows: a team's row replaces the built-in one of its field, `writeMode` its mode; `never` drops the row. */
export function rowsOf(
  builtIn: readonly BuiltInRow[],
  writeMode: Readonly<Record<string, WriteMode>>,
  mapping: readonly MappingRow[],
): readonly BuiltInRow[] {
  const modes = new Map(Object.entries(writeMode))
  const own = new Map(builtIn.map((each) => [each.field, { ...each, mode: modes.get(each.field) ?? each.mode }]))
  for (const each of mapping) own.set(each.field, each)
  return [...own.values()].filter(({ mode }) => mode !== 'never')
}

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
export function withoutFilled<Value>(
  rows: readonly BuiltInRow[],
  values: Readonly<Record<string, Value>>,
  there: Readonly<Record<string, unknown>>,
): Record<string, Value> {
  const ifEmpty = new Set(rows.filter(({ mode }) => mode === 'if_empty').map(({ field }) => field))
  return Object.fromEntries(Object.entries(values).filter(([field]) => !ifEmpty.has(field) || isEmpty(there[field])))
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The document of a record; that of a sample is visibly marked. */
export const documentOf = ({ document, isSample }: DeliveryRecord): LeadDocument =>
  isSample
    ? {
        ...document,
        name: `SAMPLE ${document.name ?? 'lead'}`,
        firstName: 'SAMPLE',
        lastName: document.lastName ?? document.name ?? 'lead',
        why: `A sample about nobody, sent to try out the connection. ${document.why}`,
      }
    : document

/** What the person did, as the title of a note. */
export const engagementTitles: Readonly<Record<EngagementDocument['type'], string>> = {
  Like: 'Reacted to a post',
  Comment: 'Commented on a post',
  Author: 'Wrote a post',
}
