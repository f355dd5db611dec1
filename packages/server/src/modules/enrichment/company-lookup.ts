/** Fetches company records into the directory, each once in six months. Concurrent requests are claimed and written together. */
import { gathered } from '../../platform/gathered.ts'
import { oneByOne } from '../../platform/task-context.ts'
import { ProviderFailure, type CompanyRecord } from '../../providers/ports.ts'
import { companyIsFresh, findCompanies, saveCompanies, saveMissingCompanies } from '../network/index.ts'
import { noteCompanies } from '../fit/index.ts'
import { holdRenamedPages } from '../leads/index.ts'
import { withinLease, type CompanyResolver, type EnrichmentDeps } from './lookup.ts'
import { claimCompanyLookups, releaseCompanyLookups } from './store.ts'

type CompanyDeps = Omit<EnrichmentDeps, 'companies' | 'atMost' | 'blockList' | 'eraseRecognised'>

type Outcome = { readonly urn: string; readonly record: CompanyRecord | 'missing' | null }

async function freshOf(deps: CompanyDeps, urns: readonly string[]): Promise<ReadonlySet<string>> {
  const [known, now] = await Promise.all([findCompanies(deps.db, urns), deps.serviceNow(deps.db)])
  return new Set([...known.values()].filter((one) => companyIsFresh(one.fetchedAt, now)).map(({ urn }) => urn))
}

async function claimAll(deps: CompanyDeps, urns: readonly string[]): Promise<('known' | 'busy' | 'ours')[]> {
  const before = await freshOf(deps, urns)
  const wanted = urns.filter((urn) => !before.has(urn))
  if (wanted.length === 0) return urns.map(() => 'known')
  const lease = { processId: deps.processId, systemNowMs: deps.system.nowMs() }
  const claimed = await deps.unitOfWork((tx) => claimCompanyLookups(tx, wanted, lease))
  // Another process may have finished between the read and the claim.
  const since = claimed.size === 0 ? new Set<string>() : await freshOf(deps, [...claimed])
  if (since.size > 0) await deps.unitOfWork((tx) => releaseCompanyLookups(tx, [...since], deps.processId))
  return urns.map((urn) => (before.has(urn) || since.has(urn) ? 'known' : claimed.has(urn) ? 'ours' : 'busy'))
}

async function write(deps: CompanyDeps, outcomes: readonly Outcome[]): Promise<void> {
  const records = outcomes.flatMap(({ urn, record }) =>
    record === null || record === 'missing' ? [] : [{ ...record, urn }],
  )
  const found = records.map(({ urn }) => urn)
  const missing = outcomes.filter(({ record }) => record === 'missing').map(({ urn }) => urn)
  const all = outcomes.map(({ urn }) => urn)
  await deps.unitOfWork(async (tx) => {
    await holdRenamedPages(tx, records)
    await saveCompanies(tx, records)
    await noteCompanies(tx, found)
    await saveMissingCompanies(tx, missing)
    await releaseCompanyLookups(tx, all, deps.processId)
  })
}

/** Writes results; if that fails unexpectedly, writes each alone. Returns each one's failure. */
async function writeAll(deps: CompanyDeps, outcomes: readonly Outcome[]): Promise<{ readonly failure?: unknown }[]> {
  const failures = new Map<Outcome, { readonly failure: unknown }>()
  await oneByOne(
    outcomes,
    (some) => write(deps, some),
    async (one, failure) => {
      await deps.unitOfWork((tx) => releaseCompanyLookups(tx, [one.urn], deps.processId))
      failures.set(one, { failure })
    },
  )
  return outcomes.map((one) => failures.get(one) ?? {})
}

/**
 * Creates the resolver; only one per process, because the lease that prevents double look-ups does not exclude its own process.
 * `busy`: another process is looking the company up. Throws `ProviderFailure` when the vendors do not answer.
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
