import { operationsById, operationsOf, registry, sessionRegistry, wholeNumber, wholeNumberOrNull } from '@les/contract'
import { expect, it, test } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../platform/refusal.ts'
import { cutLists } from '../platform/read-fields.ts'
import { validateInput } from './input.ts'

const range = { min: 1, max: 5 }
const edit = operationsOf('sources')('edit', 'PATCH /thing/{name}', {
  summary: '',
  description: '',
  params: z.object({ name: z.string() }),
  body: z
    .object({
      cap: wholeNumberOrNull(range, 'no limit').optional(),
      rows: z.array(z.object({ value: wholeNumber(range) })).optional(),
      plain: z.string().optional(),
      needed: wholeNumber(range).optional(),
      parts: z.array(z.strictObject({ kind: z.string() })).optional(),
    })
    .superRefine((body, context) => {
      if (body.plain === 'needs')
        context.addIssue({ code: 'custom', path: ['needed'], message: 'is required with plain: a whole number' })
    }),
  strictBody: true,
  renamed: { limit: 'cap' },
  success: z.object({}),
})
const judge = (body: Record<string, unknown>) => {
  try {
    return validateInput(edit, { params: { name: 'n' }, query: [], body })
  } catch (error) {
    return error instanceof Refusal ? `${error.key}: ${error.message}` : error
  }
}

test.each([
  [{ colour: 1 }, 'unknown_field: Unknown field `colour`: this body takes `cap`, `rows`, `plain`, `needed`, `parts`'],
  [{ colour: 1, limit: 2, cap: 'x' }, 'renamed_field: `limit` was renamed: send `cap` instead'],
  [
    { colour: 1, cap: 'x' },
    'unknown_field: Unknown field `colour`: this body takes `cap`, `rows`, `plain`, `needed`, `parts`',
  ],
  [{ '\0': 1 }, 'unknown_field: Unknown field `\uFFFD`: this body takes `cap`, `rows`, `plain`, `needed`, `parts`'],
  [
    { pliain: 1 },
    'unknown_field: Unknown field `pliain`: did you mean `plain`? this body takes `cap`, `rows`, `plain`, `needed`, `parts`',
  ],
  [
    { parts: [{ kinds: 'x' }] },
    'unknown_field: Unknown field `parts[0].kinds`: did you mean `kind`? `parts[0]` takes `kind`',
  ],
  [{ cap: 6 }, 'invalid_request: `cap` must be a whole number from 1 to 5, or null (no limit)'],
  [{ cap: '3' }, 'invalid_request: `cap` must be a whole number from 1 to 5, or null (no limit)'],
  [{ rows: [{ value: 1 }, { value: 9 }] }, 'invalid_request: `rows[1].value` must be a whole number from 1 to 5'],
  [{ rows: [{}] }, 'invalid_request: `rows[0].value` is required: must be a whole number from 1 to 5'],
  [{ plain: 7 }, 'invalid_request: `plain` is not valid: Invalid input: expected string, received number'],
  [{ plain: 'needs' }, 'invalid_request: `needed` is required with plain: a whole number'],
])('%j is refused by name [ERR-02, ERR-03, ERR-04, ERR-05]', (body, message) => {
  expect(judge(body)).toBe(message)
})

test.each([
  [[{ column: 'icp', operator: 'like', value: 1 }], '`filters[0].operator` must be an operator, one of contains,'],
  [
    [
      { column: 'icp', operator: 'at_least', value: 1 },
      { column: 'icp', operator: 'contains', value: 'x' },
    ],
    '`filters[1].operator` must be one of equals, not_equals, in, not_in, is_empty, is_not_empty, at_least, at_most on icp, not contains',
  ],
  [[{ column: 'place', operator: 'equals', value: 'x' }], '`filters[0].column` must be a column, one of'],
  [[{ column: 'icp', operator: 'at_least', value: 'x' }], '`filters[0].value` must be a number for at_least on icp'],
  [[{ column: 'icp', value: 1 }], '`filters[0].operator` is required: must be an operator'],
  ['no list', '`filters` must be a list of at most 50 rows'],
])('the filters %j in a query are refused by what is wrong with them [ERR-04, AGT-54]', (rows, message) => {
  const listAgentLeads = registry.find(({ id }) => id === 'listAgentLeads')!
  try {
    validateInput(listAgentLeads, { params: {}, query: [['filters', JSON.stringify(rows)]], body: {} })
    expect.unreachable()
  } catch (error) {
    expect((error as Refusal).message).toContain(message)
  }
})

test('path, query and body arrive as one object; null and absent stay apart', () => {
  expect(judge({ cap: null })).toEqual({ name: 'n', cap: null })
  expect(judge({})).toEqual({ name: 'n' })
})

it('leaves a list that fits as it is, and cuts one that is too long to one more than fits, wherever it lies', () => {
  const list = z.array(z.string()).max(2).optional()
  const schema = z.object({ list, inner: z.object({ list }).nullable(), other: z.array(z.string()) })
  const [fits, long] = [
    ['a', 'b'],
    ['a', 'b', 'c', 'd', 'e'],
  ]
  expect(cutLists(schema, { list: fits, inner: { list: long }, other: long, unknown: long })).toEqual({
    list: fits,
    inner: { list: ['a', 'b', 'c'] },
    other: long,
    unknown: long,
  })
  expect(cutLists(schema, { list: 'abc', inner: null })).toEqual({ list: 'abc', inner: null })
})

it('sees the longest lists of the interface through what is around them', () => {
  const long = Array.from({ length: 20_000 }, () => ({}))
  const cut = (schema: z.ZodType, body: Record<string, unknown>) => cutLists(schema, body) as Record<string, unknown[]>
  expect(cut(operationsById.sendLeads.body, { people: long }).people).toHaveLength(1_001)
  expect(cut(operationsById.updateSourceIcp.body, { rules: long }).rules).toHaveLength(51)
  const preview = sessionRegistry.find(({ id }) => id === 'saveDefaults')!.body!
  expect((cutLists(preview, { criteria: { rules: long } }) as any).criteria.rules).toHaveLength(51)
})
