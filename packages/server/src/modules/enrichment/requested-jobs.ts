/**
 * Enrichment that a caller requested (`POST /enrich/*`), as a job (G16, G21..G24, G132, G141).
 *
 *   pending --claim--> running --fetched--> completed (leads filled or refreshed, given-up ones charged once each, result kept)
 *                        |-- empty profile --> completed, nothing written or charged
 *                        |-- no such profile or company --> failed 404
 *                        |-- a charge is due and the balance is 0 --> failed 402, nothing written
 *                        `-- no answer --> pending again twice, then failed 502
 */
import { companyUrnNamed } from '@les/contract'
import { defineWork, leaseOf } from '../../platform/work/index.ts'
import { ProviderFailure, type CompanyRecord } from '../../providers/ports.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import {
  chargeAll,
  insertFreeLines,
  keyOfEnrichment,
  knownCharges,
  lockAccount,
  type Charge,
  type FreeReason,
} from '../credits/index.ts'
import { domainOf, findCompaniesToFill, holdCompanyFacts, nameAs, saveCompanies } from '../network/index.ts'
import {
  claimJob,
  completeJob,
  failJob,
  failOrPostponeJob,
  jobRows,
  lockJob,
  recordUnexpectedOfJob,
  type ClaimedJob,
} from '../jobs/index.ts'
import { fillLeads, holdRenamedPages, refreshCompany } from '../leads/index.ts'
import { endDoubles, findSource, listPagesNamed, lockSources, saveNetworkUrn } from '../sources/index.ts'
import { completeSyncs, endDeliveries, offerLeads } from '../delivery/index.ts'
import { offerToOutreach } from '../outreach/index.ts'
import { noteCompanies, scoreLeads } from '../fit/index.ts'
import { countMoved, saveFound, sourcesOf } from './fill.ts'
import { askForPerson, type EnrichmentDeps, type LookedUpPerson } from './lookup.ts'
import { factsOf, owesCredit, presentCompany, presentPerson, saysNothing } from './rules/facts.ts'
import { listCompanySources, listMatchingLeads, type MatchingLead } from './store.ts'

/** Both vendors must answer or fail before the job's lease expires. */
const withinLease = { timeoutMs: 40_000 } as const

/** Fits into a lease of a minute together with a profile and a company of at most 25 s each (`lookup.ts`). */
const waitForOthers = { times: 40, everyMs: 200 } as const

type Payload = { readonly username: string; readonly sourceId: string | null }

const chargeFor = (lead: MatchingLead): Charge => ({
  key: keyOfEnrichment(lead),
  category: 'enrichment',
  sourceId: null,
  syncId: null,
})

/** Records what a job did free of charge; a null lead id stands for a person it could not find. */
async function noteFree(
  tx: Tx,
  teamId: string,
  reason: FreeReason,
  leadIds: readonly (string | null)[],
): Promise<void> {
  const lines = leadIds.map((id) => ({ reason, id }))
  await insertFreeLines(tx, { teamId, sourceId: null, syncId: null }, lines)
}

/** Fills and refreshes matching leads; those enrichment had given up on cost one credit each, as far as the balance reaches. */
async function enrichMatching(
  tx: Tx,
  teamId: string,
  person: LookedUpPerson,
): Promise<{ charged: number; updated: number } | 'insufficient'> {
  const account = await lockAccount(tx, teamId)
  const before = await listMatchingLeads(tx.db, teamId, person.known.urn)
  await lockSources(tx, teamId, [...new Set(before.flatMap((lead) => lead.sourceId ?? []))])
  const matching = await listMatchingLeads(tx.db, teamId, person.known.urn)
  const chargeable = matching.filter((lead) => owesCredit(lead.state))
  const keys = chargeable.map((lead) => chargeFor(lead).key)
  const known = await knownCharges(tx.db, teamId, keys)
  const owed = chargeable.filter((lead) => !known.has(chargeFor(lead).key))
  if (owed.length > 0 && account.balance <= 0) return 'insufficient'
  const unpaid = new Set(owed.slice(account.balance).map((lead) => lead.id))
  const filled = matching.filter((lead) => !unpaid.has(lead.id))
  const { companyUrn } = person.known
  const companies = await findCompaniesToFill(tx, teamId, companyUrn === null ? [] : [companyUrn])
  const moved = await fillLeads(tx, {
    teamId,
    leadIds: filled.map((lead) => lead.id),
    facts: factsOf(person.known, companies.get(companyUrn ?? '')),
  })
  await countMoved(tx, { teamId, moved, to: 'completed' })
  const paid = owed.filter((lead) => !unpaid.has(lead.id))
  const charged = await chargeAll(tx, account, paid.map(chargeFor))
  const free = filled.filter((lead) => !paid.includes(lead)).map((lead) => lead.id)
  await noteFree(tx, teamId, 'already_enriched', free)
  await scoreLeads(tx, teamId, { ids: filled.map((lead) => lead.id) })
  const enriched = moved.filter((lead) => lead.from !== 'completed').map((lead) => lead.id)
  await offerLeads(tx, teamId, enriched)
  await offerToOutreach(tx, teamId, enriched)
  await completeSyncs(tx, teamId, sourcesOf(moved))
  return { charged, updated: filled.length }
}

async function resolveCompany(deps: EnrichmentDeps, urn: string): Promise<void> {
  for (let waited = 0; (await deps.companies(urn)) === 'busy' && waited < waitForOthers.times; waited += 1)
    await deps.system.sleep(waitForOthers.everyMs)
}

async function enrichPerson(deps: EnrichmentDeps, job: ClaimedJob, payload: Payload): Promise<void> {
  const person = await askForPerson(deps, job.teamId, nameAs(payload.username))
  // A company that cannot be resolved must not prevent the person's enrichment.
  if (person.known.companyUrn !== null) await resolveCompany(deps, person.known.companyUrn).catch(() => {})
  await deps.faultPoint('enrich-job.fetched')
  await deps.unitOfWork(async (tx) => {
    const empty = saysNothing(person.known)
    const outcome = empty ? { charged: 0, updated: 0 } : await enrichMatching(tx, job.teamId, person)
    if (!(await lockJob(tx, job))) throw new LostClaim()
    if (outcome === 'insufficient')
      return failJob(tx, job, {
        status: 402,
        code: 'insufficient_enriching_credits',
        error: 'Not enough enriching credits: the balance is 0 and leads would have to be charged',
      })
    if (empty) await noteFree(tx, job.teamId, 'enrichment_failed', [null])
    if (person.profile && !empty) await saveFound(tx, { ...deps, teamId: job.teamId }, [person.profile])
    if (payload.sourceId !== null)
      await saveNetworkUrn(tx, { teamId: job.teamId, id: payload.sourceId }, person.known.urn)
    await deps.faultPoint('enrich-job.charged')
    await completeJob(tx, job, presentPerson(person.known, outcome))
  })
}

async function enrichCompany(deps: EnrichmentDeps, job: ClaimedJob, payload: Payload): Promise<void> {
  const source = payload.sourceId === null ? undefined : await findSource(deps.db, job.teamId, { id: payload.sourceId })
  // Prefer the page's number: the slug may have changed since tracking.
  const urn = source?.networkUrn ?? companyUrnNamed(payload.username)
  const page = urn === null ? { slug: payload.username } : { urn }
  const record: CompanyRecord = await deps.network.company(page, withinLease)
  await deps.faultPoint('enrich-job.fetched')
  await deps.unitOfWork(async (tx) => {
    // The account lock keeps other sources of the page from becoming known meanwhile.
    if (source !== undefined) await lockAccount(tx, job.teamId)
    const pages = source === undefined ? [] : [source, ...(await listPagesNamed(tx.db, job.teamId, record.urn))]
    await lockSources(tx, job.teamId, [
      ...new Set([...(await listCompanySources(tx.db, job.teamId, record.urn)), ...pages.map(({ id }) => id)]),
    ])
    if (source !== undefined) {
      await saveNetworkUrn(tx, source, record.urn)
      await endDoubles(tx, { teamId: job.teamId, networkUrn: record.urn }, endDeliveries)
    }
    if (!(await lockJob(tx, job))) throw new LostClaim()
    await holdCompanyFacts(tx, job.teamId, record.urn)
    await holdRenamedPages(tx, [record])
    await saveCompanies(tx, [record])
    await noteCompanies(tx, [record.urn])
    const updated = await refreshCompany(tx, job.teamId, {
      urn: record.urn,
      name: record.name,
      domain: domainOf(record.website),
      industry: record.industry,
      enrichedAt: tx.now,
    })
    await scoreLeads(tx, job.teamId, { companyUrn: record.urn })
    await completeJob(tx, job, presentCompany(record, updated))
  })
}

/** Another worker has the job: roll back and leave it to that worker. */
class LostClaim extends Error {}

/** One requested enrichment; `idle` when none waits. */
export function enrichJobStep(deps: EnrichmentDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const job = await deps.unitOfWork((tx) => claimJob(tx, 'enrich_job', leaseOf(deps.processId, deps.system.nowMs())))
    if (!job) return 'idle'
    const payload = job.payload as Payload
    try {
      await (job.type === 'enrich_profile' ? enrichPerson(deps, job, payload) : enrichCompany(deps, job, payload))
    } catch (error) {
      if (error instanceof LostClaim) return 'worked'
      if (!(error instanceof ProviderFailure)) throw error
      await deps.unitOfWork(async (tx) => {
        const outcome = await failOrPostponeJob(tx, {
          job,
          failure: error,
          notFound: job.type === 'enrich_profile' ? 'Profile not found' : 'Company not found',
        })
        if (outcome === 'failed' && job.type === 'enrich_profile')
          await noteFree(tx, job.teamId, 'enrichment_failed', [null])
      })
    }
    return 'worked'
  }
}

export const enrichJobWork = defineWork({
  kind: 'enrich_job',
  rows: [jobRows.enrich_job],
  step: enrichJobStep,
  unexpected: { job: recordUnexpectedOfJob },
})
