/** Filter rows as sent: accepted spellings, and the messages for others (G55, G57, G58). */
import { describe, expect, it } from 'vitest'
import { agentFilterColumns, agentFilterValues, filterRows, leadFilterColumns } from '../src/values/filter-row.ts'

const rows = filterRows({ jobTitle: 'text', icp: 'number' })
const taken = (...given: readonly unknown[]) => rows.parse(given)
const refused = (given: unknown) =>
  rows.safeParse(given).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
const of = (column: unknown, operator: unknown, value?: unknown) => ({ column, operator, value })
const columns = 'jobTitle, icp'
const operators = 'contains, not_contains, equals, not_equals, in, not_in, is_empty, is_not_empty, at_least, at_most'

describe('a row [ICP-03, ICP-04, OUT-21, AGT-51]', () => {
  it.each([
    [of('jobTitle', 'contains', 'x'), of('jobTitle', 'contains', 'x')],
    [of('job_title', 'notContains', 'x'), of('jobTitle', 'not_contains', 'x')],
    [of('jobTitle', 'notIn', ['a', 'b']), of('jobTitle', 'not_in', ['a', 'b'])],
    [of('icp', 'atLeast', 0), of('icp', 'at_least', 0)],
    [of('icp', 'in', [1, 2.5]), of('icp', 'in', [1, 2.5])],
    [of('icp', 'equals', -1), of('icp', 'equals', -1)],
    [of('jobTitle', 'equals', 'x'.repeat(200)), of('jobTitle', 'equals', 'x'.repeat(200))],
    [of('jobTitle', 'in', Array(50).fill('a')), of('jobTitle', 'in', Array(50).fill('a'))],
  ])('%j is kept as %j', (given, kept) => expect(taken(given)).toStrictEqual([kept]))

  it('of an operator that takes none is kept without a value', () => {
    for (const value of [undefined, null])
      expect(taken(of('jobTitle', 'isNotEmpty', value))).toStrictEqual([
        { column: 'jobTitle', operator: 'is_not_empty' },
      ])
    expect(Object.keys(taken(of('icp', 'is_empty'))[0]!)).toEqual(['column', 'operator'])
  })

  const text = 'text of 1 to 200 characters'
  it.each<readonly [object, string]>([
    [of('jobtitle', 'equals', 'x'), `column: must be a column, one of ${columns}: "jobtitle" is none`],
    [of(undefined, 'equals', 'x'), `column: must be a column, one of ${columns}: nothing is none`],
    [of(['a'], 'equals', 'x'), `column: must be a column, one of ${columns}: a list is none`],
    [of(null, 'equals', 'x'), `column: must be a column, one of ${columns}: a null is none`],
    [of(7, 'equals', 'x'), `column: must be a column, one of ${columns}: a number is none`],
    [of('y'.repeat(61), 'equals', 'x'), `column: must be a column, one of ${columns}: "${'y'.repeat(60)}" is none`],
    [of('\ud83d', 'equals', 'x'), `column: must be a column, one of ${columns}: "\ufffd" is none`],
    [of('job_title', 'like', 'x'), `operator: must be an operator, one of ${operators}: "like" on jobTitle is none`],
    [
      of('jobTitle', 'at_least', 1),
      'operator: must be one of contains, not_contains, equals, not_equals, in, not_in, is_empty, is_not_empty on jobTitle, not at_least',
    ],
    [
      of('icp', 'contains', '1'),
      'operator: must be one of equals, not_equals, in, not_in, is_empty, is_not_empty, at_least, at_most on icp, not contains',
    ],
    [of('jobTitle', 'equals'), `value: must be ${text} for equals on jobTitle`],
    [of('jobTitle', 'equals', '\u200b'), `value: must be ${text} for equals on jobTitle`],
    [of('jobTitle', 'equals', ''), `value: must be ${text} for equals on jobTitle`],
    [of('jobTitle', 'equals', 'x'.repeat(201)), `value: must be ${text} for equals on jobTitle`],
    [of('jobTitle', 'equals', 1), `value: must be ${text} for equals on jobTitle`],
    [of('jobTitle', 'equals', ['x']), `value: must be ${text} for equals on jobTitle`],
    [of('icp', 'equals', '1'), 'value: must be a number for equals on icp'],
    [of('icp', 'at_most', Number.NaN), 'value: must be a number for at_most on icp'],
    [of('icp', 'at_most', Number.POSITIVE_INFINITY), 'value: must be a number for at_most on icp'],
    [of('jobTitle', 'is_empty', ''), 'value: must be absent for is_empty on jobTitle'],
    ...[[], Array(51).fill('a'), 'a', { length: 1 }, ['a', ''], ['a', 1]].map(
      (value) =>
        [
          of('jobTitle', 'in', value),
          `value: must be a list of 1 to 50 values for in on jobTitle, each ${text}`,
        ] as const,
    ),
    [of('icp', 'in', ['1']), 'value: must be a list of 1 to 50 values for in on icp, each a number'],
  ])('%j is refused in words', (given, words) => expect(refused([given])).toEqual([`0.${words}`]))
})

it('a list of rows says what it must be', () => {
  const message = 'must be a list of at most 50 rows {column, operator, value}'
  expect(refused('x')).toEqual([`: ${message}`])
  expect(refused(Array(51).fill(of('icp', 'equals', 1)))).toEqual([`: ${message}`])
  expect(refused(Array(50).fill(of('icp', 'equals', 1)))).toEqual([])
  expect(refused([of('icp', 'equals', 1), 7])).toEqual(['1: must be an object {column, operator, value}'])
})

describe('a column that holds one of a few values', () => {
  const ofLeads = filterRows(leadFilterColumns)
  const ofAgents = filterRows(agentFilterColumns, agentFilterValues)
  it.each([
    ['companyStaffRange', 'equals', '10,001+', '10001+'],
    ['companyStaffRange', 'in', ['1,001-5,000', '10.001+'], ['1001-5000', '10001+']],
    ['companyStaffRange', 'not_in', ['1001–5000'], ['1001-5000']],
    ['companyStaffRange', 'not_equals', '1001-5000 employees', '1001-5000'],
    ['companyStaffRange', 'contains', '10K+', '10001+'],
    ['companyStaffRange', 'contains', '5000', '5000'],
    ['engagementType', 'equals', 'like', 'Like'],
    ['engagementType', 'in', ['COMMENT\u200b', 'author'], ['Comment', 'Author']],
  ] as const)('%s %s %j is read as %j [WLD-17]', (column, operator, value, read) => {
    for (const schema of [ofLeads, ofAgents])
      expect(schema.parse([{ column, operator, value }])).toEqual([{ column, operator, value: read }])
  })
  it.each([
    ['signal', 'equals', 'Extra strong', 'extra_strong'],
    ['signal', 'contains', 'strong', 'strong'],
    ['sourceKind', 'in', ['Keyword'], ['keyword']],
    ['engagementType', 'not_equals', 'praise', 'Praise'],
  ] as const)("of an agent's leads, %s %s %j is read as %j [WLD-17]", (column, operator, value, read) =>
    expect(ofAgents.parse([{ column, operator, value }])).toEqual([{ column, operator, value: read }]),
  )
  const buckets = '1-10, 11-50, 51-200, 201-500, 501-1000, 1001-5000, 5001-10000, 10001+'
  it.each([
    ['companyStaffRange', 'equals', 'large', `${buckets} for equals on companyStaffRange: "large" is none`],
    ['companyStaffRange', 'in', ['1-10', '11-200'], `${buckets} for in on companyStaffRange: "11-200" is none`],
    ['companyStaffRange', 'not_contains', 'x', `${buckets} for not_contains on companyStaffRange: "x" is none`],
    ['engagementType', 'equals', 'Reply', 'Like, Comment, Author for equals on engagementType: "Reply" is none'],
  ] as const)('%s %s %j is refused with what there is [WLD-17]', (column, operator, value, message) =>
    expect(ofLeads.safeParse([{ column, operator, value }]).error?.issues.map((issue) => issue.message)).toEqual([
      `must be one of ${message}`,
    ]),
  )
  it('of signals and kinds of sources is refused with what there is [WLD-17]', () => {
    for (const column of ['signal', 'sourceKind', 'engagementType'] as const)
      expect(
        ofAgents.safeParse([{ column, operator: 'equals', value: 'nothing' }]).error?.issues[0]?.message,
      ).toContain(`must be one of ${agentFilterValues[column]!.join(', ')}`)
  })
})
