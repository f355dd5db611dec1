/** A post as the last run that read it left it. */
export type PostHeld = {
  readonly postUrl: string
  readonly declared: number
  readonly captured: number
  readonly heldBackBy: 'credits' | 'provider_limit' | 'post_limit' | null
}

/** What is missing of a post, why, and its price in credits; null when lost or withheld by the vendor, so not to be had. */
export function coverageOf({ heldBackBy: bound, ...post }: PostHeld) {
  const missing = Math.max(0, post.declared - post.captured)
  const heldBackBy = missing === 0 ? null : (bound ?? ('lost' as const))
  const canBeHad = heldBackBy === 'credits' || heldBackBy === 'post_limit'
  return { ...post, heldBackBy, missing, creditsToGetMissing: missing === 0 || canBeHad ? missing : null }
}
