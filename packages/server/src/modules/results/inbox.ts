/** SQL of `result_inbox`: posts as received. The platform repeats unanswered ones for a day; hashes are kept for thirty days. */
import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Shards } from '../../platform/db/shards.ts'
import { countAffected } from '../../platform/db/query.ts'
import type { Reader, Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { sha256 } from '../../platform/secrets.ts'
import { shareAccount } from '../credits/index.ts'
import { mailsSaid } from '../leads/index.ts'
import type { BlockList } from '../network/index.ts'
import { nameIn } from './people.ts'
import { findTeamOfSecret, hashOfSecret, wakeFeed } from './feed.ts'
import { identityOf, readPosted, withoutTexts, type Posted } from './rules/posted.ts'

/** What receiving posts needs. */
type ReceiveParts = {
  readonly db: Reader
  readonly shards: Shards
  readonly unitOfWork: UnitOfWork
  readonly faultPoint: FaultPointHook
  readonly blockList: BlockList
}

/** Stores a post; false when no team has the secret. */
export type ReceivePost = (secret: string, body: string) => Promise<boolean>

/** Makes `ReceivePost`. */
export const receivePosts =
  ({ db, shards, unitOfWork, faultPoint, blockList }: ReceiveParts): ReceivePost =>
  async (secret, body) => {
    const hash = hashOfSecret(secret)
    const found = await shards.find(() => findTeamOfSecret(db, hash))
    // The lookup by hash reveals nothing by its timing; this compares once more, whatever the index did.
    if (!found || !timingSafeEqual(found.hash, hash)) return false
    await shards.ofTeam(found.teamId, () =>
      unitOfWork(async (tx) => {
        await keepPost(tx, blockList, { teamId: found.teamId, body })
        await faultPoint('results.received')
      }),
    )
    return true
  }

/** The parsed body, and the text to store: re-serialised, because escaped letters would hide a name from an erasure. */
function readSent(body: string): { readonly sent: unknown; readonly kept: string } {
  try {
    const sent: unknown = JSON.parse(body)
    return { sent, kept: JSON.stringify(sent) }
  } catch {
    return { sent: body, kept: body }
  }
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(textsIn)
      : []

/** A post about somebody else without the texts that name erased people. */
async function withoutErased(
  tx: Tx,
  { teamId, blockList }: { readonly teamId: string; readonly blockList: BlockList },
  sent: unknown,
): Promise<unknown> {
  const texts = textsIn(sent)
  const areNamed = await blockList.namesErased(
    tx.db,
    texts.map((value) => ({ teamId, value })),
  )
  const named = new Set(texts.filter((_text, place) => areNamed[place]))
  return named.size === 0 ? sent : withoutTexts(sent, (text) => named.has(text))
}

/** Stores a post, unless it is about an erased person. */
async function keepPost(
  tx: Tx,
  blockList: BlockList,
  { teamId, body }: { readonly teamId: string; readonly body: string },
): Promise<void> {
  const posted = readPosted(body)
  const { sent, kept } = readSent(body)
  const name = posted?.name
  const person = name === undefined ? null : 'urn' in name ? name.urn : name.handle
  // Waits for a running erasure before anybody is looked up.
  await shareAccount(tx, teamId, 'team')
  if (posted) {
    const named = { ...nameIn(posted.name), mails: posted.mails.flatMap(mailsSaid) }
    if ((await blockList.findBlocked(tx.db, teamId, [named])).has(named)) return
  } else {
    // Nobody is identified, so it is dropped if any value in it names an erased person.
    const [isOfErased] = await blockList.namesErased(tx.db, [{ teamId, value: sent }])
    if (isOfErased) return
  }
  const text = posted ? JSON.stringify(await withoutErased(tx, { teamId, blockList }, sent)) : kept
  const inserted = await countAffected(tx.db)`
    insert into result_inbox (team_id, hash, person, body, received_at)
    values (${teamId}, ${sha256(identityOf(body))}, ${person}, ${text}, ${tx.now}) on conflict do nothing`
  if (inserted === 1) await wakeFeed(tx, teamId)
}

/** A post that waits to be applied. */
type WaitingPost = { readonly hash: Buffer; readonly posted: Posted | null; readonly receivedAt: Date }

/** The posts of a team that have waited longest. */
export async function listWaiting(db: Reader, teamId: string, limit: number): Promise<WaitingPost[]> {
  const { rows } = await sql<{ hash: Buffer; body: string; receivedAt: Date }>`
    select hash, body, received_at as "receivedAt" from result_inbox
    where team_id = ${teamId} and applied_at is null order by received_at, hash limit ${limit}`.execute(db)
  return rows.map(({ hash, body, receivedAt }) => ({ hash, receivedAt, posted: readPosted(body) }))
}

/** Marks posts as applied. */
export async function noteApplied(tx: Tx, teamId: string, posts: readonly WaitingPost[]): Promise<void> {
  await sql`update result_inbox set applied_at = ${tx.now}
    where team_id = ${teamId} and hash = any(${posts.map(({ hash }) => hash)}::bytea[])`.execute(tx.db)
}

/** Deletes posts received before an instant, applied or not. */
export const purgeInbox = (tx: Tx, before: Date, limit: number) =>
  countAffected(tx.db)`
    delete from result_inbox i
    using (select team_id, hash from result_inbox where received_at < ${before} order by received_at limit ${limit}) old
    where i.team_id = old.team_id and i.hash = old.hash`
