import { cutText } from '../../../platform/text.ts'
import { row, rowsOf, valuesOf, type BuiltInRow, type FieldValue } from '../mapping.ts'
import type { LeadDocument, MappingRow, WriteMode } from '../port.ts'
import { keyField } from './client.ts'

export type SalesforceSettings = {
  readonly instanceUrl: string
  readonly object: 'Lead' | 'Contact'
  readonly writeMode: Readonly<Record<string, WriteMode>>
}

/** Both objects require a last name. */
const lastName = ({ lastName: last, name, personKey }: LeadDocument): string => last ?? name ?? personKey

/** Other facts as text: Salesforce has no fields for them unless the team creates and maps some. */
const description = ({ why, linkedinUrl, headline, commentText, postUrl, leadUrl }: LeadDocument): string =>
  [why, headline, commentText === null ? null : `Wrote: ${commentText}`, postUrl, linkedinUrl, leadUrl]
    .filter((line) => line !== null)
    .join('\n')

const common: readonly BuiltInRow[] = [
  row('FirstName', 'firstName', 'if_empty'),
  row('LastName', 'lastName', 'if_empty', lastName),
  row('Email', 'email', 'if_empty'),
  row('Title', 'jobTitle', 'always'),
  row('Description', 'why', 'if_empty', description),
  row('LeadSource', 'sourceLabel', 'if_empty', () => 'Lead engagement'),
]
const ofObject: Readonly<Record<SalesforceSettings['object'], readonly BuiltInRow[]>> = {
  Lead: [
    ...common,
    // Required by Salesforce.
    row('Company', 'company.name', 'if_empty', ({ company }) => company.name ?? company.domain ?? '[not known]'),
    row('Website', 'company.domain', 'if_empty'),
    row('NumberOfEmployees', 'company.employeeCount', 'if_empty'),
    row('Industry', 'company.industry', 'if_empty'),
  ],
  Contact: common,
}

/** The rows of a destination. */
export const rowsOfObject = (
  { object, writeMode }: SalesforceSettings,
  mapping: readonly MappingRow[],
): readonly BuiltInRow[] =>
  rowsOf(ofObject[object], writeMode, mapping).filter(({ field }) => field !== keyField && field !== 'Id')

/** Lengths of standard fields; longer texts are cut, because Salesforce would refuse the record. */
const lengths: Readonly<Record<string, number>> = {
  FirstName: 40,
  LastName: 80,
  Title: 128,
  Company: 255,
  Website: 255,
  Description: 30_000,
}
const usualLength = 255

/** A document's values by field. */
export const contentOf = (rows: readonly BuiltInRow[], document: LeadDocument): Readonly<Record<string, FieldValue>> =>
  Object.fromEntries(
    Object.entries(valuesOf(rows, document)).map(([field, value]) => [
      field,
      typeof value === 'string' ? cutText(value, lengths[field] ?? usualLength) : value,
    ]),
  )
