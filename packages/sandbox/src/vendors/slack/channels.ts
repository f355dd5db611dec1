/** The channels behind Slack's webhook addresses. */

/** A message as it was posted; `pings`: whom its text would call, read as Slack reads it. */
export type SlackMessage = { at: string; payload: Record<string, unknown>; texts: string[]; pings: string[] }

/** Messages that a channel takes at once; one more comes free every second. */
export const BURST = 10

/** A channel: what was posted, and how many messages it takes now. */
export type Channel = { messages: SlackMessage[]; revoked: boolean; room: number; countedAt: number }

/** Makes the channels behind the webhook addresses. */
export function createSlack(now: () => Date) {
  const channels = new Map<string, Channel>()
  const at = (path: string): Channel => {
    const known = channels.get(path)
    if (known) return known
    const made = { messages: [], revoked: false, room: BURST, countedAt: now().getTime() }
    channels.set(path, made)
    return made
  }
  return {
    /** By the path of a webhook address. */
    messages: (path: string): SlackMessage[] => [...at(path).messages],
    revoke(path: string, revoked = true): void {
      at(path).revoked = revoked
    },
    at,
    clear: () => channels.clear(),
  }
}
