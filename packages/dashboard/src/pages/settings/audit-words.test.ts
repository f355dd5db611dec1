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

  it('counts leads, those that the log has cut off too', () => {
    const ids = [...Array(20).fill('id'), '… 351 more']
    expect(say({ operation: 'pushSource', target: '01a1', details: { leadIds: ids } })).toContain('sent 371 leads of')
    expect(say({ operation: 'pushSource', target: '01a1', details: { leadIds: ['a'] } })).toContain('sent 1 lead of')
    expect(say({ operation: 'sendLeads', details: { people: ['a', 'b'] } })).toBe(
      'sent 2 people to [a campaign](/outreach)',
    )
  })

  it('says what is set and what is taken away, and names people by their addresses', () => {
    expect(say({ operation: 'updateSourceWebhook', target: '01a1', details: { webhookUrl: null } })).toContain('took')
    expect(say({ operation: 'updateSourceWebhook', target: '01a1', details: { webhookUrl: '(not kept)' } })).toContain(
      'set',
    )
    expect(say({ operation: 'changeMemberRole', target: 'u1', details: { role: 'viewer' } })).toBe(
      'made [ben@example.com](/settings) viewer of the team',
    )
  })

  it('of a later release is named as it is', () => {
    expect(say({ operation: 'teleportLeads' })).toBe('did “teleportLeads”')
  })
})
