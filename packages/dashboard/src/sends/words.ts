import type { ResultOf } from '../api/types.ts'
import { count, countOf } from '../ui/format.ts'

export type Preview = ResultOf<'previewSend'>
export type PlannedSend = ResultOf<'planSend'>['send']
type SendKind = PlannedSend['kind']
type Reason = Preview['lines'][number]['reason']

export const reasonWords: Readonly<Record<Reason, string>> = {
  now: 'Go now',
  after_enrichment: 'Go automatically once their details are complete',
  endpoint_off: 'Wait: the webhook is switched off until it is saved again',
  delivered: 'Delivered before',
  on_the_way: 'On the way already',
  excluded: 'Left out: they are excluded',
  not_fit: 'Left out by the webhook: they do not fit',
  raw: 'Raw leads, which are never sent',
  no_source: 'Found by Discover: no source, so no webhook',
  no_webhook: 'Held back: their source has no webhook',
  untracked: 'Held back: their source is no longer tracked',
  in_campaign: 'Sent to this campaign before',
  undecided: 'Held back until the outreach platform says whether it has them',
  same_person: 'The same person is sent from another row',
  not_enriched: 'Held back: details are not complete yet',
  no_address: 'No profile address',
  gone: 'Not there any more',
}

export const isSendable = (reason: Reason): boolean =>
  reason === 'now' || reason === 'after_enrichment' || reason === 'endpoint_off'

export function unitsOf(kind: SendKind, value: number): string {
  if (kind === 'campaign' || kind === 'people') return countOf(value, 'person', 'people')
  return kind === 'replay' || kind === 'delivery' ? countOf(value, 'delivery', 'deliveries') : countOf(value, 'lead')
}

export function sendLine({ kind, state, goes, label, counts, failure }: PlannedSend): string {
  const what = unitsOf(kind, goes)
  if (state === 'planned') return `Sending ${what} to ${label}`
  if (state === 'sending')
    return `Sending ${what} to ${label}: ${count(counts.sent + counts.already + counts.failed)} done`
  if (state === 'cancelled') return `Undone: ${what} to ${label} not sent`
  if (state === 'failed')
    return `${unitsOf(kind, counts.sent)} of ${count(goes)} sent to ${label}. ${failure ?? ''}`.trim()
  const rest = [
    counts.already > 0 && `${count(counts.already)} sent before`,
    counts.undecided > 0 && `${count(counts.undecided)} not decided yet`,
    counts.failed > 0 && `${count(counts.failed)} could not be sent`,
  ].filter((part) => part !== false)
  return `${unitsOf(kind, counts.sent)} on the way to ${label}${rest.length > 0 ? `; ${rest.join(', ')}` : ''}`
}

export const secondsUntil = (startsAtMs: number, nowMs: number): number =>
  Math.max(0, Math.ceil((startsAtMs - nowMs) / 1_000))
