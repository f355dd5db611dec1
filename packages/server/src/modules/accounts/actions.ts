/** Use cases of teams: making and changing one, and rotating its signing secret. */
import { bounds } from '@les/contract'
import { currentShard } from '../../platform/db/shards.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Ids } from '../../platform/random.ts'
import type { Vault } from '../../platform/secrets.ts'
import { addKey } from './keys.ts'
import { findTeamSecrets, signingSecretKind, writeSigningSecret } from './secrets.ts'
import { decideStatus, type StatusChange } from './rules/team-status.ts'
import { findTeam, insertTeam, lockTeam, updateTeam, type Team } from './team.ts'

/** What can be set of a team besides its plan, status and trial. */
type TeamSettings = {
  readonly name?: string | undefined
  readonly limits?:
    | {
        readonly reads?: number | undefined
        readonly writes?: number | undefined
        readonly untrackedPosts?: number | undefined
      }
    | undefined
  readonly keywordDailyCeiling?: number | undefined
  readonly leadCap?: number | null | undefined
  readonly captureAllowed?: boolean | undefined
  readonly sourceCap?: number | undefined
  readonly vendorCallsPerDay?: number | null | undefined
}

/** A change to a team; what is absent stays. */
export type TeamChange = TeamSettings & StatusChange

const defaultCeiling = 20_000
const present = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

const columnsOf = (settings: TeamSettings) =>
  present({
    name: settings.name,
    reads_limit: settings.limits?.reads,
    writes_limit: settings.limits?.writes,
    untracked_posts_limit: settings.limits?.untrackedPosts,
    keyword_daily_ceiling: settings.keywordDailyCeiling,
    lead_cap: settings.leadCap,
    capture_allowed: settings.captureAllowed,
    source_cap: settings.sourceCap,
    vendor_calls_per_day: settings.vendorCallsPerDay,
  })

/**
 * Makes a team with its data key, its signing secret and, unless `firstKey` is false, a first key; the plaintexts are in the
 * answer and nowhere else (`apiKey` is empty without one).
 */
export async function createTeam(
  tx: Tx,
  { vault, ids }: { vault: Vault; ids: Ids },
  {
    firstKey = true,
    id = tx.newId(),
    ...wanted
  }: TeamChange & { readonly name: string; readonly firstKey?: boolean; readonly id?: string },
): Promise<{ team: Team; apiKey: string; signingSecret: string }> {
  const dataKey = vault.newDataKey(id)
  const secret = ids.bytes(32)
  const decided = decideStatus(null, wanted, tx.now)
  await insertTeam(tx, {
    reads_limit: bounds.readsPerMinute,
    writes_limit: bounds.writesPerMinute,
    untracked_posts_limit: bounds.untrackedPostsPerMinute,
    keyword_daily_ceiling: defaultCeiling,
    lead_cap: null,
    capture_allowed: true,
    vendor_calls_per_day: null,
    ...columnsOf(wanted),
    id,
    name: wanted.name,
    plan: decided.plan,
    status: decided.status,
    trial_ends_at: decided.trialEndsAt,
    data_key: dataKey,
    signing_secret: vault.sealFor({ id, dataKey }, signingSecretKind, secret),
    previous_signing_secret: null,
    previous_secret_until: null,
    created_at: tx.now,
    shard: currentShard(),
  })
  const { key } = firstKey ? await addKey(tx, { ids, teamId: id, name: 'Default' }) : { key: '' }
  const team = await findTeam(tx.db, id)
  return { team: team!, apiKey: key, signingSecret: writeSigningSecret(secret) }
}

/** Changes a team, locked; gives it before and after, or null when there is none. */
export async function changeTeam(
  tx: Tx,
  id: string,
  change: TeamChange,
): Promise<{ before: Team; after: Team } | null> {
  const before = await lockTeam(tx, id)
  if (!before) return null
  const decided = decideStatus(before, change, tx.now)
  await updateTeam(tx, id, {
    ...columnsOf(change),
    plan: decided.plan,
    status: decided.status,
    trial_ends_at: decided.trialEndsAt,
  })
  // What waited for the team to be served, or to be allowed to capture, may go on.
  tx.markAll(id)
  return { before, after: (await findTeam(tx.db, id))! }
}

/** How long the secret before a rotation still signs, in service time (G47). */
const overlapMs = 24 * 3_600_000

/**
 * Gives a team a new signing secret and answers it; the previous one also signs for 24 h more. Rotating again within
 * that time drops the older one at once. Null for an unknown team.
 */
export async function rotateSigningSecret(
  tx: Tx,
  { vault, ids, teamId }: { vault: Vault; ids: Ids; teamId: string },
): Promise<string | null> {
  if (!(await lockTeam(tx, teamId))) return null
  const team = (await findTeamSecrets(tx.db, teamId))!
  const secret = ids.bytes(32)
  await updateTeam(tx, teamId, {
    signing_secret: vault.sealFor(team, signingSecretKind, secret),
    previous_signing_secret: team.signingSecret,
    previous_secret_until: new Date(tx.now.getTime() + overlapMs),
  })
  return writeSigningSecret(secret)
}
