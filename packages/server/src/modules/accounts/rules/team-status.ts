/** Subscription and trial rules (specification «Authentication» 2 and 4; G125, G127). */

type TeamStatus = 'active' | 'trial' | 'expired'

type Standing = {
  readonly status: TeamStatus
  readonly trialEndsAt: Date | null
  /** Set while the team is closed; `status` stays for a restore. */
  readonly closedAt?: Date | null
}

/** Whether a team is open and has a subscription or a running trial at `now` (service time). */
export function teamIsServed(team: Standing, now: Date): boolean {
  if (team.closedAt) return false
  if (team.status === 'active') return true
  return team.status === 'trial' && team.trialEndsAt !== null && team.trialEndsAt > now
}

const trialDays = 14

/** An operator's settings when creating or changing a team; absent: default or unchanged. */
export type StatusChange = {
  readonly plan?: string | undefined
  readonly status?: TeamStatus | undefined
  readonly trialEndsAt?: Date | null | undefined
}

/**
 * Plan, status and trial end after a change. Entering or leaving a trial without a named plan sets the usual plan; entering a
 * trial without a named end sets the usual days, unless an earlier trial's end is still ahead.
 */
export function decideStatus(
  before: (Standing & { readonly plan: string }) | null,
  change: StatusChange,
  now: Date,
): Standing & { readonly plan: string } {
  const status = change.status ?? before?.status ?? 'active'
  const trial = status === 'trial'
  const kept = before && (before.plan === 'trial') === trial ? before.plan : undefined
  const plan = change.plan ?? kept ?? (trial ? 'trial' : status === 'expired' && before ? before.plan : 'growth')
  const begins = trial && before?.status !== 'trial'
  const earlier = before?.trialEndsAt ?? null
  const usable = begins && !teamIsServed({ status, trialEndsAt: earlier }, now) ? null : earlier
  const asked = change.trialEndsAt === undefined ? usable : change.trialEndsAt
  const trialEndsAt = trial && asked === null ? new Date(now.getTime() + trialDays * 86_400_000) : asked
  return { plan, status, trialEndsAt }
}
