import { expect, it } from 'vitest'
import { kindsPerLead } from '../../src/modules/delivery/destinations/queue.ts'
import { destinationAdapters } from '../../src/providers/destinations/index.ts'

it('kinds that take one message a lead are those whose adapters say so [DST-06]', () => {
  const perLead = destinationAdapters.filter(({ limits }) => limits.per === 'lead').map(({ kind }) => kind)
  expect([...kindsPerLead].sort()).toEqual(perLead.sort())
})
