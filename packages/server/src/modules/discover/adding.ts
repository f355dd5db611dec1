/** Adding the people a run has found: each an Author lead and one charge (specification «Discover»; CRD-23, DIS-26, G91, G139). */
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Post } from '../../providers/ports.ts'
import { chargeAll, settleAgentSearch, type Charge, type LockedAccount } from '../credits/index.ts'
import { rememberPeople, rememberPosts, requestEnrichment } from '../network/index.ts'
import { insertLeads } from '../leads/index.ts'
import { forgetOthers, listAddable, markAdded } from './people-store.ts'
import { authorLead } from './rules/people.ts'
import { closeDiscoverRun, saveDiscoverCheckpoint, type Ending, type DiscoverRun } from './store.ts'

/** People added in one unit of work. */
const batch = 50

const charge = (run: DiscoverRun, personUrn: string): Charge => ({
  key: `discover:${run.id}:person:${personUrn}`,
  category: 'discover',
  sourceId: null,
  syncId: null,
})

/**
 * Ends a locked run; whom it did not add is forgotten, and what the allowance of a free trial was granted for it and it has not spent
 * lapses. Of a search of an agent the account of the team is locked before it.
 */
export async function end(tx: Tx, run: DiscoverRun, ending: Ending): Promise<void> {
  await closeDiscoverRun(tx, run, ending)
  await forgetOthers(tx, run)
  if (run.agentId !== null) await settleAgentSearch(tx, run.teamId, run)
}

async function storeLeads(tx: Tx, run: DiscoverRun, posts: readonly Post[]): Promise<void> {
  await rememberPosts(tx, run.teamId, posts)
  const origin = {
    teamId: run.teamId,
    ownerId: run.id,
    sourceId: null,
    sourceKind: 'discover',
    syncId: null,
    enrichment: 'pending',
    webhookStatus: 'no_webhook',
  } as const
  await insertLeads(
    tx,
    origin,
    posts.map((post) => ({ post, engagements: [authorLead(post)] })),
  )
}

/**
 * Adds the next people of a locked run as far as the balance reaches, and ends the run when nobody is left, its limit
 * is reached or the balance is empty.
 */
export async function add(
  tx: Tx,
  {
    account,
    run,
    faultPoint,
  }: { readonly account: LockedAccount; readonly run: DiscoverRun; readonly faultPoint: FaultPointHook },
): Promise<void> {
  const room = run.maxInfluencers - run.found
  const people = await listAddable(tx.db, run, Math.min(batch, room))
  const paid = people.slice(0, Math.max(0, account.balance))
  await storeLeads(
    tx,
    run,
    paid.map((person) => person.post),
  )
  await faultPoint('discover.people-written')
  const charged = await chargeAll(
    tx,
    account,
    paid.map((person) => charge(run, person.personUrn)),
  )
  if (charged !== paid.length) throw new Error(`run ${run.id}: ${paid.length} people came to ${charged} charges`)
  await faultPoint('discover.charged')
  await markAdded(
    tx,
    run,
    paid.map((person) => person.position),
  )
  await requestEnrichment(
    tx,
    run.teamId,
    paid.map((person) => person.personUrn),
  )
  // After their tasks, as enrichment locks them.
  await rememberPeople(
    tx,
    run.teamId,
    paid.map((person) => authorLead(person.post).person),
  )
  const after = await saveDiscoverCheckpoint(tx, run, { found: run.found + paid.length })
  if (paid.length < people.length)
    await end(tx, after, {
      state: 'done',
      errorCode: 'insufficient_enriching_credits',
      errorText: 'The credit balance ran out before everybody who qualified was added',
    })
  else if (people.length < Math.min(batch, room) || people.length === room)
    await end(tx, after, { state: 'done', errorCode: null, errorText: null })
}
