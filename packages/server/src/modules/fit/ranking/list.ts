/**
 * The list of an agent's people (specification «Agent lead»). While everybody is judged by what the agent looks for now it is read from
 * what is kept of them; else all of them are read and judged anew. Both answer the same; `test/fit/ranking.test.ts` compares them.
 */
import type { FilterRow } from '@les/contract'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { mostEngagementsShown } from '../rules/agent-people.ts'
import { withDetails, type ListedPerson } from './details.ts'
import { compileForKept, filterAgentPeople } from './filter.ts'
import { readKeptPage, readRescoring, type KeptPage, type PeopleRescoring } from './kept-store.ts'
import { rankAgentPeople } from './people.ts'
import type { AgentOf, AgentView } from './people-store.ts'
import type { PostOfAuthor } from './post-store.ts'
import { viewDigest } from './view-digest.ts'

/** A page of them: `checked` is everybody captured, `enriching` who of them waits, `total` who is listed and passes the filters. */
export type ListedPage = Omit<KeptPage, 'people'> & {
  readonly people: readonly ListedPerson[]
  /** While it is computed: how far the background has come. */
  readonly rescoring?: PeopleRescoring | undefined
}

/** What is asked for. */
export type ListAsked = {
  readonly filters: readonly FilterRow<string>[]
  readonly limit: number
  readonly offset: number
}

type Asked = { readonly agent: AgentOf; readonly view: AgentView; readonly asked: ListAsked }

async function computedPage(
  db: Reader,
  { agent, view, asked }: Asked,
): Promise<KeptPage & { readonly posts: readonly PostOfAuthor[]; readonly rescoring: PeopleRescoring | undefined }> {
  const { people, posts, checked, enriching } = await rankAgentPeople(db, agent, view)
  const passing = await filterAgentPeople(db, { teamId: agent.teamId, view, people }, asked.filters)
  const page = passing.slice(asked.offset, asked.offset + asked.limit)
  return {
    people: page.map(({ id, factId, detectedAt, fit, signal, signalReasons, engagements }) => ({
      id,
      factId,
      detectedAt,
      fit,
      signal,
      signalReasons,
      engagementCount: engagements.length,
      engagements: engagements.slice(0, mostEngagementsShown),
    })),
    posts,
    checked,
    enriching,
    total: passing.length,
    rescoring: await readRescoring(db, agent),
  }
}

/** A page of an agent's people, the best first. */
export async function pageOfAgent(db: Reader, { agent, view, asked }: Asked): Promise<ListedPage> {
  const kept = await readKeptPage(db, agent, {
    judgedBy: viewDigest(view),
    filter: compileForKept(agent.teamId, view, asked.filters),
    limit: asked.limit,
    offset: asked.offset,
  })
  const { people, posts, ...totals } = kept ? { ...kept, posts: [] } : await computedPage(db, { agent, view, asked })
  return { ...totals, people: await withDetails(db, { agent, view, people, posts }) }
}
