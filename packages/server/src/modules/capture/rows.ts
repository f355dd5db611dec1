/** The rows that engagements of a page come to, in lock order: leads, enrichment tasks, people, charges. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { AccountOvertaken, chargeAll, knownCharges, type Charge } from '../credits/index.ts'
import { initialWebhookStatus } from '../delivery/index.ts'
import { rememberPeople, requestEnrichment } from '../network/index.ts'
import { insertLeads, listKnownEngagements, updateReactions, type Engagement, type LeadOrigin } from '../leads/index.ts'
import { type Run, type RunPost, leadKindOf, moveCounts } from '../sources/index.ts'
import { captureBounds, noteSpend, type PageStop } from './bounds.ts'
import type { Locked } from './lock.ts'
import { take, type Taken } from './rules/take.ts'

const personCharge = (run: Run, urn: string): Charge => ({
  key: `source:${run.sourceId}:person:${urn}`,
  category: 'source',
  sourceId: run.sourceId,
  syncId: run.id,
})

/** What a page shows of one post. */
export type OfPost = { readonly post: RunPost; readonly engagements: readonly Engagement[] }

/** What a unit of work that writes a page has locked, and where tests make it fail. */
export interface PageUnit {
  readonly locked: Locked
  readonly faultPoint: FaultPointHook
}

type Seen = { readonly seen: readonly OfPost[]; readonly bounded: RunPost | null }

/** Judges what engagements come to, against what is stored and charged and what binds the run. */
async function judge(tx: Tx, locked: Locked, { seen, bounded }: Seen): Promise<Taken<PageStop>> {
  const { account, run } = locked
  const engagements = seen.flatMap((each) => each.engagements)
  const people = [...new Set(engagements.map((engagement) => engagement.person.urn))]
  const stored = await listKnownEngagements(tx.db, {
    teamId: run.teamId,
    ownerId: run.sourceId,
    keys: engagements.map((engagement) => engagement.key),
  })
  const keys = await knownCharges(
    tx.db,
    run.teamId,
    people.map((urn) => personCharge(run, urn).key),
  )
  const charged = new Set(people.filter((urn) => keys.has(personCharge(run, urn).key)))
  // What the balance keeps out is found under its lock.
  if (account.shared && people.length > account.balance) throw new AccountOvertaken(run.teamId)
  return take({ engagements, stored, charged, bounds: await captureBounds(tx, locked, bounded) })
}

/** Stores the rows that engagements come to and charges the new people; `bounded` is the post whose own bound counts. */
export async function captureRows(
  tx: Tx,
  { locked, faultPoint }: PageUnit,
  { seen, bounded }: Seen,
): Promise<{ taken: Taken<PageStop>; spent: number }> {
  const { account, run } = locked
  const taken = await judge(tx, locked, { seen, bounded })
  await storeRows(tx, locked, { seen, taken })
  await faultPoint('capture.people-written')
  if (run.policy.enriches)
    await requestEnrichment(
      tx,
      run.teamId,
      taken.rows.map((row) => row.person.urn),
    )
  // After their tasks, as enrichment locks them.
  await rememberPeople(
    tx,
    run.teamId,
    taken.rows.map((row) => row.person),
  )
  // Pages that share the account wait for one another from here on.
  const spent = await chargeAll(
    tx,
    account,
    taken.charge.map((urn) => personCharge(run, urn)),
  )
  await noteSpend(tx, locked, spent)
  await countRows(tx, locked, taken.rows.length)
  await faultPoint('capture.charged')
  return { taken, spent }
}

async function storeRows(
  tx: Tx,
  { source, run }: Locked,
  { seen, taken }: { readonly seen: readonly OfPost[]; readonly taken: Pick<Taken<string>, 'rows' | 'changed'> },
): Promise<void> {
  const raw = !run.policy.enriches
  const beginning = raw
    ? { webhookStatus: 'no_webhook' as const }
    : await initialWebhookStatus(tx.db, run.teamId, source.id)
  const rows = new Set(taken.rows)
  const origin: LeadOrigin = {
    teamId: run.teamId,
    ownerId: source.id,
    sourceId: source.id,
    sourceKind: leadKindOf(source),
    syncId: run.id,
    enrichment: raw ? 'raw' : 'pending',
    ...beginning,
  }
  await insertLeads(
    tx,
    origin,
    seen.map(({ post, engagements }) => ({
      post: { urn: post.urn, url: post.url, postedAt: post.postedAt?.toISOString() ?? null },
      engagements: engagements.filter((engagement) => rows.has(engagement)),
    })),
  )
  await updateReactions(tx, { teamId: run.teamId, ownerId: source.id, changed: taken.changed })
}

/** Adds new rows to the counters of the team and of the source. */
async function countRows(tx: Tx, { source, run }: Locked, rows: number): Promise<void> {
  if (rows === 0) return
  const raw = !run.policy.enriches
  await moveCounts(tx, source, raw ? { raw: rows } : { pending: rows })
}
