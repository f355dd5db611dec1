import { registry, sessionRegistry } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { markNames, topics, topicsBetween, topicsOfOperation, type ChangeMarks, type Mark } from './changes.ts'

const look = (change: Partial<Record<Mark, string>> = {}, more: Partial<ChangeMarks> = {}): ChangeMarks => ({
  marks: { ...(Object.fromEntries(markNames.map((name) => [name, '1'])) as Record<Mark, string>), ...change },
  written: [],
  hasAgent: false,
  ...more,
})

describe('what has changed between two looks', () => {
  it('is nothing when they are the same', () => {
    expect(topicsBetween(look(), look())).toEqual([])
    const written = [{ id: 'a', operation: 'createKey' }]
    expect(topicsBetween(look({}, { written }), look({}, { written }))).toEqual([])
  })
  it.each(markNames)('the mark `%s` names at least one topic when it differs', (name) => {
    expect(topicsBetween(look(), look({ [name]: '2' })).length).toBeGreaterThan(0)
  })
  it('names each topic once, in one order', () => {
    expect(topicsBetween(look(), look({ syncs: '2', searching: '2', leads: '2', credits: '2' }))).toEqual([
      'leads',
      'sources',
      'syncs',
      'keywords',
      'credits',
    ])
  })
  it('leads are what an agent ranks', () => {
    expect(topicsBetween(look({}, { hasAgent: true }), look({ leads: '2' }, { hasAgent: true }))).toContain('agent')
    expect(topicsBetween(look(), look({ leads: '2' }))).not.toContain('agent')
  })
  it('changes that people make are told by their operation, also when an older one comes late', () => {
    const [first, late] = [
      { id: 'b', operation: 'createKey' },
      { id: 'a', operation: 'updateSourceWebhook' },
    ]
    expect(topicsBetween(look({}, { written: [first] }), look({}, { written: [first, late] }))).toEqual([
      'sources',
      'syncs',
      'deliveries',
      'settings',
    ])
  })
  it('every operation names topics that exist, and the log of changes grows with each', () => {
    for (const { id } of [...registry, ...sessionRegistry]) {
      expect(topicsOfOperation(id)).toContain('settings')
      expect(topicsOfOperation(id).filter((topic) => !topics.includes(topic))).toEqual([])
    }
    expect(topicsOfOperation('something else')).toEqual(['settings'])
  })
})
