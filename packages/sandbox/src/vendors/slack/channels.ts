import { z } from 'zod'

/** `pings`: the mentions that Slack would notify. */
export type SlackMessage = { at: string; payload: Record<string, unknown>; texts: string[]; pings: string[] }

/** Messages a channel accepts at once; one more is allowed every second. */
export const BURST = 10

/** A channel behind a webhook address; `room`: messages it accepts at `countedAt`. */
export type Channel = { messages: SlackMessage[]; revoked: boolean; room: number; countedAt: number }

/** A manual change of a channel's webhook. */
export const slackChange = z.strictObject({ revoked: z.boolean() })

/** A new channel. */
export const openChannel = (now: Date): Channel => ({
  messages: [],
  revoked: false,
  room: BURST,
  countedAt: now.getTime(),
})
