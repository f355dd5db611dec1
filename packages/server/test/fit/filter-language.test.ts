/** The filter language means the same in SQL and in memory (G55, G57). */
import { filterRows, foldText, operatorsOf, type FilterOperator, type FilterRow } from '@les/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countryNamed } from '../../src/platform/rules/countries.ts'
import { compile } from '../../src/modules/fit/filter-sql.ts'
import { rowMatches } from '../../src/modules/fit/rules/matches.ts'
import { amount } from '../world/amount.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const kinds = { title: 'text', country: 'text', size: 'number' } as const
const columns = { title: sql`r.title`, country: sql`r.country`, size: sql`r.size` }
const land = fc.constantFrom(
  'United States',
  'USA',
  'us',
  'United Kingdom',
  'UK',
  'Ukraine',
  'Russia',
  'Atlantis',
  'Niger',
  'Nigeria',
)

// Letters of every kind of case, invisible characters, and everything that LIKE, JSON and arrays treat specially.
const units = [...'abAB éÉßẞΣσςİıЖж李𝐀ﬁ％%_\\"\'’{},-–1\u00a0\u200b\u00ad\ufe0f']
const text = fc.string({ unit: fc.constantFrom(...units), maxLength: 6 })
const filled = fc
  .string({ unit: fc.constantFrom(...units), minLength: 1, maxLength: 3 })
  .filter((value) => foldText(value).trim() !== '')
const number = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(1.5, -1, 2_147_483_648, 1e300))
const record = fc.record({
  title: fc.option(text),
  country: fc.option(fc.oneof(text, land)),
  size: fc.option(fc.integer({ min: 0, max: 5 })),
})

const { text: textOperators, number: numberOperators } = operatorsOf
const rowOf = (
  operators: readonly FilterOperator[],
  column: fc.Arbitrary<string>,
  value: fc.Arbitrary<string | number>,
): fc.Arbitrary<FilterRow<string>> =>
  fc
    .tuple(fc.constantFrom(...operators), column, value, fc.array(value, { minLength: 1, maxLength: 3 }))
    .map(([operator, name, one, many]) => {
      if (operator === 'is_empty' || operator === 'is_not_empty') return { column: name, operator }
      return { column: name, operator, value: operator === 'in' || operator === 'not_in' ? (many as string[]) : one }
    })
const row = fc.oneof(
  rowOf(textOperators, fc.constant('title'), filled),
  rowOf(textOperators, fc.constant('country'), fc.oneof(filled, land)),
  rowOf(numberOperators, fc.constant('size'), number),
)

test('SQL and memory agree on random rows over random records, whatever the text [ICP-05, ICP-09, G167]', async () => {
  let told = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('all' as const, 'any' as const),
      fc.array(record, { minLength: 1, maxLength: 12 }),
      async (rows, mode, records) => {
        expect(filterRows(kinds).safeParse(rows).success).toBe(true)
        const coded = records.map((one, n) => ({
          n,
          ...one,
          code: n % 2 === 0 && one.country !== null ? countryNamed(one.country) : null,
        }))
        const condition = compile({ rows, mode, columns, kinds, countryCode: sql`r.code` })!
        const { rows: found } = await sql<{ n: number; hit: boolean }>`
        select r.n, ${condition} as hit
        from jsonb_to_recordset(${JSON.stringify(coded)}::jsonb) as r(n integer, title text, country text, size integer,
            code text) order by r.n`.execute(database.root)
        expect(found.map(({ hit }) => hit)).toEqual(
          records.map((one) => rows[mode === 'all' ? 'every' : 'some']((each) => rowMatches(each, one))),
        )
        told += found.filter(({ hit }) => hit).length
      },
    ),
    { numRuns: amount(200, 400), seed: 20261121 },
  )
  expect(told).toBeGreaterThan(250)
})
