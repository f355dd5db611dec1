/** Who is served: the rules of subscription and trial (specification «Authentication» 2 and 4; G125, G127). */

export type TeamStatus = 'active' | 'trial' | 'expired'

/** The part of a team that decides whether it is served. */
type Standing = {
  readonly status: TeamStatus
  readonly trialEndsAt: Date | null
  /** Set while the team is closed; its status is what it had, and has again when it is restored. */
  readonly closedAt?: Date | null
}

/** True when the team is open and has a subscription, or a trial that has not ended at `now` (service time). */
export function teamIsServed(team: Standing, now: Date): boolean {
  if (team.closedAt) return false
  if (team.status === 'active') return true
  return team.status === 'trial' && team.trialEndsAt !== null && team.trialEndsAt > now
}

/** Days a trial lasts when nobody says otherwise. */
const trialDays = 14

/** What an operator asks for when making or changing a team; absent means unchanged or the default. */
export type StatusChange = {
  readonly plan?: string | undefined
  readonly status?: TeamStatus | undefined
  readonly trialEndsAt?: Date | null | undefined
}

/**
 * Plan, status and end of trial after a change: a team that enters or leaves a trial without a plan named gets the usual one, and one
 * that enters a trial without an end named, when that of an earlier trial has passed, gets the usual days.
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
