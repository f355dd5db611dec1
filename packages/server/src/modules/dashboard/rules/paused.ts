/** Why a rule that sends by itself stands still, in words. */

/** Words for a reason that is stored; null while the rule works. */
export function pausedWords(reason: 'invalid_key' | 'campaign_closed' | null): string | null {
  if (reason === null) return null
  return reason === 'invalid_key'
    ? 'The outreach platform refuses the key that is stored: store a good one under Settings, then save the rule again'
    : 'The campaign is over, or became a draft: choose another, or start it on the outreach platform, then save the rule again'
}
