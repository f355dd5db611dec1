/** Lines of the ledger in words, read off their keys; the keys are business facts (`credits/README.md`). */

/** A line, as far as its words go. */
export type LineFacts = {
  readonly kind: 'grant' | 'topup' | 'lapse' | 'adjust' | 'charge' | 'refund'
  readonly key: string
  readonly account: 'team' | 'agent_trial'
}

/** By the beginning of a charge's key, and what it was charged for. */
function chargeInWords(key: string): string {
  if (/^source:[^:]+:person:/.test(key)) return 'New person captured'
  if (/^source:[^:]+:post:/.test(key)) return 'New post found'
  if (key.startsWith('discover:')) return 'Person found by Discover'
  if (key.startsWith('enrich:')) return 'Lead enriched on request'
  return key.startsWith('read:') ? 'Post read on request' : 'Charge'
}

/** Why the balance changed. */
export function lineInWords({ kind, key, account }: LineFacts): string {
  const ofAgent = account === 'agent_trial'
  switch (kind) {
    case 'charge':
      return ofAgent ? `${chargeInWords(key)}, paid by the free trial of the agent` : chargeInWords(key)
    case 'grant':
      if (ofAgent) return 'People the agent may check on its free trial'
      return key === 'grant:opening' ? 'Credits to begin with' : 'Credits of a new period'
    case 'lapse':
      if (!ofAgent) return 'Unused credits of the period before lapsed'
      return key === 'lapse:agent_trial'
        ? 'The free trial of the agent ended with the subscription'
        : 'Unused credits of a search for people lapsed'
    case 'topup':
      return ofAgent ? 'A search for people, on the free trial of the agent' : 'Credits added'
    case 'refund':
      return 'A charge that was disputed'
    case 'adjust':
      return 'The credits of each period were changed'
  }
}
