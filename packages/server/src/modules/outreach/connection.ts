/** The team's connection: the stored key, and whether the platform rejects it (OUT-02, OUT-23, ERR-20). */
import type { WorkDeps } from '../../platform/work/index.ts'
import type { ErrorDetails } from '@les/contract'
import { sql } from 'kysely'
import { queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/secrets.ts'
import { type Campaign, OutreachFailure, type OutreachPlatform } from '../../providers/outreach/port.ts'
import { retryAfterHeaders } from '../../providers/ports.ts'
import { readCredential } from '../accounts/index.ts'
import type { BlockList } from '../network/index.ts'
import type { AgentScores } from './agent-scores.ts'
import { refusalOf } from './rules/sending.ts'
import { pauseRules } from './rule-store.ts'

export type OutreachDeps = WorkDeps & {
  readonly platform: OutreachPlatform
  readonly vault: Vault
  readonly scores: AgentScores
  readonly log: Log
  /** Erased people, who are never sent. */
  readonly blockList: BlockList
  readonly small?: number
}

type ConnectionState = { readonly connectedAt: Date; readonly rejected: boolean; readonly sealedHash: Buffer }

/** A key in use; `sealedHash` identifies it without revealing it. */
export type Connection = { readonly key: string; readonly sealedHash: Buffer; readonly rejected: boolean }

/** The state of the connection; undefined when no key is stored. */
export const findConnection = (db: Reader, teamId: string) =>
  queryOne<ConnectionState>(db)`
    select c.stored_at as "connectedAt", sha256(c.sealed) as "sealedHash",
      coalesce(r.sealed_hash = sha256(c.sealed), false) as rejected
    from team_credential c left join outreach_refusal r on r.team_id = c.team_id
    where c.team_id = ${teamId} and c.kind = 'outreach'`

/** Opens the key; undefined when none is stored. */
export async function openConnection(
  deps: Pick<OutreachDeps, 'db' | 'vault'>,
  teamId: string,
): Promise<Connection | undefined> {
  // State first: if the key is replaced in between, a rejection of the new key is noted for the old one and found again.
  const state = await findConnection(deps.db, teamId)
  const key = state && (await readCredential(deps.db, { vault: deps.vault, teamId, kind: 'outreach' }))
  return state && key ? { key, sealedHash: state.sealedHash, rejected: state.rejected } : undefined
}

/** Notes that the platform rejects a key and pauses all rules of the team, unless the key was replaced meanwhile. */
export async function noteRejected(tx: Tx, teamId: string, sealedHash: Buffer): Promise<void> {
  const state = await findConnection(tx.db, teamId)
  if (!state?.sealedHash.equals(sealedHash)) return
  await sql`
    insert into outreach_refusal (team_id, sealed_hash, refused_at) values (${teamId}, ${sealedHash}, ${tx.now})
    on conflict (team_id) do update set sealed_hash = excluded.sealed_hash, refused_at = excluded.refused_at`.execute(
    tx.db,
  )
  await pauseRules(tx, teamId, { reason: 'invalid_key' })
}

/** The connection; refuses `not_connected`. */
export async function requireConnection(deps: Pick<OutreachDeps, 'db' | 'vault'>, teamId: string): Promise<Connection> {
  return (await openConnection(deps, teamId)) ?? refuse('not_connected')
}

const again = 'wait for the seconds in Retry-After and try again'

function describe({ kind, held }: OutreachFailure): string {
  if (held?.reason === 'rate' || kind === 'rate_limited')
    return `The outreach platform takes no more calls with this key for now: ${again}`
  if (held) return `The outreach platform has failed several times in a row and is asked once a minute: ${again}`
  if (kind === 'unreadable') return 'The outreach platform gave an answer that cannot be read: try again'
  if (kind === 'refused') return 'The outreach platform refused the request: see there whether the campaign is in order'
  if (kind === 'campaign_closed') return 'The campaign takes no more leads: it is over, a draft, or gone'
  if (kind === 'invalid_key') return 'The outreach platform rejects the key that is stored: store a good one'
  return 'The outreach platform did not answer: try again'
}

/** Refuses 502 for a failed call; `details.partial` tells what a send had done before. */
export function refuseFailure(failure: OutreachFailure, details: ErrorDetails<'outreach_unavailable'> = {}): never {
  const done = details.partial === undefined ? '' : '; partial says what was added before'
  throw new Refusal('outreach_unavailable', details, `${describe(failure)}${done}`, retryAfterHeaders(failure))
}

/** Calls the platform for a request. A rejected key is noted and answers 409; other failures answer 502 with reason and wait. */
export async function askFor<T>(
  deps: OutreachDeps,
  { teamId, connection, ask }: { teamId: string; connection: Connection; ask: () => Promise<T> },
): Promise<T> {
  try {
    const answer = await ask()
    if (connection.rejected)
      await deps.unitOfWork((tx) => sql`delete from outreach_refusal where team_id = ${teamId}`.execute(tx.db))
    return answer
  } catch (error) {
    if (!(error instanceof OutreachFailure)) throw error
    if (error.kind !== 'invalid_key') {
      deps.log.warn('the outreach platform failed a request', { teamId, kind: error.kind, error })
      return refuseFailure(error)
    }
    await deps.unitOfWork((tx) => noteRejected(tx, teamId, connection.sealedHash))
    return refuse('outreach_key_rejected')
  }
}

/** Asks the platform for a campaign; refuses `not_connected`. */
export async function askForCampaign(deps: OutreachDeps, teamId: string, campaignId: string) {
  const connection = await requireConnection(deps, teamId)
  const ask = () => deps.platform.findCampaign(connection.key, campaignId)
  return { connection, campaign: await askFor(deps, { teamId, connection, ask }) }
}

/** A campaign that takes leads; refuses others. */
export function requireTaking(campaign: Campaign | undefined): Campaign {
  if (campaign === undefined) return refuse('campaign_not_found')
  const refusal = refusalOf(campaign)
  return refusal === null ? campaign : refuse(refusal)
}

/** The same by its id. Calls the platform, so call it before writing anything (OUT-22, AGT-17). */
export const checkCampaign = async (deps: OutreachDeps, teamId: string, campaignId: string): Promise<Campaign> =>
  requireTaking((await askForCampaign(deps, teamId, campaignId)).campaign)
