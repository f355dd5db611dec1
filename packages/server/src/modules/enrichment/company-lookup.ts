/**
 * Making sure that companies' records are in the directory: one look-up per company in six months, also when many of its people are
 * enriched at once. Companies that are wanted at the same time are claimed together and written together.
 */
import { gathered } from '../../platform/gathered.ts'
import { isOfTheWork } from '../../platform/task-context.ts'
import { ProviderFailure, type CompanyRecord } from '../../providers/ports.ts'
import { companyIsFresh, findCompanies, saveCompanies, saveMissingCompanies } from '../network/index.ts'
import { noteCompanies } from '../fit/index.ts'
import { withinLease, type CompanyResolver, type EnrichmentDeps } from './lookup.ts'
import { claimCompanyLookups, releaseCompanyLookups } from './store.ts'

type CompanyDeps = Omit<EnrichmentDeps, 'companies' | 'atMost' | 'blockList' | 'eraseRecognised'>

/** What a look-up came to: a record, that there is none, or null when the vendors did not answer. */
type Outcome = { readonly urn: string; readonly record: CompanyRecord | 'missing' | null }

/** Those whose record is in the directory and not too old. */
async function freshOf(deps: CompanyDeps, urns: readonly string[]): Promise<ReadonlySet<string>> {
  const [known, now] = await Promise.all([findCompanies(deps.db, urns), deps.serviceNow(deps.db)])
  return new Set([...known.values()].filter((one) => companyIsFresh(one.fetchedAt, now)).map(({ urn }) => urn))
}

/** Of each company: known already, being looked up by another process, or ours to look up now. */
async function claimAll(deps: CompanyDeps, urns: readonly string[]): Promise<('known' | 'busy' | 'ours')[]> {
  const before = await freshOf(deps, urns)
  const wanted = urns.filter((urn) => !before.has(urn))
  if (wanted.length === 0) return urns.map(() => 'known')
  const lease = { processId: deps.processId, systemNowMs: deps.system.nowMs() }
  const claimed = await deps.unitOfWork((tx) => claimCompanyLookups(tx, wanted, lease))
  // Between the read and the claim another process may have finished.
  const since = claimed.size === 0 ? new Set<string>() : await freshOf(deps, [...claimed])
  if (since.size > 0) await deps.unitOfWork((tx) => releaseCompanyLookups(tx, [...since], deps.processId))
  return urns.map((urn) => (before.has(urn) || since.has(urn) ? 'known' : claimed.has(urn) ? 'ours' : 'busy'))
}

async function write(deps: CompanyDeps, outcomes: readonly Outcome[]): Promise<void> {
  await deps.unitOfWork(async (tx) => {
    const records = outcomes.flatMap(({ urn, record }) =>
      record === null || record === 'missing' ? [] : [{ ...record, urn }],
    )
    await saveCompanies(tx, records)
    await noteCompanies(
      tx,
      records.map((record) => record.urn),
    )
    await saveMissingCompanies(
      tx,
      outcomes.filter(({ record }) => record === 'missing').map(({ urn }) => urn),
    )
    await releaseCompanyLookups(
      tx,
      outcomes.map(({ urn }) => urn),
      deps.processId,
    )
  })
}

/** Writes what was found out about companies; when that fails unexpectedly, about each alone. Answers the failure of each. */
async function writeAll(deps: CompanyDeps, outcomes: readonly Outcome[]): Promise<{ readonly failure?: unknown }[]> {
  try {
    await write(deps, outcomes)
    return outcomes.map(() => ({}))
  } catch (failure) {
    if (!isOfTheWork(failure)) throw failure
    if (outcomes.length === 1) {
      await deps.unitOfWork((tx) => releaseCompanyLookups(tx, [outcomes[0]!.urn], deps.processId))
      return [{ failure }]
    }
    const each: { readonly failure?: unknown }[] = []
    for (const one of outcomes) each.push(...(await writeAll(deps, [one])))
    return each
  }
}

/**
 * Looks companies up, each once however many of this process wait for it; across processes a lease does, which this one has as often
 * as it asks: a process makes one resolver. `busy` when another process is looking it up right now; rejects with ProviderFailure when
 * the vendors do not answer.
 */
export function companyResolver(deps: CompanyDeps): CompanyResolver {
  const claim = gathered((urns: readonly string[]) => claimAll(deps, urns))
  const note = gathered((outcomes: readonly Outcome[]) => writeAll(deps, outcomes))
  const keep = async (outcome: Outcome): Promise<void> => {
    const written = await note(outcome)
    if ('failure' in written) throw written.failure
  }
  const resolve = async (urn: string): Promise<'known' | 'busy'> => {
    const claimed = await claim(urn)
    if (claimed !== 'ours') return claimed
    let record: CompanyRecord
    try {
      record = await deps.network.company({ urn }, withinLease)
      await deps.faultPoint('enrichment.company-fetched')
    } catch (error) {
      const missing = error instanceof ProviderFailure && error.kind === 'not_found'
      await keep({ urn, record: missing ? 'missing' : null })
      if (!missing) throw error
      return 'known'
    }
    await keep({ urn, record })
    return 'known'
  }
  const running = new Map<string, Promise<'known' | 'busy'>>()
  return (urn) => {
    const already = running.get(urn)
    if (already) return already
    const started = resolve(urn).finally(() => running.delete(urn))
    running.set(urn, started)
    return started
  }
}
