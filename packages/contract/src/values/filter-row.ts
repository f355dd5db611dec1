/**
 * The filter language: rows `{column, operator, value}` joined by all or any, used by ICP criteria and the filters of webhooks,
 * outreach and the agent (specification «ICP criteria»; G55, G57, G58, G137).
 */
import { z } from 'zod'
import { choice, named } from './fields.ts'
import { bounds } from './bounds.ts'
import { companySizes, readCompanySize } from './company-size.ts'
import { foldText } from './text.ts'

/** Columns of captured leads with the type of their values. */
export const leadFilterColumns = {
  jobTitle: 'text',
  name: 'text',
  country: 'text',
  company: 'text',
  companyDomain: 'text',
  companyIndustry: 'text',
  companyLocation: 'text',
  companyEmployeeCount: 'number',
  companyStaffRange: 'text',
  engagementType: 'text',
  commentText: 'text',
} as const

/** Columns of an agent's leads: those of captured leads, and the agent's own (G58). */
export const agentFilterColumns = {
  ...leadFilterColumns,
  icp: 'number',
  signal: 'text',
  engagementCount: 'number',
  topic: 'text',
  sourceKind: 'text',
} as const

type FilterValues = Readonly<Record<string, readonly string[]>>

export const leadFilterValues: FilterValues = {
  companyStaffRange: companySizes,
  engagementType: ['Like', 'Comment', 'Author'],
}

/** An agent's leads name each kind of reaction (G116). */
export const agentFilterValues: FilterValues = {
  ...leadFilterValues,
  engagementType: [
    ...leadFilterValues.engagementType!,
    'Reply',
    'Praise',
    'Empathy',
    'Appreciation',
    'Interest',
    'Entertainment',
  ],
  signal: ['extra_strong', 'strong', 'medium', 'weak'],
  sourceKind: ['keyword', 'profile', 'company', 'post'],
}

export type FilterColumns = Readonly<Record<string, 'text' | 'number'>>

export type LeadFilterColumn = keyof typeof leadFilterColumns

export type AgentFilterColumn = keyof typeof agentFilterColumns

export const filterOperands = {
  contains: 'one',
  not_contains: 'one',
  equals: 'one',
  not_equals: 'one',
  in: 'list',
  not_in: 'list',
  is_empty: 'none',
  is_not_empty: 'none',
  at_least: 'number',
  at_most: 'number',
} as const

export type FilterOperator = keyof typeof filterOperands

const filterOperators = Object.keys(filterOperands) as readonly FilterOperator[]

export const operatorsOf: Readonly<Record<'text' | 'number', readonly FilterOperator[]>> = {
  text: filterOperators.filter((operator) => filterOperands[operator] !== 'number'),
  number: filterOperators.filter((operator) => !['contains', 'not_contains'].includes(operator)),
}

/** One row in canonical spelling. */
export type FilterRow<C extends string = LeadFilterColumn> = {
  readonly column: C
  readonly operator: FilterOperator
  readonly value?: string | number | string[] | number[] | undefined
}

export const matchMode = choice(['all', 'any'])

export type MatchMode = z.output<typeof matchMode>

/** Finds a name in any spelling: `jobTitle` and `job_title`, `at_least` and `atLeast`. */
const spelled = <N extends string>(names: readonly N[]): ((text: unknown) => N | undefined) => {
  const known = new Map(
    names.flatMap((name) =>
      [
        name,
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
      ].map((spelling) => [spelling, name] as const),
    ),
  )
  return (text) => (typeof text === 'string' ? known.get(text) : undefined)
}

const shown = (value: unknown): string =>
  typeof value === 'string'
    ? `"${value.toWellFormed().slice(0, 60)}"`
    : value === undefined
      ? 'nothing'
      : `a ${Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value}`
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= bounds.filterText && foldText(value).trim() !== ''
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** What is wrong with a value, or null; the message names operator and column. */
function faultOf(
  value: unknown,
  {
    operator,
    column,
    kind,
  }: { readonly operator: FilterOperator; readonly column: string; readonly kind: 'text' | 'number' },
): string | null {
  const at = `for ${operator} on ${column}`
  const operand = filterOperands[operator]
  if (operand === 'none') return value === undefined || value === null ? null : `must be absent ${at}`
  const fits = kind === 'number' ? isNumber : isText
  const what = kind === 'number' ? 'a number' : `text of 1 to ${bounds.filterText} characters`
  if (operand !== 'list') return fits(value) ? null : `must be ${what} ${at}`
  const good = Array.isArray(value) && value.length >= 1 && value.length <= bounds.filterList && value.every(fits)
  return good ? null : `must be a list of 1 to ${bounds.filterList} values ${at}, each ${what}`
}

const keyOf = (text: string): string => foldText(text).replace(/[\s_-]/g, '')

/** A value of an enumerated column in its canonical spelling; null when it can match none of `known`. */
function knownValue(known: readonly string[], operator: FilterOperator, value: string): string | null {
  const asked = foldText(value)
  const isPart = operator === 'contains' || operator === 'not_contains'
  if (isPart && known.some((one) => foldText(one).includes(asked))) return value
  if (known === companySizes) return readCompanySize(value)
  return known.find((one) => keyOf(one) === keyOf(value)) ?? null
}

function rowOf<C extends string>(columns: Readonly<Record<C, 'text' | 'number'>>, knownValues: FilterValues) {
  const names = Object.keys(columns) as C[]
  const columnOf = spelled(names)
  const operatorOf = spelled(filterOperators)
  return z
    .looseObject(
      { column: z.unknown().optional(), operator: z.unknown().optional(), value: z.unknown().optional() },
      { error: 'must be an object {column, operator, value}' },
    )
    .transform((raw, context): FilterRow<C> => {
      const refuse = (path: string, message: string): never => {
        context.addIssue({ code: 'custom', path: [path], message })
        return z.NEVER
      }
      const column = columnOf(raw.column)
      if (column === undefined)
        return refuse('column', `must be a column, one of ${names.join(', ')}: ${shown(raw.column)} is none`)
      const operator = operatorOf(raw.operator)
      if (operator === undefined)
        return refuse(
          'operator',
          `must be an operator, one of ${filterOperators.join(', ')}: ${shown(raw.operator)} on ${column} is none`,
        )
      const takes = operatorsOf[columns[column]]
      if (!takes.includes(operator))
        return refuse('operator', `must be one of ${takes.join(', ')} on ${column}, not ${operator}`)
      const fault = faultOf(raw.value, { operator, column, kind: columns[column] })
      if (fault !== null) return refuse('value', fault)
      if (filterOperands[operator] === 'none') return { column, operator }
      const value = raw.value as NonNullable<FilterRow['value']>
      const known = knownValues[column]
      if (known === undefined) return { column, operator, value }
      // A value that can never match is refused; otherwise the caller would wait for leads that never come.
      const read = [value].flat().map((one) => knownValue(known, operator, String(one)))
      const strange = read.indexOf(null)
      if (strange >= 0)
        return refuse(
          'value',
          `must be one of ${known.join(', ')} for ${operator} on ${column}: ${shown([value].flat()[strange])} is none`,
        )
      return { column, operator, value: Array.isArray(value) ? (read as string[]) : read[0]! }
    })
}

const valueSchema = {
  anyOf: [
    { type: 'string', minLength: 1, maxLength: bounds.filterText },
    { type: 'number' },
    {
      type: 'array',
      minItems: 1,
      maxItems: bounds.filterList,
      items: { anyOf: [{ type: 'string', minLength: 1, maxLength: bounds.filterText }, { type: 'number' }] },
    },
  ],
}

/** A list of rows over `columns`; a refusal names the row and the column at fault. */
export function filterRows<C extends string>(
  columns: Readonly<Record<C, 'text' | 'number'>>,
  knownValues = leadFilterValues,
) {
  const message = `must be a list of at most ${bounds.filterRows} rows {column, operator, value}`
  return z
    .array(rowOf(columns, knownValues), { error: message })
    .max(bounds.filterRows)
    .meta({
      openapi: {
        type: 'array',
        maxItems: bounds.filterRows,
        description:
          'Rows of a filter. Text comparison is case-insensitive. An empty field fails every row except the ' +
          'negative operators and is_empty. Column names are also accepted in snake_case.',
        items: {
          type: 'object',
          required: ['column', 'operator'],
          properties: {
            column: { type: 'string', enum: Object.keys(columns) },
            operator: { type: 'string', enum: [...filterOperators] },
            value: {
              ...valueSchema,
              description: 'Text, number or list, depending on the operator; absent for is_empty and is_not_empty.',
            },
          },
        },
      },
    })
}

export const filterRow = named('FilterRow', {
  column: z.string(),
  operator: z.enum(filterOperators as [FilterOperator, ...FilterOperator[]]),
  value: z.union([z.string(), z.number(), z.array(z.string()), z.array(z.number())]).optional(),
})
