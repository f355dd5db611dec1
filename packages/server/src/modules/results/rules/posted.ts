import type { Outcome } from '@les/contract'
import { readProfileUrl, type ProfileName } from '../../../providers/outreach/port.ts'

/** A post about a person; `outcome` is null when it is no result, such as a tag or the end of a campaign. */
export type Posted = {
  readonly outcome: Outcome | null
  readonly event: string
  readonly name: ProfileName
  /** The values of fields named like an email address, as written. */
  readonly mails: readonly string[]
  readonly campaignId: string | null
  /** Null when the post does not say. */
  readonly at: Date | null
}

const outcomes: Readonly<Record<string, Outcome>> = {
  connection_request_sent: 'sent',
  message_sent: 'sent',
  inmail_sent: 'sent',
  connection_request_accepted: 'accepted',
  message_reply_received: 'replied',
  inmail_reply_received: 'replied',
  every_message_reply_received: 'replied',
  lead_auto_tagged_interested: 'interested',
  lead_auto_tagged_not_interested: 'not_interested',
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const instantOf = (value: unknown): Date | null => {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? null : new Date(ms)
}

/** The event name. A conversation snapshot has none; it is a reply when one of its recent messages is. */
function eventOf(body: Readonly<Record<string, unknown>>): string {
  if (typeof body.event_type === 'string' && body.event_type !== '') return body.event_type.toLowerCase()
  const messages = Array.isArray(body.recent_messages) ? body.recent_messages.map(fieldsOf) : []
  return messages.some((message) => message.is_reply === true) ? 'message_reply_received' : ''
}

const campaignOf = (campaign: unknown): string | null => {
  const { id } = fieldsOf(campaign)
  return (typeof id === 'number' || typeof id === 'string') && /^[1-9]\d{0,14}$/.test(String(id)) ? String(id) : null
}

const mailsOf = (lead: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(lead).flatMap(([field, value]) => (/mail/i.test(field) && typeof value === 'string' ? [value] : []))

/** Reads a HeyReach post leniently, since bodies are not signed; null when it is not JSON or names nobody. */
export function readPosted(text: string): Posted | null {
  let body: Readonly<Record<string, unknown>>
  try {
    body = fieldsOf(JSON.parse(text))
  } catch {
    return null
  }
  const lead = fieldsOf(body.lead)
  const profileUrl = lead.profile_url
  const name = typeof profileUrl === 'string' ? readProfileUrl(profileUrl) : null
  if (name === null) return null
  const event = eventOf(body)
  return {
    outcome: outcomes[event] ?? null,
    event,
    name,
    mails: mailsOf(lead),
    campaignId: campaignOf(body.campaign),
    at: instantOf(body.timestamp),
  }
}

/** A post without some of its texts. What `readPosted` reads stays, so that it means the same: a message stays a reply. */
export function withoutTexts(sent: unknown, isOut: (text: string) => boolean): unknown {
  const without = (value: unknown): unknown => {
    if (typeof value === 'string') return isOut(value) ? null : value
    if (Array.isArray(value)) return value.map(without)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, without(each)]))
  }
  const { event_type, timestamp, campaign, lead } = fieldsOf(sent)
  const rest = fieldsOf(without(sent))
  return {
    ...rest,
    event_type,
    timestamp,
    campaign,
    lead: { ...fieldsOf(rest.lead), profile_url: fieldsOf(lead).profile_url },
  }
}

/** What identifies a repeated post: event, person, campaign and time, or the whole text if it cannot be read. */
export function identityOf(text: string): string {
  const posted = readPosted(text)
  if (posted === null || posted.at === null) return text
  const { event, name, campaignId, at } = posted
  return JSON.stringify([event, name, campaignId, at.toISOString()])
}
