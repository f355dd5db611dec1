/** Creating and changing teams, and rotating signing secrets. */
import { bounds } from '@les/contract'
import { currentShard } from '../../platform/db/shards.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Ids } from '../../platform/random.ts'
import type { Vault } from '../../platform/secrets.ts'
import { addKey } from './keys.ts'
import { findTeamSecrets, signingSecretKind, writeSigningSecret } from './secrets.ts'
import { decideStatus, type StatusChange } from './rules/team-status.ts'
import { findTeam, insertTeam, lockTeam, updateTeam, type Team } from './team.ts'

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

/** A change to a team; absent fields stay. */
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

/** Creates a team with data key, signing secret and, unless `firstKey` is false, an API key. Only the result has plaintexts. */
export async function createTeam(
  tx: Tx,
  { vault, ids }: { vault: Vault; ids: Ids },
  wanted: TeamChange & { readonly name: string; readonly firstKey?: boolean; readonly id?: string },
): Promise<{ team: Team; apiKey: string; signingSecret: string }> {
  const { firstKey = true, id = tx.newId() } = wanted
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

/** Changes a team under its lock; returns it before and after, or null when there is none. */
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
  // Work that waited for the team to be served, or allowed to capture, may continue.
  tx.markAll(id)
  return { before, after: (await findTeam(tx.db, id))! }
}

/** How long the previous secret still signs after a rotation, in service time (G47). */
const overlapMs = 24 * 3_600_000

/**
 * Rotates a team's signing secret and returns the new one; the previous one also signs for 24 h. A second rotation within that
 * time drops the older one at once. Null for an unknown team.
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
