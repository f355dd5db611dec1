import type { V1Result } from '../../api/types.ts'
import { countOf } from '../../ui/format.ts'

/** What a send counts; a send that broke off counts what it knows. */
export type SendCounts = { readonly [Name in keyof Omit<V1Result<'sendLeads'>, 'campaign'>]?: number }

const people = (value: number): string => countOf(value, 'person', 'people')

/** What came of a send, one sentence for each count that is not zero. */
export function sendWords(counts: SendCounts): readonly string[] {
  const {
    added = 0,
    updated = 0,
    failed = 0,
    skippedNoLinkedin = 0,
    alreadyInCampaign = 0,
    uncertain = 0,
    notFound = 0,
  } = counts
  const lines = [
    added > 0 && `${people(added)} added to the campaign.`,
    updated > 0 && `${people(updated)} in the campaign before: details refreshed.`,
    alreadyInCampaign > 0 && `${people(alreadyInCampaign)} not sent again: sent to this campaign before.`,
    uncertain > 0 && `${people(uncertain)} not sent again: the outreach platform never said whether it had added them.`,
    failed > 0 && `${people(failed)} not taken by the outreach platform; it does not say who.`,
    skippedNoLinkedin > 0 && `${people(skippedNoLinkedin)} left out: no profile address.`,
    notFound > 0 && `${people(notFound)} left out: details are not complete yet.`,
  ].filter((line): line is string => typeof line === 'string')
  return lines.length > 0 ? lines : ['Nobody was sent.']
}
