/** The first three checks of every call on every surface: key, rate, team, in this order (G3). */
import { bounds, reaches, type TeamRole } from '@les/contract'
import {
  authenticateAndCount,
  countForTeam,
  openFallbackRateWindows,
  retryAfterSeconds,
  teamIsServed,
  uncount,
  windowOfNobody,
  type Authenticated,
  type Caller,
  type Member,
  type RateBucket,
  type RateWindow,
  type SessionWindow,
  type Statements,
} from '../modules/accounts/index.ts'
import { addLogContext } from '../platform/log-context.ts'
import { Refusal } from '../platform/refusal.ts'

/** The rate windows that counted a call; `uncount` takes it out of them. */
export type Counted = {
  readonly teamId: string
  readonly windows: readonly { readonly bucket: RateBucket; readonly window: RateWindow }[]
}

/** The caller, or the refusal; the answer shows `window` either way. */
export type Admission = { readonly window: RateWindow; readonly bucket: RateBucket } & (
  | { readonly caller: Caller; readonly counted: Counted }
  | { readonly refused: Refusal; readonly by?: Pick<Caller, 'teamId' | 'keyId'> }
)

/** The rate window of the method, and for some operations a narrower one (G6). */
export type RateBuckets = { readonly method: 'reads' | 'writes'; readonly narrow?: 'untrackedPosts' | undefined }

/**
 * Windows of a signed-in person's call: its method's, and a small one for costly calls. `toolLists`: messages without an
 * operation.
 */
export type SessionBuckets = {
  readonly method: 'sessionReads' | 'sessionWrites' | 'toolLists'
  readonly narrow?: SessionWindow | undefined
}

/** Who may call, and how often. Each throws only when the database fails, unless it says otherwise. */
export type Admissions = {
  admit(key: string | undefined, buckets: RateBuckets, now: Date): Promise<Admission>
  /** Checks rate and team of a member who was authenticated by a token (MCP-03). */
  admitMember(
    guest: { readonly teamId: string; readonly member: Member },
    buckets: RateBuckets,
    now: Date,
  ): Promise<Admission>
  /** Counts a signed-in person's call; refuses `rate_limited`. The surface itself checks role and team status. */
  countSession(teamId: string, buckets: SessionBuckets, now: Date): Promise<Counted>
  /** Takes a call that the operation refuses `rate_limited` out of its windows: such calls do not count (G5, G155). */
  uncount(counted: Counted): Promise<void>
}

/** The window shown for a call without a known team (G4). */
export function anonymousWindow(bucket: 'reads' | 'writes', now: Date): RateWindow {
  return windowOfNobody(bucket === 'reads' ? bounds.readsPerMinute : bounds.writesPerMinute, now)
}

const nobody = ({ method }: RateBuckets, now: Date, refusal: 'missing_key' | 'invalid_key_header'): Admission => ({
  window: anonymousWindow(method, now),
  bucket: method,
  refused: new Refusal(refusal),
})

type Found = Authenticated & { readonly bucket: RateBucket; readonly counted: Counted }

/** The `rate_limited` refusal of a window. */
export const tooFast = (window: RateWindow, now: Date, message?: string): Refusal =>
  new Refusal('rate_limited', {}, message, { 'retry-after': String(retryAfterSeconds(window, now)) })

function judged({ team, keyId, window, bucket, counted }: Found, now: Date, user?: Member): Admission {
  const by = { teamId: team.id, keyId }
  if (window.refused) return { window, bucket, refused: tooFast(window, now), by }
  if (!teamIsServed(team, now)) return { window, bucket, refused: new Refusal('team_inactive'), by }
  const caller = {
    teamId: team.id,
    keyId,
    plan: team.plan,
    status: team.status,
    captureAllowed: team.captureAllowed,
    ...(user ? { user } : {}),
  }
  return { window, bucket, counted, caller }
}

/** Counts calls in the database, and in memory while the database cannot write. */
export function makeAdmissions({ pool }: { pool: Statements }): Admissions {
  const fallbackWindows = openFallbackRateWindows()
  const takeOut = async ({ teamId, windows }: Counted): Promise<void> => {
    for (const { bucket, window } of windows) await uncount({ pool, teamId, bucket, window })
  }
  /** Counts and shows the narrow window first; a call that the wide window refuses is taken out of the narrow one. */
  const count = async (
    counting: (bucket: RateBucket) => Promise<Authenticated | null>,
    { method, narrow: narrowBucket }: RateBuckets | SessionBuckets,
  ): Promise<Found | null> => {
    const countIn = async (bucket: RateBucket): Promise<Found | null> => {
      const found = await counting(bucket)
      return (
        found && { ...found, bucket, counted: { teamId: found.team.id, windows: [{ bucket, window: found.window }] } }
      )
    }
    if (narrowBucket === undefined) return countIn(method)
    const narrow = await countIn(narrowBucket)
    if (!narrow || narrow.window.refused) return narrow
    const wide = await countIn(method)
    if (!wide || wide.window.refused) {
      await takeOut(narrow.counted)
      return wide
    }
    return { ...narrow, counted: { ...narrow.counted, windows: [...narrow.counted.windows, ...wide.counted.windows] } }
  }
  const countTeam = (teamId: string, buckets: RateBuckets | SessionBuckets, now: Date) =>
    count((bucket) => countForTeam({ pool, teamId, bucket, now, fallbackWindows }), buckets)
  return {
    admit: async (key, buckets, now) => {
      if (key === undefined || key === '') return nobody(buckets, now, 'missing_key')
      const found = await count((bucket) => authenticateAndCount({ pool, key, bucket, now, fallbackWindows }), buckets)
      if (!found) return nobody(buckets, now, 'invalid_key_header')
      const admission = judged(found, now)
      if ('caller' in admission) addLogContext({ teamId: admission.caller.teamId })
      return admission
    },
    admitMember: async ({ teamId, member }, buckets, now) => {
      addLogContext({ teamId })
      const found = await countTeam(teamId, buckets, now)
      return found ? judged(found, now, member) : nobody(buckets, now, 'invalid_key_header')
    },
    countSession: async (teamId, buckets, now) => {
      const found = await countTeam(teamId, buckets, now)
      if (found?.window.refused) throw tooFast(found.window, now)
      return found?.counted ?? { teamId, windows: [] }
    },
    uncount: takeOut,
  }
}

/** Refuses `role_required` when `role` is below `needed`. */
export function requireRole(role: TeamRole, needed: TeamRole): void {
  if (!reaches(role, needed))
    throw new Refusal(
      'role_required',
      { needed },
      `Only ${needed === 'owner' ? 'owners' : 'owners and members'} of the ` +
        `team may do this: you are ${role === 'member' ? 'a member' : 'a viewer'}`,
    )
}
