import { describe, expect, it } from 'vitest'
import { identityOf, readPosted } from './posted.ts'

const body = (more: Record<string, unknown> = {}) =>
  JSON.stringify({
    event_type: 'message_reply_received',
    timestamp: '2026-11-21T10:00:00Z',
    campaign: { id: 77, name: 'Autumn' },
    lead: { profile_url: 'https://www.linkedin.com/in/Jane-Doe/' },
    ...more,
  })

describe('a post of the outreach platform', () => {
  it.each([
    ['CONNECTION_REQUEST_SENT', 'sent'],
    ['message_sent', 'sent'],
    ['INMAIL_SENT', 'sent'],
    ['connection_request_accepted', 'accepted'],
    ['message_reply_received', 'replied'],
    ['INMAIL_REPLY_RECEIVED', 'replied'],
    ['every_message_reply_received', 'replied'],
    ['LEAD_AUTO_TAGGED_INTERESTED', 'interested'],
    ['lead_auto_tagged_not_interested', 'not_interested'],
    ['LEAD_TAG_UPDATED', null],
    ['campaign_completed', null],
  ])('%s means %s', (event, outcome) => {
    expect(readPosted(body({ event_type: event }))?.outcome).toBe(outcome)
  })
  it('names the person in one spelling, the campaign and the instant', () => {
    expect(readPosted(body())).toEqual({
      outcome: 'replied',
      event: 'message_reply_received',
      name: { handle: 'jane-doe' },
      mails: [],
      campaignId: '77',
      at: new Date('2026-11-21T10:00:00Z'),
    })
    const lead = {
      profile_url: 'https://www.linkedin.com/in/jane-doe',
      email_address: 'jane@own.example',
      custom_email: null,
    }
    expect(readPosted(body({ lead }))?.mails).toEqual(['jane@own.example'])
    expect(readPosted(body({ campaign: null, timestamp: 'soon' }))).toMatchObject({ campaignId: null, at: null })
  })
  it('without a name of the event is a reply when one of its messages is', () => {
    const of = (is_reply: boolean) =>
      readPosted(body({ event_type: undefined, recent_messages: [{ is_reply }] }))?.outcome
    expect([of(true), of(false)]).toEqual(['replied', null])
  })
  it.each([
    ['no JSON'],
    ['[1]'],
    ['null'],
    [body({ lead: null })],
    [body({ lead: { profile_url: 'https://example.com' } })],
  ])('that names nobody says nothing: %s', (text) => expect(readPosted(text)).toBeNull())
  it('is the same as one of the same event, person, campaign and instant', () => {
    const same = body({ lead: { profile_url: 'linkedin.com/in/jane-doe' }, recent_messages: [{ message: 'x' }] })
    expect(identityOf(same)).toBe(identityOf(body()))
    for (const other of [
      { timestamp: '2026-11-21T10:00:01Z' },
      { campaign: { id: 78 } },
      { event_type: 'message_sent' },
      { lead: { profile_url: 'linkedin.com/in/joe' } },
    ])
      expect(identityOf(body(other))).not.toBe(identityOf(body()))
    expect(identityOf('x')).toBe('x')
  })
})
