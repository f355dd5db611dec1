/**
 * Looking up several people of one team, outside any unit of work: profiles side by side, then each company that is not known once.
 * Vendor budgets bound what is under way over all processes. A slow vendor makes a short turn: nobody is begun once it is over.
 */
import {
  personIsFresh,
  companyIsFresh,
  findCompanies,
  findPeople,
  renewTasks,
  type ClaimedTask,
} from '../network/index.ts'
import { listWanted } from '../leads/index.ts'
import type { RowInHand } from '../../platform/work-in-hand.ts'
import { askForKnown, type EnrichmentDeps, type LookedUpPerson } from './lookup.ts'

/** Somebody under our lease, and the hand their failures are recorded by. */
export type InHand = { readonly task: ClaimedTask; readonly row: RowInHand }

/** What asking came to: who was found, perhaps with a company that another process is looking up, or what went wrong. */
export type Asked = { readonly person?: LookedUpPerson | undefined; readonly busy?: boolean; readonly error?: unknown }

/** Look-ups of one batch that are under way at once. */
const sideBySide = 8
/** A turn lasts so long; then who was not begun is given back. */
const turnMs = 1_000
/** Leases are renewed when they are this old and another look-up begins: one may last most of a minute. */
const renewAfterMs = 5_000

/** Looks people up; `left` are those not begun when the turn was over. */
export async function lookUpMany(
  deps: EnrichmentDeps,
  { teamId, people }: { readonly teamId: string; readonly people: readonly InHand[] },
): Promise<{ asked: (InHand & Asked)[]; left: ClaimedTask[] }> {
  const { asked, left } = await lookUpPeople(deps, teamId, people)
  return { asked: await lookUpCompanies(deps, asked), left }
}

async function lookUpPeople(
  deps: EnrichmentDeps,
  teamId: string,
  people: readonly InHand[],
): Promise<{ asked: (InHand & Asked)[]; left: ClaimedTask[] }> {
  const { system } = deps
  const now = await deps.serviceNow(deps.db)
  const known = await findPeople(
    deps.db,
    teamId,
    people.map(({ task }) => task.personUrn),
  )
  const asked: (InHand & Asked)[] = []
  const queue: InHand[] = []
  for (const one of people) {
    const before = known.get(one.task.personUrn)
    if (before && personIsFresh(before.enrichedAt, now))
      asked.push({ ...one, person: { known: before, profile: null } })
    else queue.push(one)
  }
  const beganMs = system.nowMs()
  let renewedMs = beganMs
  const begun = new Set<InHand>()
  // A look-up costs money: whoever was untracked meanwhile is not begun any more.
  let wanted = new Set(queue.map(({ task }) => task.personUrn))
  let sure = sideBySide
  let looking: Promise<void> | undefined
  const lookAgain = async (): Promise<void> => {
    const urns = queue.filter((one) => !begun.has(one)).map(({ task }) => task.personUrn)
    wanted = await listWanted(deps.db, teamId, urns)
    sure = begun.size + sideBySide
    looking = undefined
  }
  await allOf(Math.min(sideBySide, deps.atMost ?? sideBySide), async () => {
    for (;;) {
      const nowMs = system.nowMs()
      if (begun.size > 0 && nowMs - beganMs > turnMs) return
      if (begun.size >= sure) await (looking ??= lookAgain())
      const next = queue.find((one) => !begun.has(one) && wanted.has(one.task.personUrn))
      if (!next) return
      begun.add(next)
      if (nowMs - renewedMs > renewAfterMs) {
        renewedMs = nowMs
        await renewTasks(
          deps.unitOfWork,
          people.map(({ task }) => task),
          nowMs,
        )
      }
      const result = await outcome(next, async () => {
        const person = await askForKnown(deps, {
          who: { urn: next.task.personUrn },
          before: known.get(next.task.personUrn),
          now,
        })
        await deps.faultPoint('enrichment.profile-fetched')
        return { person }
      })
      asked.push({ ...next, ...result })
    }
  })
  return { asked, left: queue.filter((one) => !begun.has(one)).map(({ task }) => task) }
}

async function lookUpCompanies(deps: EnrichmentDeps, people: readonly (InHand & Asked)[]): Promise<(InHand & Asked)[]> {
  const now = await deps.serviceNow(deps.db)
  const byCompany = Map.groupBy(people, ({ person }) => person?.known.companyUrn ?? null)
  const urns = [...byCompany.keys()].filter((urn) => urn !== null)
  const known = await findCompanies(deps.db, urns)
  const unknown = urns.filter((urn) => {
    const company = known.get(urn)
    return !company || !companyIsFresh(company.fetchedAt, now)
  })
  const results = new Map<string, Asked>()
  const queue = [...unknown]
  await allOf(Math.min(sideBySide, deps.atMost ?? sideBySide), async () => {
    for (let urn = queue.shift(); urn !== undefined; urn = queue.shift()) {
      const company = urn
      const first = byCompany.get(company)![0]!
      results.set(company, await outcome(first, async () => ({ busy: (await deps.companies(company)) === 'busy' })))
    }
  })
  return people.map((one) => ({ ...one, ...results.get(one.person?.known.companyUrn ?? '') }))
}

/** Runs so many at once; when one throws, the others come to their end before that is thrown on. */
async function allOf(count: number, lane: () => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(Array.from({ length: count }, lane))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

/** What something for one person came to; trouble that is nobody's fault goes on being thrown. */
async function outcome(one: InHand, something: () => Promise<Asked>): Promise<Asked> {
  try {
    return await one.row.run(something)
  } catch (error) {
    if (!one.row.owns(error)) throw error
    return { error }
  }
}
