/**
 * The list of an agent's people (specification «Agent lead»), read from what is kept of them:
 *
 *   everybody is judged by what the agent looks for now, nobody is noted  -> a page, one statement
 *   the same with filters, or some are noted                              -> the kept rows, those noted judged as they are read
 *   what is kept was judged by something else, or very many are noted     -> computed, all of them (agent-ranking.ts)
 *
 * All three answer the same; `test/scoring/ranking.test.ts` compares them.
 */
import type { FilterRow } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { filterRated, ratedOf, type Rated } from './agent-filter.ts'
import { scorePeople, type AgentPerson } from './agent-reader.ts'
import { computeRanking } from './agent-ranking.ts'
import { countPeople, findAgentView, listPeople, newestPeople, type AgentOf, type AgentView } from './agent-store.ts'
import { judgePosters } from './post-verdicts.ts'
import type { PostOfAuthor } from './post-store.ts'
import {
  readJudgements,
  readKeptPage,
  readKeptRows,
  readNoted,
  readRescoring,
  type KeptRow,
  type PeopleRescoring,
} from './ranking-read-store.ts'
import { mostEngagementsShown, type JudgedEngagement, type JudgedPerson } from './rules/agent-people.ts'
import { compareLeads, signalOrder } from './rules/signal.ts'
import { viewDigest } from './view-digest.ts'

/** A person as a list shows them; `engagements` are the newest, `engagementCount` is all of them. */
export type ListedPerson = Pick<JudgedPerson, 'fit' | 'signal' | 'signalReasons'> & {
  readonly id: string
  readonly factId: string | null
  readonly detectedAt: Date
  readonly engagementCount: number
  readonly engagements: readonly (JudgedEngagement & { readonly posterTopic: string | null })[]
}

/** A page of them: `checked` is everybody captured, `enriching` who of them waits, `total` who is listed and passes the filters. */
export type ListedPage = {
  readonly view: AgentView
  readonly people: readonly ListedPerson[]
  readonly checked: number
  readonly enriching: number
  readonly total: number
  /** While it is computed: how far the background has come. */
  readonly rescoring: PeopleRescoring | undefined
}

/** What is asked for. */
export type ListAsked = {
  readonly filters: readonly FilterRow<string>[]
  readonly limit: number
  readonly offset: number
}

type Shown = Omit<ListedPerson, 'engagements'> & { readonly engagements: readonly JudgedEngagement[] }
type Counted = Omit<ListedPage, 'view' | 'people' | 'rescoring'> & {
  readonly rescoring?: PeopleRescoring | undefined
  readonly people: readonly Shown[]
  readonly posts: readonly PostOfAuthor[]
}

const shownOf = ({ id, factId, detectedAt, fit, signal, signalReasons, engagements }: AgentPerson): Shown => ({
  id,
  factId,
  detectedAt,
  fit,
  signal,
  signalReasons,
  engagementCount: engagements.length,
  engagements: engagements.slice(0, mostEngagementsShown),
})

/** People who are noted are judged as they are read, as long as they are not more. */
const mostNoted = 1_000

async function fromPage(
  db: Reader,
  { agent, view, asked }: { readonly agent: AgentOf; readonly view: AgentView; readonly asked: ListAsked },
): Promise<Counted | undefined> {
  const kept = await readKeptPage(db, agent, { ...asked, judgedBy: viewDigest(view) })
  if (!kept) return undefined
  const people = kept.people.map(
    ({ judged, signal, id, factId, detectedAt, engagementCount }): Shown => ({
      ...judged,
      id,
      factId,
      detectedAt,
      engagementCount,
      signal: signalOrder[signal]!,
    }),
  )
  return { ...kept, people, posts: [] }
}

type Candidate = Rated & { readonly urn: string; readonly detectedAt: Date; readonly live?: AgentPerson }

const keptCandidate = (row: KeptRow): Candidate => ({ ...row, signal: signalOrder[row.signal]! })

async function fromRows(
  db: Reader,
  { agent, view, asked }: { readonly agent: AgentOf; readonly view: AgentView; readonly asked: ListAsked },
): Promise<Counted | undefined> {
  const noted = await readNoted(db, agent, mostNoted + 1)
  if (noted.posts || noted.people.length > mostNoted) return undefined
  const kept = await readKeptRows(db, { agent, judgedBy: viewDigest(view), without: noted.people })
  if (!kept) return undefined
  const sourceIds = view.sources.map((source) => source.id)
  const rows =
    noted.people.length === 0
      ? []
      : await listPeople(db, { teamId: agent.teamId, sourceIds, people: { urns: noted.people } })
  const { people: live, posts } = await scorePeople(db, { agent, view, rows })
  const newest = [
    ...kept.map((row) => ({ ...keptCandidate(row), shown: row.shown })),
    ...live.map((person) => ({
      ...ratedOf(person),
      urn: person.urn,
      detectedAt: person.detectedAt,
      shown: person.ended && person.fit.listed,
      live: person,
    })),
  ]
    .sort((a, b) => b.detectedAt.getTime() - a.detectedAt.getTime() || (a.id < b.id ? 1 : -1))
    .slice(0, newestPeople)
  const listed: readonly Candidate[] = newest.filter((one) => one.shown)
  const passing = (await filterRated(db, { teamId: agent.teamId, view, people: listed, rows: asked.filters })).toSorted(
    compareLeads,
  )
  const page = passing.slice(asked.offset, asked.offset + asked.limit)
  const judgements = await readJudgements(
    db,
    agent,
    page.flatMap((one) => (one.live ? [] : [one.urn])),
  )
  const people = page.flatMap((one): Shown[] => {
    if (one.live) return [shownOf(one.live)]
    const judged = judgements.get(one.urn)
    const { id, factId, detectedAt, engagementCount, signal } = one
    return judged ? [{ ...judged, id, factId, detectedAt, engagementCount, signal }] : []
  })
  return { people, posts, total: passing.length, ...(await countPeople(db, agent.teamId, sourceIds)) }
}

async function computed(
  db: Reader,
  {
    agent,
    view,
    asked,
    now,
  }: { readonly agent: AgentOf; readonly view: AgentView; readonly asked: ListAsked; readonly now: Date },
): Promise<Counted> {
  const { people, posts, checked, enriching } = await computeRanking(db, { agent, view, now })
  const rated = people.map((person) => ({ ...ratedOf(person), person }))
  const passing = await filterRated(db, { teamId: agent.teamId, view, people: rated, rows: asked.filters })
  const page = passing.slice(asked.offset, asked.offset + asked.limit).map(({ person }) => shownOf(person))
  const rescoring = await readRescoring(db, agent)
  return { people: page, posts, checked, enriching, total: passing.length, rescoring }
}

/** A page of an agent's people, the best first, as of `now` (service time); undefined without such an agent. */
export async function listAgentPeople(
  db: Reader,
  { agent, asked, now }: { readonly agent: AgentOf; readonly asked: ListAsked; readonly now: Date },
): Promise<ListedPage | undefined> {
  const view = await findAgentView(db, agent)
  if (!view) return undefined
  const { people, posts, rescoring, ...counts } =
    (asked.filters.length === 0 ? await fromPage(db, { agent, view, asked }) : undefined) ??
    (await fromRows(db, { agent, view, asked })) ??
    (await computed(db, { agent, view, asked, now }))
  const urns = new Set(people.flatMap((person) => person.engagements.flatMap((one) => one.postUrn ?? [])))
  const posterOf = await judgePosters(db, { agent, urns: [...urns], topics: view.profile.topics, atHand: posts })
  return {
    view,
    rescoring,
    ...counts,
    people: people.map((person) => ({
      ...person,
      engagements: person.engagements.map((one) => ({ ...one, posterTopic: posterOf(one.postUrn) })),
    })),
  }
}
