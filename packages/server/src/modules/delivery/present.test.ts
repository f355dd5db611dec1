import { expect, it } from 'vitest'
import type { LeadResource } from '../leads/index.ts'
import { leadDetectedBody, presentWebhook } from './present.ts'

const source = { id: 's-1', type: 'person', username: 'jane', more: 'not shown' } as const

it('a configuration shows its source and what was set, and of one that never was the defaults [G46]', () => {
  const about = { sourceId: 's-1', type: 'person', username: 'jane' }
  const stored = { url: 'https://receiver.example', icpOnly: true, autoSend: false, syncEvents: true }
  expect(presentWebhook(source, stored)).toEqual({
    ...about,
    webhookUrl: 'https://receiver.example',
    icpOnly: true,
    autoSend: false,
    syncEvents: true,
  })
  expect(presentWebhook(source, undefined)).toEqual({
    ...about,
    webhookUrl: null,
    icpOnly: false,
    autoSend: true,
    syncEvents: false,
  })
})

it('a lead as an event has its source, and what an agent says of the person only when an agent found them [G48]', () => {
  const lead = { id: 'l-1', name: 'Zoë' } as LeadResource
  const sent = (agent: Parameters<typeof leadDetectedBody>[0]['agent']) =>
    JSON.parse(
      leadDetectedBody({ id: 'd-1', sentAt: new Date('2026-11-02T08:00:00Z'), source, lead, agent }).toString(),
    ) as unknown
  const event = {
    event: 'lead.detected',
    id: 'd-1',
    sentAt: '2026-11-02T08:00:00.000Z',
    source: { id: 's-1', type: 'person', username: 'jane' },
  }
  expect(sent(null)).toEqual({ ...event, lead: { id: 'l-1', name: 'Zoë' } })
  expect(sent({ icp: 80, signal: null })).toEqual({ ...event, lead: { id: 'l-1', name: 'Zoë', icp: 80, signal: null } })
})
