/**
 * Which people and posts of a team could go: the oldest, locked, so that whoever captures them right now waits and
 * writes them anew. Companies stay: one row each for all teams.
 */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { PurgeAsked } from '../../platform/retention.ts'

/** People who could go, and where the next batch begins; null when there are no others. */
export type Candidates = { readonly urns: readonly string[]; readonly next: string | null }

/** Locks people not looked up since `before`, in the order of their ids behind `place`. */
export async function lockOldPeople(tx: Tx, { teamId, before, limit, place }: PurgeAsked): Promise<Candidates> {
  const { rows } = await sql<{ urn: string }>`
    select urn from person
    where team_id = ${teamId} and urn > ${place ?? ''} and (enriched_at is null or enriched_at < ${before})
    order by urn limit ${limit} for update skip locked`.execute(tx.db)
  const urns = rows.map((row) => row.urn)
  return { urns, next: urns.length === limit ? urns.at(-1)! : null }
}

/** Deletes people. */
export async function deletePeople(tx: Tx, teamId: string, urns: readonly string[]): Promise<void> {
  if (urns.length > 0)
    await sql`delete from person where team_id = ${teamId} and urn = any(${[...urns]}::text[])`.execute(tx.db)
}

/** Locks posts first seen before, the oldest first, behind `place` (index `post_first_seen`). */
export async function lockOldPosts(tx: Tx, { teamId, before, limit, place }: PurgeAsked): Promise<Candidates> {
  const [at, urn] = place === null ? ['-infinity', ''] : (JSON.parse(place) as [string, string])
  const { rows } = await sql<{ urn: string; at: string }>`
    select urn, first_seen_at::text as at from post
    where team_id = ${teamId} and first_seen_at < ${before} and (first_seen_at, urn) > (${at}::timestamptz, ${urn})
    order by first_seen_at, urn limit ${limit} for update skip locked`.execute(tx.db)
  const last = rows.at(-1)
  return {
    urns: rows.map((row) => row.urn),
    next: last && rows.length === limit ? JSON.stringify([last.at, last.urn]) : null,
  }
}

/** Deletes posts. */
export async function deletePosts(tx: Tx, teamId: string, urns: readonly string[]): Promise<void> {
  if (urns.length > 0)
    await sql`delete from post where team_id = ${teamId} and urn = any(${[...urns]}::text[])`.execute(tx.db)
}
