/** What an `Idempotency-Key` does to a write (G109), or to a read that charges (G143), before and after its handler. */
import type { OperationId, SessionOperationId } from '@les/contract'
import {
  lockIdempotencyKey,
  unlockIdempotencyKey,
  findAnswer,
  recordAnswer,
  requestHash,
  scopeOf,
  shareLog,
  type Statements,
} from '../modules/accounts/index.ts'
import type { BlockList } from '../modules/network/index.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/unit-of-work.ts'
import type { Ids } from '../platform/random.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Vault } from '../platform/secrets.ts'
import type { RawInput } from './input.ts'
import type { Reply } from './reply.ts'

/** Answer fields that are shown once and never stored, by operation; a replay has null for them. */
const secretAnswerFields: { readonly [Id in OperationId | SessionOperationId]?: readonly string[] } = {
  createKey: ['key'],
  rotateSecret: ['signingSecret'],
  createHook: ['secret'],
}

type IdempotencyParts = {
  readonly pool: Statements
  readonly db: Reader
  readonly vault: Vault
  readonly ids: Ids
  readonly system: SystemClock
  readonly countBlocked: BlockList['countBlocked']
}

type KeyedCall = {
  readonly operationId: OperationId | SessionOperationId
  readonly method: string
  readonly path: string
  readonly teamId: string
  readonly key: string
  readonly input: RawInput
  readonly now: Date
}

/** A stored answer to replay, or a locked key; `record` must run in the unit of work of the effect. */
type IdempotencyDecision =
  | { readonly replay: Reply }
  | { readonly record: (tx: Tx, status: number, body: unknown) => Promise<void>; readonly unlock: () => Promise<void> }

const answerErased =
  'The call with this Idempotency-Key was carried out, and its answer went when a person was erased: read what it did, or send another key'

const printable = /^[\x20-\x7e]{1,255}$/

/** Refuses a key that is not 1 to 255 printable ASCII characters. */
export function checkIdempotencyKey(key: string): void {
  if (!printable.test(key)) throw new Refusal('idempotency_key_invalid')
}

const keptFields = (id: OperationId | SessionOperationId, body: unknown): unknown => ({
  ...(body as Record<string, unknown>),
  ...Object.fromEntries((secretAnswerFields[id] ?? []).map((field) => [field, null])),
})

/** Locks the key, or returns the stored answer; refuses a key whose request is still running or that another request used. */
export async function checkIdempotency(parts: IdempotencyParts, call: KeyedCall): Promise<IdempotencyDecision> {
  const scope = scopeOf(call.method, call.path, call.key)
  const hash = requestHash(Object.fromEntries(call.input.query), call.input.body)
  const lock = { teamId: call.teamId, scope, owner: parts.ids.uuid(call.now) }
  const taken = await lockIdempotencyKey(parts.pool, lock, parts.system.nowMs())
  const unlock = async () => {
    if (taken) await unlockIdempotencyKey(parts.pool, lock)
  }
  let blockedBefore: number
  try {
    // Read after locking: an equal request that ended meanwhile has stored its answer by now.
    const stored = await findAnswer(parts.db, { vault: parts.vault, teamId: call.teamId, scope, now: call.now })
    if (stored && !stored.hash.equals(hash)) throw new Refusal('idempotency_key_reused')
    if (stored?.isErased) throw new Refusal('idempotency_key_reused', {}, answerErased)
    if (stored) {
      await unlock()
      return { replay: { status: stored.status, headers: { 'idempotency-replayed': 'true' }, body: stored.body } }
    }
    if (!taken) throw new Refusal('idempotency_in_flight')
    blockedBefore = await parts.countBlocked(parts.db, call.teamId)
  } catch (error) {
    await unlock()
    throw error
  }
  const record = async (tx: Tx, status: number, body: unknown) => {
    // An answer may name a person whose erasure was committed after the call began: then only the fact that it was answered is
    // stored. The erasure's own answer names nobody.
    await shareLog(tx.db, [call.teamId])
    const isErased =
      call.operationId !== 'createErasure' && (await parts.countBlocked(tx.db, call.teamId)) !== blockedBefore
    // After a lock expires, two equal requests can run at once; the second to store its answer rolls back.
    if (
      !(await recordAnswer(tx, {
        vault: parts.vault,
        teamId: call.teamId,
        answer: {
          scope,
          hash,
          status,
          body: keptFields(call.operationId, body),
          isErased,
        },
      }))
    )
      throw new Refusal('idempotency_in_flight')
  }
  return { record, unlock }
}
