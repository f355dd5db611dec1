import { cutText } from '../../../platform/text.ts'
import type { LeadDocument } from '../port.ts'

type Cell = string | number | boolean

/** Google's limit is 50,000 characters. */
const longestCell = 5_000

const columns: readonly (readonly [title: string, read: (document: LeadDocument) => Cell | null])[] = [
  ['LES key', ({ personKey }) => personKey],
  ['Name', ({ name }) => name],
  ['First name', ({ firstName }) => firstName],
  ['Last name', ({ lastName }) => lastName],
  ['Email', ({ email }) => email],
  ['LinkedIn', ({ linkedinUrl }) => linkedinUrl],
  ['Headline', ({ headline }) => headline],
  ['Job title', ({ jobTitle }) => jobTitle],
  ['Country', ({ country }) => country],
  ['Company', ({ company }) => company.name],
  ['Company domain', ({ company }) => company.domain],
  ['Company LinkedIn', ({ company }) => company.linkedinUrl],
  ['Industry', ({ company }) => company.industry],
  ['Staff range', ({ company }) => company.staffRange],
  ['Employees', ({ company }) => company.employeeCount],
  ['ICP', ({ isIcp }) => isIcp],
  ['Fit', ({ fit }) => fit],
  ['Source', ({ sourceLabel }) => sourceLabel],
  ['Engagement', ({ engagementType }) => engagementType],
  ['Engaged at', ({ engagedAt }) => engagedAt],
  ['Comment', ({ commentText }) => commentText],
  ['Post', ({ postUrl }) => postUrl],
  ['Why', ({ why }) => why],
  ['Lead', ({ leadUrl }) => leadUrl],
]

/** The header row; its first cell identifies a sheet of ours. */
export const header: readonly string[] = columns.map(([title]) => title)

/** A person's cells by column title, written as `RAW`, so that no text becomes a formula. */
export const rowOf = (document: LeadDocument): Readonly<Record<string, Cell>> =>
  Object.fromEntries(columns.map(([title, read]) => [title, cellOf(read(document))]))

function cellOf(value: Cell | null): Cell {
  if (typeof value === 'string') return cutText(value, longestCell)
  return value ?? ''
}
