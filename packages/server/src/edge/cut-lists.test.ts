import { operationsById, sessionRegistry } from '@les/contract'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { cutLists } from './cut-lists.ts'

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
