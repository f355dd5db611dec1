/** Which campaigns take leads (specification «Outreach campaign»; ERR-11, OUT-04, OUT-05, OUT-14). */

/** A campaign as the judgement sees it. */
type JudgedCampaign = { readonly status: string; readonly accountIds: readonly number[] }

const takes: readonly string[] = ['IN_PROGRESS', 'PAUSED', 'SCHEDULED', 'STARTING']

/**
 * Why a campaign takes no leads, or null. A finished one would start again if it were given any, so it is never asked; a draft
 * is refused by the platform.
 */
export function refusalOf(campaign: JudgedCampaign): 'campaign_closed' | 'no_senders' | null {
  if (!takes.includes(campaign.status)) return 'campaign_closed'
  return campaign.accountIds.length === 0 ? 'no_senders' : null
}
