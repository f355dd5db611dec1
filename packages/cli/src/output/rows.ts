/** Answers as rows of text: aligned columns on a terminal, tab separated otherwise, or comma separated. */
import { kebabCase, type AnswerShape } from '../catalogue/entry.ts'
import { align, fitTable, plain } from './text.ts'

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** What is shown of lists whose rows are too wide to show whole; every other list shows all its plain values. */
const columnsOf: Readonly<Record<string, readonly string[]>> = {
  listLeads: [
    'createdAt',
    'name',
    'engagementType',
    'jobTitle',
    'companyName',
    'country',
    'isIcp',
    'linkedinUrl',
    'id',
  ],
  listEngagers: [
    'lastEngagedAt',
    'name',
    'engagementCount',
    'jobTitle',
    'companyName',
    'country',
    'isIcp',
    'linkedinUrl',
    'id',
  ],
  listAgentLeads: ['detectedAt', 'name', 'icp', 'signal', 'jobTitle', 'companyName', 'country', 'linkedinUrl', 'id'],
  listRawLeads: ['detectedAt', 'name', 'action', 'commentText', 'linkedinUrl', 'id'],
  listSourcePosts: ['postedAt', 'totalReactionCount', 'commentsCount', 'text', 'url'],
  readProfilePosts: ['postedAt', 'totalReactionCount', 'commentsCount', 'text', 'url'],
  readCompanyPosts: ['postedAt', 'totalReactionCount', 'commentsCount', 'text', 'url'],
  listSources: ['type', 'username', 'status', 'mode', 'creditCapPerSync', 'nextSyncAt', 'id'],
  listKeys: ['name', 'maskedKey', 'createdAt', 'lastUsedAt', 'id'],
  listKeptPosts: ['decidedAt', 'outcome', 'reason', 'postedAt', 'text', 'url'],
  listDiscoverRuns: ['createdAt', 'state', 'keywords', 'found', 'qualified', 'id'],
  listKeyword: ['name', 'status', 'keywords', 'expression', 'creditCap', 'nextSyncAt', 'id'],
  listRequests: ['at', 'status', 'code', 'operation', 'durationMs', 'path', 'id'],
  listDeliveries: ['createdAt', 'state', 'event', 'leadName', 'ownerLabel', 'attempts', 'lastStatus', 'id'],
  getDiscoverRun: ['name', 'averageEngagement', 'postCount', 'jobTitle', 'company', 'country', 'linkedinUrl'],
}

/** The operation an answer belongs to, as far as rows need to know. */
export type RowShape = { readonly id: string; readonly answer: AnswerShape }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is readonly Json[] => Array.isArray(value) && value.every(isObject)
const isTexts = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && !value.some((item) => typeof item === 'object')

/** A value as one cell; null is empty. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (isTexts(value)) return plain(value.join(','))
  return plain(typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean))
}

/** The plain values of an object by dotted name; lists of objects are left out. */
export function flatten(object: Json, prefix = ''): [string, string][] {
  return Object.entries(object).flatMap(([name, value]): [string, string][] => {
    if (isObject(value)) return flatten(value, `${prefix}${name}.`)
    return isList(value) && value.length > 0 ? [] : [[`${prefix}${name}`, cell(value)]]
  })
}

function scalarColumns(rows: readonly Json[]): string[] {
  return [
    ...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => !isObject(row[name]) && !isList(row[name])))),
  ]
}

const tabbed = (table: readonly (readonly string[])[]): string => table.map((row) => `${row.join('\t')}\n`).join('')

/** The list that an answer is about, and what is shown of it. */
export function listOf(
  answer: Json,
  shape: RowShape,
): { readonly name: string; readonly rows: readonly Json[]; readonly columns: readonly string[] } | undefined {
  const { list } = shape.answer
  const rows = list ? answer[list.name] : undefined
  return list && isList(rows) ? { name: list.name, rows, columns: columnsOf[shape.id] ?? list.plain } : undefined
}

/** An answer as text, and as a note for people what goes with a list but is not in its rows. */
export function render(
  answer: Json,
  shape: RowShape,
  { isTty, columns: room }: { readonly isTty: boolean; readonly columns: number },
): { readonly data: string; readonly note: string } {
  const list = listOf(answer, shape)
  if (list) {
    const { name, rows, columns } = list
    const cells = rows.map((row) => columns.map((column) => cell(row[column])))
    const rest = flatten(Object.fromEntries(Object.entries(answer).filter(([key]) => key !== name)))
    const note = [...(rows.length === 0 ? [`no ${name}`] : []), ...rest.map(([key, value]) => `${key} ${value}`)].join(
      ', ',
    )
    if (!isTty) return { data: tabbed(cells), note }
    const names = columns.map((column) => kebabCase(column).replaceAll('-', ' '))
    if (rows.length === 0) return { data: '', note }
    const { text, leftOut } = fitTable([names.map((each) => each.toUpperCase()), ...cells], room)
    const missing = leftOut.length > 0 ? `no room for ${leftOut.map((at) => names[at]).join(', ')}: --json has all` : ''
    return { data: text, note: [note, missing].filter((part) => part !== '').join('; ') }
  }
  // Lists beside other things, such as usage by day and by source: each row starts with the name of its list.
  const lists = Object.entries(answer).filter((entry): entry is [string, readonly Json[]] => isList(entry[1]))
  const listed = lists.flatMap(([name, rows]) =>
    rows.map((row) => [name, ...scalarColumns(rows).map((column) => cell(row[column]))]),
  )
  const pairs = flatten(answer)
  return { data: isTty ? align(pairs) + align(listed) : tabbed([...pairs, ...listed]), note: '' }
}
