/** What a list shows of people who were judged as they were read: the rows of theirs, the text of a post, who wrote the posts. */
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import {
  listDetails,
  listSaid,
  type AgentOf,
  type AgentView,
  type FactDetail,
  type SaidDetail,
} from './people-store.ts'
import { listTexts, type PostOfAuthor } from './post-store.ts'
import { judgePosters } from './posts.ts'
import type { JudgedEngagement, JudgedPerson } from '../rules/agent-people.ts'

/** An engagement as a list shows it; `said` is null when its row went between two looks. */
export type ListedEngagement = JudgedEngagement & {
  readonly posterTopic: string | null
  readonly said: SaidDetail | null
}

/** A person as a list shows them; `engagements` are the newest, `engagementCount` is all of them. */
export type ListedPerson = Pick<JudgedPerson, 'fit' | 'signal' | 'signalReasons'> & {
  readonly id: string
  readonly detectedAt: Date
  readonly engagementCount: number
  readonly facts: FactDetail
  /** Of the newest engagement. */
  readonly postText: string | null
  readonly engagements: readonly ListedEngagement[]
}

/** A person of a page without what only the page shows. */
export type PagePerson = Omit<ListedPerson, 'facts' | 'postText' | 'engagements'> & {
  readonly factId: string | null
  readonly engagements: readonly JudgedEngagement[]
}

/** What a list shows of a row of a person. */
export const factsOf = (row: FactDetail): FactDetail => ({
  name: row.name,
  linkedinUrl: row.linkedinUrl,
  avatarUrl: row.avatarUrl,
  jobTitle: row.jobTitle,
  country: row.country,
  companyName: row.companyName,
  companyDomain: row.companyDomain,
  companyIndustry: row.companyIndustry,
  companyEnrichedAt: row.companyEnrichedAt,
  companyUrl: row.companyUrl,
  companyLinkedinUrl: row.companyLinkedinUrl,
  companyDescription: row.companyDescription,
  companyLocation: row.companyLocation,
  companyEmployeeCount: row.companyEmployeeCount,
  companyStaffRange: row.companyStaffRange,
})

/** Reads it for the people of a page; who is gone is left out. `posts` are those of theirs that were judged just now. */
export async function withDetails(
  db: Reader,
  {
    agent,
    view,
    people,
    posts,
  }: {
    readonly agent: AgentOf
    readonly view: AgentView
    readonly people: readonly PagePerson[]
    readonly posts: readonly PostOfAuthor[]
  },
): Promise<ListedPerson[]> {
  const ids = people.flatMap(({ id, factId }) => [id, factId ?? id])
  const shown = people.flatMap(({ engagements }) => engagements.map((one) => one.leadId))
  const first = people.flatMap((person) => person.engagements[0]?.postUrn ?? [])
  const urns = people.flatMap((person) => person.engagements.flatMap((one) => one.postUrn ?? []))
  const [details, said, texts, posterOf] = await Promise.all([
    listDetails(db, agent.teamId, [...new Set(ids)]),
    listSaid(db, agent.teamId, [...new Set(shown)]),
    listTexts(db, agent.teamId, [...new Set(first)]),
    judgePosters(db, { agent, urns: [...new Set(urns)], topics: view.profile.topics, atHand: posts }),
  ])
  return people.flatMap(({ factId, engagements, ...person }): ListedPerson[] => {
    const newest = details.get(person.id)
    if (!newest) return []
    const facts = (factId === null ? undefined : details.get(factId)) ?? newest
    const postUrn = engagements[0]?.postUrn ?? null
    return [
      {
        ...person,
        facts: { ...factsOf(facts), name: facts.name ?? newest.name, avatarUrl: facts.avatarUrl ?? newest.avatarUrl },
        postText: postUrn === null ? null : (texts.get(postUrn) ?? null),
        engagements: engagements.map((one) => ({
          ...one,
          posterTopic: posterOf(one.postUrn),
          said: said.get(one.leadId) ?? null,
        })),
      },
    ]
  })
}
