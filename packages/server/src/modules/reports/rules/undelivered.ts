/**
 * Why a lead was not delivered to its source's webhook, and the remedy, in words for salespeople (G43, G48, G49, G53; WHK-08,
 * WHK-09, WHK-28). The dashboard, the command line and agent tools all use these words.
 */

import { excludedInWords, type Answer, type OperationOf } from '@les/contract'
import { maxAttempts } from '../../delivery/rules/schedule.ts'

export type WebhookFacts = {
  readonly url: string | null
  readonly icpOnly: boolean
  readonly autoSend: boolean
  readonly autoSendSince: Date | null
  /** How often automatic sending began anew; leads of an earlier generation go only by push. */
  readonly generation: number
  readonly disabledAt: Date | null
  readonly disabledReason: string | null
  /** The webhook is an agent's; `agentSends`: the agent lists the person, and its filters pass. */
  readonly isAgents: boolean
  readonly agentSends: boolean
}

export type DeliveryFacts = {
  readonly state: 'pending' | 'sending' | 'sent' | 'failed' | 'held' | 'cancelled' | 'excluded'
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastOutcome: string | null
  readonly dueAt: Date
  readonly awaitsEnrichment: boolean
  readonly icpOnly: boolean
}

/** A code for programs, words, and the remedy; `remedy` null: nothing needs to, or can, be done. */
export type Reason = Answer<OperationOf<'explainLead'>>['reasons'][number]

export type UndeliveredFacts = {
  readonly lead: {
    readonly webhookStatus: string
    readonly enrichment: string
    readonly isIcp: boolean | null
    readonly createdAt: Date
    readonly webhookGeneration: number | null
  }
  readonly excluded: { readonly list: string; readonly entryId: string | null; readonly reason: string | null } | null
  readonly missed: readonly string[]
  /** Null for a lead of no source, which has no webhook. */
  readonly source: { readonly active: boolean } | null
  readonly hook: WebhookFacts | null
  readonly delivery: DeliveryFacts | null
}

const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
const push = 'Push it to send it now.'
const said = (code: Reason['code'], message: string, remedy: string | null = null): Reason => ({
  code,
  message,
  remedy,
})

/** A reason as one text. */
export const inWords = ({ message, remedy }: Reason): string => (remedy === null ? message : `${message} ${remedy}`)

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

function whyDisabled({ disabledAt, disabledReason }: WebhookFacts): Reason {
  const why =
    disabledReason === 'gone'
      ? 'the receiver said that it is gone for good (410)'
      : 'nothing but failures came back for five days'
  return said(
    'webhook_off',
    `The webhook address is switched off since ${minute(disabledAt!)}: ${why}.`,
    'Save the address again to send what waits.',
  )
}

function whyCancelled({ source, hook, lead }: UndeliveredFacts, delivery: DeliveryFacts): Reason {
  if (source?.active === false) return untracked('It was called off: the source is no longer tracked.')
  if (hook === null || hook.url === null)
    return said('no_address', 'It was called off: the webhook address was taken away.', 'Set one, then push the lead.')
  if (delivery.icpOnly && lead.isIcp === false)
    return said(
      'not_fit',
      'It was called off: it was pushed as a lead that fits, and it does not fit.',
      'Change who fits, or push it although it does not.',
    )
  if (!hook.autoSend)
    return said('sending_off', 'It was called off: sending by itself is switched off for this source.', push)
  return said(
    'called_off',
    'It was called off when the webhook address was taken away or sending by itself was switched off.',
    push,
  )
}

const untracked = (message: string): Reason =>
  said('source_untracked', message, 'Track the source again, then push the lead.')

const waitingFor = ({ attempts, dueAt, lastStatus, lastOutcome, ...rest }: DeliveryFacts): Reason => {
  const fault = faults[lastOutcome ?? '']
  const next = `The next try is at ${minute(dueAt)}.`
  if (fault !== undefined) return said('waiting', `It was not sent, because ${fault}. ${next}`)
  if (attempts === 0) return said('waiting', 'It waits its turn to be sent.')
  const last = lastAnswer({ attempts, dueAt, lastStatus, lastOutcome, ...rest })
  return said('waiting', `It failed ${times(attempts)}, last with ${last}. ${next}`)
}

function whyHeld({ hook }: UndeliveredFacts, { awaitsEnrichment, lastOutcome }: DeliveryFacts): Reason {
  const fault = faults[lastOutcome ?? '']
  if (awaitsEnrichment) return said('waiting_for_enrichment', 'It waits until its enrichment has ended.')
  if (hook !== null && hook.disabledAt !== null) return whyDisabled(hook)
  return fault === undefined
    ? said('held', 'It is held.', 'Save the webhook address again to send it.')
    : said(
        'held',
        `It is held, because five times over ${fault}.`,
        'Tell the operator; send it again when that is mended.',
      )
}

function whyFailed({ source }: UndeliveredFacts, delivery: DeliveryFacts): Reason {
  if (source?.active === false) return untracked('It was called off: the source is no longer tracked.')
  if (delivery.attempts < maxAttempts)
    return said('called_off', 'It was called off when the source was not tracked.', push)
  return said(
    'failed',
    `It failed ${times(delivery.attempts)}, last with ${lastAnswer(delivery)}, and is not tried again.`,
    push,
  )
}

function aboutDelivery(facts: UndeliveredFacts, delivery: DeliveryFacts): Reason[] {
  switch (delivery.state) {
    case 'sent':
      return []
    case 'sending':
      return [said('waiting', 'It is being sent right now.')]
    case 'pending':
      return [waitingFor(delivery)]
    case 'held':
      return [whyHeld(facts, delivery)]
    case 'failed':
      return [whyFailed(facts, delivery)]
    case 'excluded':
      // A person still excluded is reported by `whyExcluded`.
      return facts.excluded === null
        ? [said('called_off', 'It was not sent, because the person was excluded before its turn.', push)]
        : []
    default:
      return [whyCancelled(facts, delivery)]
  }
}

const unenriched: Readonly<Record<string, Reason>> = {
  pending: said('waiting_for_enrichment', 'It waits to be enriched, and is judged and sent after that.'),
  processing: said('waiting_for_enrichment', 'It waits to be enriched, and is judged and sent after that.'),
  failed: said(
    'not_enriched',
    'Nothing was found out about this person, and such leads do not go out by themselves.',
    push,
  ),
  skipped: said('not_enriched', 'It was not enriched, because the source was no longer tracked.'),
}

const whyNoFit = (missed: readonly string[]): Reason =>
  said(
    'not_fit',
    `Only leads that fit are sent, and this one does not fit${missed.length === 0 ? '' : `: it misses ${missed.join('; ')}`}.`,
    'Change who fits, or push it although it does not.',
  )

function whyNotOffered({ lead, missed }: UndeliveredFacts, hook: WebhookFacts): Reason[] {
  const reasons: Reason[] = []
  if (lead.webhookStatus === 'no_webhook')
    reasons.push(said('captured_before', 'It was captured before the webhook address was set.', push))
  if (!hook.autoSend) reasons.push(said('sending_off', 'Sending by itself is switched off for this source.', push))
  else if (hook.autoSendSince !== null && lead.createdAt < hook.autoSendSince)
    reasons.push(said('captured_before', 'It was captured before sending by itself was switched on.', push))
  else if (lead.webhookGeneration !== null && lead.webhookGeneration < hook.generation)
    reasons.push(said('captured_before', 'It was captured before the webhook address was changed.', push))
  const waits = unenriched[lead.enrichment]
  if (waits !== undefined) reasons.push(waits)
  if (hook.icpOnly && lead.isIcp === false) reasons.push(whyNoFit(missed))
  if (hook.isAgents && waits === undefined && !hook.agentSends)
    reasons.push(
      said(
        'agent_leaves_out',
        'The agent whose webhook this is does not list this person, or its filters leave them out.',
      ),
    )
  if (hook.disabledAt !== null) reasons.push(whyDisabled(hook))
  if (reasons.length > 0) return reasons
  return [said('settings_then', 'When it was enriched, the settings at that time kept it back.', push)]
}

function whyExcluded({ excluded }: UndeliveredFacts): Reason[] {
  if (excluded === null) return []
  const remedy = excluded.entryId === null ? 'Change the settings of the exclusions' : 'Remove the entry'
  return [
    said(
      'excluded',
      `Excluded people are not delivered. ${excludedInWords(excluded)}`,
      `${remedy}, then push the lead.`,
    ),
  ]
}

function whyBesides(facts: UndeliveredFacts): Reason[] {
  const { source, hook, delivery } = facts
  if (delivery !== null) return aboutDelivery(facts, delivery)
  if (source === null) return [said('no_source', 'It comes from a search for people, which has no webhook of its own.')]
  if (!source.active) return [untracked('The source is no longer tracked, so nothing more of it is sent.')]
  if (hook === null || hook.url === null)
    return [said('no_address', 'The source has no webhook address.', 'Set one, then push the lead.')]
  const besides = whyNotOffered(facts, hook)
  // An exclusion explains it when no other reason is known.
  return facts.excluded !== null && besides[0]!.code === 'settings_then' ? [] : besides
}

/** The reasons; empty for a delivered lead. */
export function whyNotDelivered(facts: UndeliveredFacts): Reason[] {
  if (facts.lead.webhookStatus === 'sent' || facts.delivery?.state === 'sent') return []
  return [...whyExcluded(facts), ...whyBesides(facts)]
}
