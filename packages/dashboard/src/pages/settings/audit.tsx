import type { AnySessionOperation, OperationId, OperationOf, SessionOperationId } from '@les/contract'
import { Link } from '@tanstack/react-router'
import { Fragment, useMemo } from 'react'
import { useRead, useReadPages, useSourceNames, type ResultOf } from '../../api/index.ts'
import { column, type Column } from '../../ui/columns.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { Badge } from '../../ui/show.tsx'
import { CodeBlock, TimeAgo } from '../../ui/text.tsx'

type Place =
  | { readonly to: '/sources/$id' | '/keyword/$id' | '/discover/$id'; readonly id: string }
  | { readonly to: '/agent' | '/outreach' | '/webhooks' | '/leads' | '/exclusions' }
  | { readonly to: '/settings'; readonly tab: 'team' | 'members' | 'keys' | 'credentials' | 'secret' }

/** A part of a sentence: words, or a thing with a link to it. */
type Part = string | { readonly name: string; readonly place?: Place }

export type Told = {
  readonly operation: string
  readonly target: string | null
  readonly details: Readonly<Record<string, unknown>>
}

export type Known = {
  readonly source: (
    idOrHandle: string,
  ) => { readonly id: string; readonly label: string; readonly type: string } | undefined
  readonly member: (userId: string) => string | undefined
}

type Writing<Operation> = Operation extends { readonly method: 'GET' }
  ? never
  : Operation extends { readonly id: infer Id }
    ? Id
    : never

type Change =
  | Extract<Writing<{ [Id in OperationId]: OperationOf<Id> }[OperationId]>, OperationId>
  | Extract<Writing<AnySessionOperation>, SessionOperationId>

type Sentence = (told: Told, known: Known) => readonly Part[]

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

function leadsIn({ details }: Told): string {
  const ids = details.leadIds
  if (!Array.isArray(ids)) return details.icpOnly === true ? 'all leads that fit' : 'all leads'
  const more = /^… (\d+) more$/.exec(String(ids.at(-1) ?? ''))
  return counted(more ? ids.length - 1 + Number(more[1]) : ids.length, 'lead')
}

function exclusionsIn({ entries }: Told['details']): string | undefined {
  if (!Array.isArray(entries)) return undefined
  const [first] = entries as readonly { readonly value?: unknown }[]
  return entries.length === 1 ? text(first?.value) : `${entries.length} entries`
}

function source({ target, details }: Told, known: Known): Part {
  const named = target ?? text(details.username) ?? text(details.sourceId)
  const found =
    (named === undefined ? undefined : known.source(named)) ??
    (text(details.username) === undefined ? undefined : known.source(details.username as string))
  if (found)
    return {
      name: found.label,
      place: { to: found.type === 'keyword' ? '/keyword/$id' : '/sources/$id', id: found.id },
    }
  return text(details.name) ?? text(details.username) ?? text(details.postUrl) ?? 'a source that is gone'
}

type Tab = Extract<Place, { readonly tab: unknown }>['tab']

const says =
  (...words: Part[]): Sentence =>
  () =>
    words
const about =
  (before: string): Sentence =>
  (told, known) => [before, source(told, known)]
const each = <Id extends Change>(ids: readonly Id[], sentence: Sentence) =>
  Object.fromEntries(ids.map((id) => [id, sentence])) as Readonly<Record<Id, Sentence>>
const at = (name: string, to: Exclude<Place, { readonly id: string } | { readonly tab: Tab }>['to']): Part => ({
  name,
  place: { to },
})
const under = (tab: Tab, name: string): Part => ({ name, place: { to: '/settings', tab } })
const agent = at('an agent', '/agent')
const member = ({ target }: Told, known: Known): Part =>
  under('members', (target === null ? undefined : known.member(target)) ?? 'somebody who has left')

/** A sentence for every operation that changes something; a missing one does not compile. */
const sentences: Readonly<Record<Change, Sentence>> = {
  ...each(['enrichProfile', 'enrichCompany'], (told, known) => [
    told.details.saveTrackedProfile === true ? 'tracked' : 'looked up',
    source(told, known),
  ]),
  trackPost: about('tracked'),
  trackKeyword: about('started the keyword search'),
  startSourceSync: about('synced'),
  disputeCharge: () => ['disputed a charge'],
  addExclusions: ({ details }) => ['excluded', at(exclusionsIn(details) ?? 'somebody', '/exclusions')],
  removeExclusion: ({ details }) => ['no longer excludes', at(text(details.value) ?? 'somebody', '/exclusions')],
  updateExclusionSettings: says('changed the settings of the', at('exclusions', '/exclusions')),
  ...each(
    ['updateProfileWebhook', 'updateCompanyWebhook', 'updateSourceWebhook', 'updateKeywordWebhook'],
    (told, known) => [
      told.details.webhookUrl === null ? 'took the webhook from' : 'set the webhook of',
      source(told, known),
    ],
  ),
  ...each(['editProfile', 'editCompany', 'editKeyword'], about('changed the settings of')),
  ...each(['untrackProfile', 'untrackCompany', 'untrackPost'], about('stopped tracking')),
  untrackKeyword: about('stopped the keyword search'),
  ...each(['updateProfileIcp', 'updateCompanyIcp', 'updateSourceIcp', 'updateKeywordIcp'], about('said who fits for')),
  ...each(['pushProfile', 'pushCompany', 'pushSource', 'pushKeyword'], (told, known) => [
    'sent',
    leadsIn(told),
    'of',
    source(told, known),
    'to its webhook',
  ]),
  estimateKeyword: says('estimated a keyword search'),
  ...each(['fetchProfilePosts', 'fetchCompanyPosts'], about('read the posts of')),
  fetchPostReactions: says('read the reactions to a post'),
  fetchPostComments: says('read the comments on a post'),
  fetchCompanyPostComments: says('read the comments on a post of a company'),
  startDiscover: ({ target, details }) => {
    const name = Array.isArray(details.keywords) ? details.keywords.join(', ') : 'a topic'
    return [
      'started a Discover run about',
      target === null ? name : { name, place: { to: '/discover/$id', id: target } },
    ]
  },
  deleteDiscoverRun: says('deleted a Discover run'),
  recordResults: says('recorded what came of leads'),
  rotateResultsSecret: says('replaced the address for results of outreach'),
  sendLeads: (told) => {
    const { people } = told.details
    const who = Array.isArray(people) ? counted(people.length, 'person').replace('persons', 'people') : leadsIn(told)
    return ['sent', who, 'to', at('a campaign', '/outreach')]
  },
  updateSourceOutreach: (told, known) => [
    told.details.campaignId === null ? 'ended the outreach rule of' : 'set the outreach rule of',
    source(told, known),
  ],
  updateAgent: ({ details }) => [details.create === true ? 'made' : 'changed', agent],
  startAgent: says('started', agent),
  stopAgent: says('stopped', agent),
  pushAgent: (told) => ['sent', leadsIn(told), 'of', agent, 'to its webhook'],
  createHook: says('subscribed an address to events'),
  deleteHook: says('ended the subscription of an address'),
  createDestination: ({ details }) => ['added the destination', text(details.name) ?? ''],
  updateDestination: says('changed a destination'),
  deleteDestination: says('deleted a destination'),
  testDestination: says('sent a sample to a destination'),
  checkDestination: says('checked a destination'),
  pushDestination: (told) => ['sent', leadsIn(told), 'to a destination'],
  retryDestinationDelivery: says('sent a delivery to a destination again'),
  createExport: says('made a file of leads'),
  createKey: ({ details }) => ['made the API key', under('keys', text(details.name) ?? 'without a name')],
  createErasure: says('erased', 'a person'),
  createObjection: says('stopped', 'every delivery of a person'),
  revokeKey: says('revoked', under('keys', 'an API key')),
  createTeam: ({ details }) => ['made the team', text(details.name) ?? ''],
  readInvitation: says('read an invitation'),
  openSampleTeam: says('opened the sample team'),
  acceptInvitation: says('joined the team'),
  inviteMember: ({ details }) => [
    'invited',
    under('members', text(details.email) ?? 'somebody'),
    `as ${text(details.role) ?? 'member'}`,
  ],
  cancelInvitation: says('took an invitation back'),
  changeMemberRole: (told, known) => [
    'made',
    member(told, known),
    `${text(told.details.role) ?? 'member'} of the team`,
  ],
  removeMember: (told, known) => ['removed', member(told, known), 'from the team'],
  leaveTeam: says('left the team'),
  revokeConnection: says('disconnected an app'),
  createDeviceKey: ({ details }) => ['signed in a command line as', text(details.name) ?? 'a device'],
  closeTeam: says('closed the team'),
  updateRetention: says('set how long leads are kept'),
  renameTeam: ({ details }) => ['renamed the team to', under('team', text(details.name) ?? '')],
  putCredential: ({ target }) => ['stored the key of', target ?? 'another service'],
  deleteCredential: ({ target }) => ['removed the key of', target ?? 'another service'],
  rotateSecret: says('made', under('secret', 'a new webhook secret')),
  saveView: ({ details }) => ['saved the view', text(details.name) ?? 'without a name'],
  deleteView: says('deleted a view'),
  compareCriteria: says('compared criteria'),
  parseExpression: says('read an expression'),
  backtestKeyword: says('tried a search out'),
  replayDelivery: says('sent', at('a delivery', '/webhooks'), 'again'),
  replayDeliveries: says('sent', at('deliveries', '/webhooks'), 'again'),
  sendTestEvent: about('sent a test event to the webhook of'),
  debugSignature: says('checked a signature'),
  previewSend: says('looked at a send'),
  planSend: ({ details: { goes } }) => [
    'planned to send',
    at(typeof goes === 'number' ? counted(goes, 'lead') : 'leads', '/leads'),
  ],
  cancelSend: says('undid a send before it began'),
  quoteCapture: says('asked what an act costs'),
  saveDefaults: ({ target }) => ['saved the defaults of', target ?? 'the team'],
  previewDefaults: says('looked at what the defaults change'),
  applyDefaults: ({ details: { sources } }) => [
    'applied the defaults to',
    Array.isArray(sources) ? counted(sources.length, 'source') : 'sources',
  ],
  retryPoisonWork: says('tried work that failed again'),
}

/** What an entry says after the name of its author; an unknown operation, of a later release, by its id. */
export function sentenceOf(told: Told, known: Known): readonly Part[] {
  const sentence = (sentences as Readonly<Record<string, Sentence | undefined>>)[told.operation]
  return sentence?.(told, known) ?? [`did “${told.operation}”`]
}

type Page = ResultOf<'listAudit'>
type Entry = Page['entries'][number]

const actors: Readonly<Record<Entry['actor']['kind'], string>> = {
  user: 'person',
  key: 'API key',
  operator: 'operator',
}

const link = 'rounded font-medium text-accent-text underline underline-offset-2'

function Named({ name, place }: { name: string; place?: Place | undefined }) {
  if (place === undefined) return <span className="font-medium">{name}</span>
  if ('id' in place)
    return (
      <Link to={place.to} params={{ id: place.id }} className={link}>
        {name}
      </Link>
    )
  return (
    <Link to={place.to} search={'tab' in place ? { tab: place.tab } : {}} className={link}>
      {name}
    </Link>
  )
}

const columnsOf = (known: Known): readonly Column<Entry>[] => [
  column('What happened', { phone: 'whole' }, (row) => (
    <div className="flex min-w-40 flex-col gap-1">
      <p className="break-words">
        <span className="font-medium">{row.actor.name}</span>{' '}
        {sentenceOf(row, known).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence stay where they are.
          <Fragment key={at}>{typeof part === 'string' ? part : <Named {...part} />} </Fragment>
        ))}
      </p>
      {Object.keys(row.details).length === 0 ? null : (
        <details>
          <summary className="w-fit rounded text-[0.8125rem] text-muted">What was sent</summary>
          <div className="mt-1 max-w-xl">
            <CodeBlock
              label="What was sent, without secrets"
              code={JSON.stringify(row.details, null, 2)}
              maxHeight={240}
            />
          </div>
        </details>
      )}
    </div>
  )),
  column('By', { width: '7rem' }, (row) => <Badge>{actors[row.actor.kind]}</Badge>),
  column('When', { width: '9rem' }, (row) => <TimeAgo at={row.at} />),
]

function useKnown(): Known {
  const { sources } = useSourceNames()
  const members = useRead('listMembers', {}, { staleTime: 60_000 })
  return useMemo(() => {
    const named = new Map(sources.flatMap((each) => [[each.username, each] as const, [each.id, each] as const]))
    const people = new Map(members.data?.members.map(({ userId, email }) => [userId, email]))
    return { source: (name) => named.get(name), member: (id) => people.get(id) }
  }, [sources, members.data])
}

export function AuditTab() {
  const known = useKnown()
  const columns = useMemo(() => columnsOf(known), [known])
  const query = useReadPages('listAudit', {})
  return (
    <ListCard
      title="Audit log"
      text="Every change to the team, newest first. Secrets are never kept here."
      query={query}
      more="Show older changes"
      label="Audit log"
      columns={columns}
      rows={query.data?.pages.flatMap((page) => page.entries) ?? []}
      empty={{ title: 'No changes yet', text: 'What members, keys and operators change is listed here.' }}
    />
  )
}
