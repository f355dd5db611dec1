import { describe, expect, it } from 'vitest'
import { groupBySource } from './push-groups.ts'

const row = (id: string, sourceId: string | null) => ({ id, sourceId, sourceLabel: sourceId, sourceKind: 'profile' })

describe('a push of chosen leads', () => {
  it('goes to each source with its own leads, and counts those without a source', () => {
    const { groups, withoutSource } = groupBySource([row('1', 'a'), row('2', 'b'), row('3', 'b'), row('4', null)])
    expect(groups.map(({ sourceId, leadIds }) => [sourceId, leadIds])).toEqual([
      ['b', ['2', '3']],
      ['a', ['1']],
    ])
    expect(withoutSource).toBe(1)
  })
})
