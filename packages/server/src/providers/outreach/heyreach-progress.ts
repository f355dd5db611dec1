import { z } from 'zod'
import type { CallOptions } from '../ports.ts'
import { type HeyReachClient, idOf, listed, pageSize, unreadable } from './heyreach-client.ts'
import type { MemberProgress, ProgressPage } from './port.ts'

const row = z.looseObject({
  linkedInUserProfile: z.looseObject({ profileUrl: z.string().trim().min(1) }),
  leadConnectionStatus: z.string().nullish(),
  leadMessageStatus: z.string().nullish(),
  lastActionTime: z.string().nullish(),
})

const instantOf = (text: string | null | undefined): Date | null => {
  // Times without a zone are UTC.
  const at = text == null ? Number.NaN : Date.parse(/[zZ]$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(at) ? null : new Date(at)
}

/** A row in the service's words; none if it names nobody. Unknown states count as `none`. */
function progressOf(value: unknown): MemberProgress[] {
  const { data } = row.safeParse(value)
  if (!data) return []
  const { leadConnectionStatus: connection, leadMessageStatus: message } = data
  return [
    {
      profileUrl: data.linkedInUserProfile.profileUrl,
      connection: connection === 'ConnectionAccepted' ? 'accepted' : connection === 'ConnectionSent' ? 'sent' : 'none',
      message: message === 'MessageReply' ? 'replied' : message === 'MessageSent' ? 'sent' : 'none',
      lastActionAt: instantOf(data.lastActionTime),
    },
  ]
}

/** Reads one page of a campaign; a campaign that is gone is empty. */
export async function readProgress(
  client: HeyReachClient,
  key: string,
  campaignId: string,
  offset: number,
  options: CallOptions | undefined,
): Promise<ProgressPage> {
  const operation = 'GetLeadsFromCampaign'
  const body = { campaignId: idOf(campaignId), offset, limit: pageSize }
  const answer = await client(key, { operation, method: 'POST', path: `/campaign/${operation}`, body }, options)
  if (answer === undefined) return { members: [], next: null }
  const read = listed.safeParse(answer)
  if (!read.success) throw unreadable(operation)
  const { items, totalCount } = read.data
  const reached = offset + items.length
  return { members: items.flatMap(progressOf), next: items.length === 0 || reached >= totalCount ? null : reached }
}
