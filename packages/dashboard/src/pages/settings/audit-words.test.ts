import { describe, expect, it } from 'vitest'
import { sentenceOf, type Known, type Told } from './audit.tsx'

const jane = { id: '01a1', label: 'Jane Doe', type: 'person' }
const known: Known = {
  source: (name) => (['01a1', 'jane-doe'].includes(name) ? jane : undefined),
  member: (id) => (id === 'u1' ? 'ben@example.com' : undefined),
}
const say = (told: Partial<Told> & { operation: string }): string =>
  sentenceOf({ target: null, details: {}, ...told }, known)
    .map((part) => (typeof part === 'string' ? part : `[${part.name}]${part.place ? `(${part.place.to})` : ''}`))
    .join(' ')

describe('an entry of the audit log', () => {
  it('names a source that the team still has by its label, with a link, whatever the entry knows it by', () => {
    expect(say({ operation: 'enrichProfile', details: { username: 'jane-doe', saveTrackedProfile: true } })).toBe(
      'tracked [Jane Doe](/sources/$id)',
    )
    expect(say({ operation: 'untrackProfile', target: 'jane-doe' })).toBe('stopped tracking [Jane Doe](/sources/$id)')
    expect(say({ operation: 'startSourceSync', target: '01a1' })).toBe('synced [Jane Doe](/sources/$id)')
  })

  it('names what is gone without a link', () => {
    expect(say({ operation: 'enrichProfile', details: { username: 'gone' } })).toBe('looked up gone')
    expect(say({ operation: 'pushSource', target: '02b2' })).toBe(
      'sent all leads of a source that is gone to its webhook',
    )
    expect(say({ operation: 'removeMember', target: 'u2' })).toBe(
      'removed [somebody who has left](/settings) from the team',
    )
  })
})
