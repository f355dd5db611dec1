/** Which topics changed for a team between two looks: a page reloads what it shows of them. */
import { operationsById, sessionRegistry, type SessionOperation, type Tag } from '@les/contract'

export const topics = [
  'leads',
  'sources',
  'syncs',
  'keywords',
  'credits',
  'deliveries',
  'discover',
  'agent',
  'outreach',
  'people',
  'settings',
] as const

type Topic = (typeof topics)[number]

export type AuditedChange = { readonly id: string; readonly operation: string }

/** A look at a team: marks, each of which differs once something changed, and the newest changes people made. */
export type ChangeMarks = {
  readonly marks: Readonly<Record<Mark, string>>
  readonly written: readonly AuditedChange[]
  readonly hasAgent: boolean
}

const touched = {
  leads: ['leads', 'sources'],
  sources: ['sources', 'syncs'],
  searches: ['keywords'],
  syncs: ['syncs', 'sources'],
  searching: ['syncs', 'sources', 'keywords'],
  credits: ['credits'],
  deliveries: ['deliveries', 'leads'],
  destinations: ['deliveries'],
  results: ['leads', 'outreach'],
  endpoints: ['deliveries', 'sources'],
  discover: ['discover'],
  agent: ['agent'],
  outreach: ['outreach', 'leads'],
} as const satisfies Record<string, readonly Topic[]>

export type Mark = keyof typeof touched

export const markNames = Object.keys(touched) as readonly Mark[]

const ofTag: Record<Tag, readonly Topic[]> = {
  enrich: ['sources', 'syncs', 'leads'],
  sources: ['sources', 'syncs'],
  posts: ['sources', 'syncs'],
  keywords: ['keywords', 'sources', 'syncs'],
  leads: ['leads'],
  exclusions: ['leads'],
  discover: ['discover'],
  agent: ['agent'],
  outreach: ['outreach'],
  destinations: ['deliveries'],
  privacy: ['leads', 'sources', 'deliveries'],
  results: ['leads', 'outreach'],
  account: ['settings'],
  jobs: [],
}

const tags = new Map<string, Tag>(Object.values(operationsById).map(({ id, tag }) => [id, tag]))
const groups = new Map<string, Topic>(
  // Operators' actions belong to no team, and their page reloads by itself.
  (sessionRegistry as readonly SessionOperation[]).flatMap(({ id, group }) =>
    group === 'operator' ? [] : [[id, group] as const],
  ),
)

/** The topics an operation touches; always the settings, which show the log of changes. */
export function topicsOfOperation(operation: string): readonly Topic[] {
  const [tag, group] = [tags.get(operation), groups.get(operation)]
  return [
    'settings',
    ...(tag ? ofTag[tag] : []),
    ...(group ? [group] : []),
    ...(/webhook|push/i.test(operation) ? (['deliveries', 'sources'] as const) : []),
    ...(/icp/i.test(operation) ? (['leads'] as const) : []),
  ]
}

/** The topics that changed, in their order. */
export function topicsBetween(before: ChangeMarks, now: ChangeMarks): readonly Topic[] {
  const moved = markNames
    .filter((name) => before.marks[name] !== now.marks[name])
    .flatMap((name): readonly Topic[] => touched[name])
  const known = new Set(before.written.map(({ id }) => id))
  const written = now.written
    .filter(({ id }) => !known.has(id))
    .flatMap(({ operation }) => topicsOfOperation(operation))
  const changed = new Set<Topic>([...moved, ...written])
  // An agent ranks the leads, so its list changes with them.
  if (now.hasAgent && changed.has('leads')) changed.add('agent')
  return topics.filter((topic) => changed.has(topic))
}
