/** The channels behind Slack's webhook addresses. */
import { z } from 'zod'

/** A message as it was posted; `pings`: whom its text would call, read as Slack reads it. */
export type SlackMessage = { at: string; payload: Record<string, unknown>; texts: string[]; pings: string[] }

/** Messages that a channel takes at once; one more comes free every second. */
export const BURST = 10

/** A channel: what was posted, and how many messages it takes now. */
export type Channel = { messages: SlackMessage[]; revoked: boolean; room: number; countedAt: number }

/** What people do to a channel's webhook; nothing else is known of it. */
export const slackChange = z.strictObject({ revoked: z.boolean() })

/** An address that has just been made. */
export const openChannel = (now: Date): Channel => ({
  messages: [],
  revoked: false,
  room: BURST,
  countedAt: now.getTime(),
})
