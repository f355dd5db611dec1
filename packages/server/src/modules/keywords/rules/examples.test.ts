/** Every expression that the project shows as an example does what the reader takes it to do. */
import { describe, expect, it } from 'vitest'
import { exampleExpressions } from '../../../../test/keywords/example-expressions.ts'
import { judgeByExpression, parseExpression, warningsOf } from './expression.ts'

/** What each example should keep, and what not; one more example needs one more row. */
const meant: Readonly<Record<string, { readonly kept: string; readonly left: string }>> = {
  '"head of growth" AND hiring AND NOT intern': {
    kept: 'Our Head of Growth is hiring',
    left: 'Our Head of Growth is hiring an intern',
  },
  '"head of growth" AND hiring': { kept: 'Our Head of Growth is hiring', left: 'Our Head of Growth is leaving' },
  '"sales automation" AND NOT hiring': { kept: 'Sales automation in a week', left: 'Sales automation: we are hiring' },
  '"revenue operations" AND NOT webinar': {
    kept: 'Revenue operations, explained',
    left: 'Join our webinar on revenue operations',
  },
  'sales AND "head of growth"': { kept: 'From sales to Head of Growth', left: 'Head of Growth' },
  'a AND c OR b AND c': { kept: 'b c', left: 'a b' },
  '(a AND b)': { kept: 'b a', left: 'a' },
}
/** Shown as what is not taken. */
const refused = ['(a OR b) AND c']

const found = exampleExpressions()

describe('the example expressions of the contract, the command line, the dashboard and the docs', () => {
  it('are all known here', () => {
    expect([...found.keys()].toSorted()).toEqual([...Object.keys(meant), ...refused].toSorted())
    for (const part of [
      'docs/generated/openapi.json',
      'docs/generated/cli.md',
      'packages/cli/src/catalogue/operations.json',
      'packages/contract/src/operations/keywords.ts',
      'packages/dashboard/src/pages/keyword-edit/looks-for.tsx',
      'README.md',
    ])
      expect(
        [...found.values()].flat().some((file) => file.endsWith(part)),
        part,
      ).toBe(true)
  })
  it.each(Object.entries(meant))(
    '%s keeps what it should and leaves out what it should [G147]',
    (example, { kept, left }) => {
      const parsed = parseExpression(example)
      if (!parsed.ok) throw new Error(parsed.message)
      expect([kept, left].map((text) => judgeByExpression(parsed.expression, text).kept)).toEqual([true, false])
      expect(warningsOf(parsed.expression)).toEqual([])
    },
  )
  it.each(refused)('%s is refused', (example) => {
    expect(parseExpression(example).ok).toBe(false)
  })
})
