/**
 * Why a lead has not gone to the webhook of its source, in words a salesperson understands (G43, G48, G49, G53; WHK-08,
 * WHK-09, WHK-28).
 */

import { maxAttempts } from '../../delivery/rules/schedule.ts'

/** The webhook of the lead's source. */
export type WebhookFacts = {
  readonly url: string | null
  readonly icpOnly: boolean
  readonly autoSend: boolean
  readonly autoSendSince: Date | null
  /** Counts the times sending by itself began anew; a lead of an earlier one goes by push. */
  readonly generation: number
  readonly disabledAt: Date | null
  readonly disabledReason: string | null
  /** The webhook is an agent's; `agentSends`: the agent lists the person, and they pass its filters. */
  readonly isAgents: boolean
  readonly agentSends: boolean
}

/** The delivery of the lead to its source's webhook. */
export type DeliveryFacts = {
  readonly state: 'pending' | 'sending' | 'sent' | 'failed' | 'held' | 'cancelled' | 'excluded'
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastOutcome: string | null
  readonly dueAt: Date
  readonly awaitsEnrichment: boolean
  readonly icpOnly: boolean
}

/** What the judgement looks at. */
export type UndeliveredFacts = {
  readonly lead: {
    readonly webhookStatus: string
    readonly enrichment: string
    readonly isIcp: boolean | null
    readonly createdAt: Date
    readonly webhookGeneration: number | null
  }
  /** Null: the lead belongs to no source, so there is nothing it could be sent to. */
  readonly source: { readonly active: boolean } | null
  readonly hook: WebhookFacts | null
  readonly delivery: DeliveryFacts | null
}

const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
const push = 'Push it to send it now.'

/** What the service itself failed at. */
const faults: Readonly<Record<string, string>> = {
  unreadable_secret: 'the signing secret of your team could not be opened',
  internal_error: 'the service itself failed at it',
}

const outcomes: Readonly<Record<string, string>> = {
  refused_address: 'the address may not be called',
  timeout: 'no answer in time',
  connection: 'no connection',
  too_large: 'an answer that was too large',
  ...faults,
  redirect: 'a redirect to another address',
}

const lastAnswer = ({ lastStatus, lastOutcome }: DeliveryFacts): string =>
  outcomes[lastOutcome ?? ''] ?? (lastStatus === null ? 'no answer' : `answer ${lastStatus}`)
const times = (count: number): string => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`)

function whyDisabled({ disabledAt, disabledReason }: WebhookFacts): string {
  const why =
    disabledReason === 'gone'
      ? 'the receiver said that it is gone for good (410)'
      : 'nothing but failures came back for five days'
  return `The webhook address is switched off since ${minute(disabledAt!)}: ${why}. Save the address again to send what waits.`
}

function whyCancelled({ source, hook, lead }: UndeliveredFacts, delivery: DeliveryFacts): string {
  if (source?.active === false) return 'It was called off: the source is no longer tracked.'
  if (hook === null || hook.url === null) return 'It was called off: the webhook address was taken away.'
  if (delivery.icpOnly && lead.isIcp === false)
    return 'It was called off: it was pushed as a lead that fits, and it does not fit.'
  if (!hook.autoSend) return `It was called off: sending by itself is switched off for this source. ${push}`
  return `It was called off when the webhook address was taken away or sending by itself was switched off. ${push}`
}

function aboutDelivery(facts: UndeliveredFacts, delivery: DeliveryFacts): string[] {
  const { hook } = facts
  const fault = faults[delivery.lastOutcome ?? '']
  switch (delivery.state) {
    case 'sent':
      return []
    case 'sending':
      return ['It is being sent right now.']
    case 'pending':
      if (fault !== undefined)
        return [`It was not sent, because ${fault}. The next try is at ${minute(delivery.dueAt)}.`]
      return [
        delivery.attempts === 0
          ? 'It waits its turn to be sent.'
          : `It failed ${times(delivery.attempts)}, last with ${lastAnswer(delivery)}. The next try is at ${minute(delivery.dueAt)}.`,
      ]
    case 'held':
      if (delivery.awaitsEnrichment) return ['It waits until its enrichment has ended.']
      if (fault !== undefined && (hook === null || hook.disabledAt === null))
        return [
          `It is held, because five times over ${fault}. Tell whoever runs the service; send it again when that is mended.`,
        ]
      return [
        hook !== null && hook.disabledAt !== null
          ? whyDisabled(hook)
          : 'It is held. Save the webhook address again to send it.',
      ]
    case 'failed':
      if (facts.source?.active === false) return ['It was called off: the source is no longer tracked.']
      if (delivery.attempts < maxAttempts) return [`It was called off when the source was not tracked. ${push}`]
      return [
        `It failed ${times(delivery.attempts)}, last with ${lastAnswer(delivery)}, and is not tried again. ${push}`,
      ]
    case 'excluded':
      return [`It was not sent, because the person was excluded before its turn. ${push}`]
    default:
      return [whyCancelled(facts, delivery)]
  }
}

const unenriched: Readonly<Record<string, string>> = {
  pending: 'It waits to be enriched, and is judged and sent after that.',
  processing: 'It waits to be enriched, and is judged and sent after that.',
  failed: `Nothing was found out about this person, and such leads do not go out by themselves. ${push}`,
  skipped: 'It was not enriched, because the source was no longer tracked.',
}

/** What kept a lead that nobody pushed from going out by itself, each reason once. */
function whyNotOffered({ lead }: UndeliveredFacts, hook: WebhookFacts): string[] {
  const reasons: string[] = []
  if (lead.webhookStatus === 'no_webhook') reasons.push(`It was captured before the webhook address was set. ${push}`)
  if (!hook.autoSend) reasons.push(`Sending by itself is switched off for this source. ${push}`)
  else if (hook.autoSendSince !== null && lead.createdAt < hook.autoSendSince)
    reasons.push(`It was captured before sending by itself was switched on. ${push}`)
  else if (lead.webhookGeneration !== null && lead.webhookGeneration < hook.generation)
    reasons.push(`It was captured before the webhook address was changed. ${push}`)
  const waits = unenriched[lead.enrichment]
  if (waits !== undefined) reasons.push(waits)
  if (hook.icpOnly && lead.isIcp === false) reasons.push('Only leads that fit are sent, and this one does not fit.')
  if (hook.isAgents && waits === undefined && !hook.agentSends)
    reasons.push('The agent whose webhook this is does not list this person, or its filters leave them out.')
  if (hook.disabledAt !== null) reasons.push(whyDisabled(hook))
  return reasons.length > 0 ? reasons : [`When it was enriched, the settings at that time kept it back. ${push}`]
}

/** Says why; empty for a lead that has gone. */
export function whyNotDelivered(facts: UndeliveredFacts): string[] {
  const { source, hook, delivery, lead } = facts
  if (lead.webhookStatus === 'sent') return []
  if (delivery !== null) return aboutDelivery(facts, delivery)
  if (source === null) return ['It comes from a search for people, which has no webhook of its own.']
  if (!source.active) return ['The source is no longer tracked, so nothing more of it is sent.']
  if (hook === null || hook.url === null) return ['The source has no webhook address. Set one, then push the lead.']
  return whyNotOffered(facts, hook)
}
