/**
 * The list of an agent's people (specification «Agent lead»), read from what is kept of them:
 *
 *   everybody is judged by what the agent looks for now, nobody is noted  -> a page, one statement (ranking-page-store.ts)
 *   the same, and some are noted                                          -> the kept rows, those noted judged as they are read
 *   what is kept was judged by something else, or very many are noted     -> computed, all of them (agent-ranking.ts)
 *
 * All three answer the same; `test/fit/ranking.test.ts` compares them.
 */
import type { FilterRow } from '@les/contract'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { filterRated, ratedOf, type Rated } from './filter.ts'
import { scorePeople, type AgentPerson } from './people.ts'
import { computeRanking } from './computed.ts'
import { countPeople, listPeople, newestPeople, type AgentOf, type AgentView } from './people-store.ts'
import { compileForKept } from './kept-filter.ts'
import { factsOf, withDetails, type ListedPerson, type PagePerson } from './details.ts'
import type { PostOfAuthor } from './post-store.ts'
import { topicsDigest } from './posts.ts'
import { readKeptPage, type KeptPerson } from './page-store.ts'
import {
  readJudgements,
  readKeptRows,
  readNoted,
  readRescoring,
  type KeptRow,
  type PeopleRescoring,
} from './read-store.ts'
import { mostEngagementsShown } from '../rules/agent-people.ts'
import { compareLeads, signalOrder } from '../rules/signal.ts'
import { viewDigest } from './view-digest.ts'

/** A page of them: `checked` is everybody captured, `enriching` who of them waits, `total` who is listed and passes the filters. */
export type ListedPage = {
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

type Counted = Pick<ListedPage, 'checked' | 'enriching' | 'total'> & {
  readonly rescoring?: PeopleRescoring | undefined
  readonly people: readonly PagePerson[]
  readonly posts: readonly PostOfAuthor[]
}

const shownOf = ({ id, factId, detectedAt, fit, signal, signalReasons, engagements }: AgentPerson): PagePerson => ({
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

/** A person as kept, as the list shows them. */
function listedOf(person: KeptPerson): ListedPerson {
  const { id, detectedAt, engagementCount, postText, judged, signal, said } = person
  return {
    id,
    detectedAt,
    engagementCount,
    postText,
    facts: factsOf(person),
    fit: judged.fit,
    signal: signalOrder[signal]!,
    signalReasons: judged.signalReasons,
    engagements: judged.engagements.map((one, place) => {
      const line = said[place] ?? null
      if (line === null) return { ...one, posterTopic: null, said: null }
      const [engagementType, reaction, isReply, commentText, postUrl, createdAt, posterTopic] = line
      const detail = { engagementType, reaction, isReply, commentText, postUrl, createdAt: new Date(createdAt) }
      return { ...one, posterTopic, said: detail }
    }),
  }
}

async function fromPage(
  db: Reader,
  { agent, view, asked }: { readonly agent: AgentOf; readonly view: AgentView; readonly asked: ListAsked },
): Promise<ListedPage | undefined> {
  const kept = await readKeptPage(db, agent, {
    judgedBy: viewDigest(view),
    topics: topicsDigest(view.profile.topics),
    filter: compileForKept(agent.teamId, view, asked.filters),
    limit: asked.limit,
    offset: asked.offset,
  })
  return kept && { ...kept, people: kept.people.map(listedOf), rescoring: undefined }
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
  const people = page.flatMap((one): PagePerson[] => {
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

/** A page of an agent's people, the best first, as of `now` (service time). */
export async function pageOfAgent(
  db: Reader,
  {
    agent,
    view,
    asked,
    now,
  }: { readonly agent: AgentOf; readonly view: AgentView; readonly asked: ListAsked; readonly now: Date },
): Promise<ListedPage> {
  const kept = await fromPage(db, { agent, view, asked })
  if (kept) return kept
  const { people, posts, rescoring, ...counts } =
    (await fromRows(db, { agent, view, asked })) ?? (await computed(db, { agent, view, asked, now }))
  return { rescoring, ...counts, people: await withDetails(db, { agent, view, people, posts }) }
}
