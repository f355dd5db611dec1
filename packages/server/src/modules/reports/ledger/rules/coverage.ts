/** What is missing of a post, why, and what it would cost. */

/** A post as the last run to read it left it. */
export type PostHeld = {
  readonly postUrl: string
  readonly declared: number
  readonly captured: number
  readonly heldBackBy: 'credits' | 'provider_limit' | 'post_limit' | null
}

/** What a post comes to: what no bound kept out is lost, and that and what vendors do not serve cannot be had. */
export function coverageOf({ heldBackBy: bound, ...post }: PostHeld) {
  const missing = Math.max(0, post.declared - post.captured)
  const heldBackBy = missing === 0 ? null : (bound ?? ('lost' as const))
  const canBeHad = heldBackBy === 'credits' || heldBackBy === 'post_limit'
  return { ...post, heldBackBy, missing, creditsToGetMissing: missing === 0 || canBeHad ? missing : null }
}
