/** The first three checks of every call on every surface: key, rate, team, in this order (G3). */
import { bounds } from '@les/contract'
import {
  authenticateAndCount,
  countForTeam,
  retryAfterSeconds,
  teamIsServed,
  uncount,
  windowOfNobody,
  type Authenticated,
  type RateBucket,
  type RateWindow,
  type SessionWindow,
  type FallbackRateWindows,
  type Statements,
  type Caller,
  type Member,
} from '../modules/accounts/index.ts'
import { Refusal } from '../platform/refusal.ts'

/** The windows a call was counted in, so that it can be taken out of them again. */
export type Counted = {
  readonly teamId: string
  readonly windows: readonly { readonly bucket: RateBucket; readonly window: RateWindow }[]
}

/** Let in, or refused; the window goes on the answer either way. */
export type Admission = { readonly window: RateWindow; readonly bucket: RateBucket } & (
  | { readonly caller: Caller; readonly counted: Counted }
  /** `by`: whose call it was, where that is known. */
  | { readonly refused: Refusal; readonly by?: Pick<Caller, 'teamId' | 'keyId'> }
)

/** The windows a call counts in: that of its method, and for some operations a narrower one (G6). */
export type RateBuckets = { readonly method: 'reads' | 'writes'; readonly narrow?: 'untrackedPosts' | undefined }

/**
 * The windows a signed-in person's call counts in: that of its method, and for what reaches outside or costs much a small one.
 * What agent tools are asked without a call of an operation counts in `toolLists`.
 */
export type SessionBuckets = {
  readonly method: 'sessionReads' | 'sessionWrites' | 'toolLists'
  readonly narrow?: SessionWindow | undefined
}

/** The window of a call that no team stands behind (G4). */
export function anonymousWindow(bucket: 'reads' | 'writes', now: Date): RateWindow {
  return windowOfNobody(bucket === 'reads' ? bounds.readsPerMinute : bounds.writesPerMinute, now)
}

type Counting = (bucket: RateBucket) => Promise<Authenticated | null>

/** Somebody who was recognised, the window that shows, and all windows the call counts in. */
type Found = Authenticated & { readonly bucket: RateBucket; readonly counted: Counted }

/**
 * Counts the call in its windows. The narrow one is first and shows on the answer; a call that the other refuses is
 * taken out of it again.
 */
async function count(
  pool: Statements,
  counting: Counting,
  buckets: RateBuckets | SessionBuckets,
): Promise<Found | null> {
  const countIn = async (bucket: RateBucket): Promise<Found | null> => {
    const found = await counting(bucket)
    const window = found?.window
    return found && { ...found, bucket, counted: { teamId: found.team.id, windows: [{ bucket, window: window! }] } }
  }
  if (buckets.narrow === undefined) return countIn(buckets.method)
  const narrow = await countIn(buckets.narrow)
  if (!narrow || narrow.window.refused) return narrow
  const wide = await countIn(buckets.method)
  if (wide && !wide.window.refused)
    return { ...narrow, counted: { ...narrow.counted, windows: [...narrow.counted.windows, ...wide.counted.windows] } }
  await uncount({ pool, teamId: narrow.team.id, bucket: buckets.narrow, window: narrow.window })
  return wide
}

/**
 * Takes a call out of the windows it was counted in: it was refused for being too fast after all, and such calls do not count
 * (G5, G155).
 */
export async function giveBack({ pool }: Pick<CountingParts, 'pool'>, { teamId, windows }: Counted): Promise<void> {
  for (const { bucket, window } of windows) await uncount({ pool, teamId, bucket, window })
}

/** Where calls are counted: in the database, and in memory while that cannot write. */
export type CountingParts = { readonly pool: Statements; readonly fallbackWindows: FallbackRateWindows }

/** Recognises the caller and counts the call. */
export async function admit(
  { pool, fallbackWindows }: CountingParts,
  { key, buckets, now }: { readonly key: string | undefined; readonly buckets: RateBuckets; readonly now: Date },
): Promise<Admission> {
  const nobody = { window: anonymousWindow(buckets.method, now), bucket: buckets.method }
  if (key === undefined || key === '') return { ...nobody, refused: new Refusal('missing_key') }
  const found = await count(
    pool,
    (bucket) => authenticateAndCount({ pool, key, bucket, now, fallbackWindows }),
    buckets,
  )
  if (!found) return { ...nobody, refused: new Refusal('invalid_key_header') }
  return judged(found, now)
}

/** Counts a call of a team whose caller was recognised before, by a token of a sign-in (MCP-03). */
export async function admitTeam(
  { pool, fallbackWindows }: CountingParts,
  {
    teamId,
    user,
    buckets,
    now,
  }: { readonly teamId: string; readonly user: Member; readonly buckets: RateBuckets; readonly now: Date },
): Promise<Admission> {
  const found = await count(pool, (bucket) => countForTeam({ pool, teamId, bucket, now, fallbackWindows }), buckets)
  if (!found)
    return {
      window: anonymousWindow(buckets.method, now),
      bucket: buckets.method,
      refused: new Refusal('invalid_key_header'),
    }
  const admission = judged(found, now)
  return 'caller' in admission ? { ...admission, caller: { ...admission.caller, user } } : admission
}

/**
 * Counts a call of a team whose caller was recognised before, and answers where; refuses `rate_limited`. Roles and status are judged
 * by the surface.
 */
export async function countSession(
  { pool, fallbackWindows }: CountingParts,
  { teamId, buckets, now }: { readonly teamId: string; readonly buckets: SessionBuckets; readonly now: Date },
): Promise<Counted> {
  const found = await count(pool, (bucket) => countForTeam({ pool, teamId, bucket, now, fallbackWindows }), buckets)
  if (found?.window.refused) throw tooFast(found.window, now)
  return found?.counted ?? { teamId, windows: [] }
}

const tooFast = (window: RateWindow, now: Date): Refusal =>
  new Refusal('rate_limited', {}, undefined, { 'retry-after': String(retryAfterSeconds(window, now)) })

function judged(found: Found, now: Date): Admission {
  const { team, keyId, window, bucket, counted } = found
  const by = { teamId: team.id, keyId }
  if (window.refused) return { window, bucket, refused: tooFast(window, now), by }
  if (!teamIsServed(team, now)) return { window, bucket, refused: new Refusal('team_inactive'), by }
  return {
    window,
    bucket,
    counted,
    caller: { teamId: team.id, keyId, plan: team.plan, status: team.status, captureAllowed: team.captureAllowed },
  }
}
