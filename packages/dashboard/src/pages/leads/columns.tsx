import { engagementNames, enrichmentStates, outcomeNames, sourceKindNames } from '@les/contract'
import { useSourceNames, type ResultOf } from '../../api/index.ts'
import { column, type Column } from '../../ui/columns.tsx'
import { count } from '../../ui/format.ts'
import { TextLink } from '../../ui/link.tsx'
import { SaidBadge } from '../../ui/show.tsx'
import { Avatar, SafeLink, TimeAgo } from '../../ui/text.tsx'
import { ExcludedBadge, ExcludeMenu } from '../exclusions/exclude.tsx'
import { deliveryWords, fitWords } from './filters.ts'

function Person({ name, avatarUrl, line }: { name: string | null; avatarUrl?: string | null; line: string | null }) {
  return (
    <span className="flex items-center gap-2.5">
      <Avatar src={avatarUrl ?? null} name={name ?? '?'} size={24} />
      <span className="min-w-0 truncate" data-tip={[name, line].filter(Boolean).join('\n')}>
        <span className="font-medium">{name ?? 'Name not known yet'}</span>
        {line !== null && line !== '' && <span className="text-[0.8125rem] text-muted"> {line}</span>}
      </span>
    </span>
  )
}

function Lines({ first, second }: { first: string | null; second?: string | null | undefined }) {
  if (!first && !second) return <span className="text-muted">–</span>
  return (
    <span className="block min-w-0 truncate" data-tip={[first, second].filter(Boolean).join('\n')}>
      {first || second}
      {first && second && <span className="text-[0.8125rem] text-muted"> {second}</span>}
    </span>
  )
}

export function SourceLink({ id, label }: { id: string | null; label: string | null }) {
  const name = label ?? 'Unnamed'
  if (id === null) return <span className="truncate">{name}</span>
  return (
    <TextLink to="/sources/$id" params={{ id }} className="truncate">
      {name}
    </TextLink>
  )
}

export type ShownColumn = { readonly id: string; readonly width?: number; readonly pinned?: true }

export const widths = { narrow: 120, medium: 200, wide: 320 } as const

const most = 40
const part = /^(!?)([a-z][a-zA-Z]{0,30})(?:~(\d{2,4}))?$/

/**
 * Reads columns such as `!person~200,company` (`!` pins, `~` is the width), skipping unknown ones; undefined when none is left.
 */
export function readColumns(text: string | undefined, known: readonly string[]): readonly ShownColumn[] | undefined {
  if (text === undefined) return undefined
  const seen = new Set<string>()
  const columns = text.split(',', most).flatMap((each): ShownColumn[] => {
    const match = part.exec(each)
    const id = match?.[2]
    if (!match || id === undefined || !known.includes(id) || seen.has(id)) return []
    seen.add(id)
    const width = match[3] === undefined ? undefined : Math.min(600, Math.max(60, Number(match[3])))
    return [{ id, ...(width === undefined ? {} : { width }), ...(match[1] === '!' ? { pinned: true as const } : {}) }]
  })
  return columns.length === 0 ? undefined : columns
}

export const writeColumns = (columns: readonly ShownColumn[]): string =>
  columns.map(({ id, width, pinned }) => `${pinned ? '!' : ''}${id}${width === undefined ? '' : `~${width}`}`).join(',')

export function moveColumn(columns: readonly ShownColumn[], id: string, by: -1 | 1): readonly ShownColumn[] {
  const at = columns.findIndex((column) => column.id === id)
  const to = at + by
  if (at < 0 || to < 0 || to >= columns.length) return columns
  const next = [...columns]
  ;[next[at], next[to]] = [next[to]!, next[at]!]
  return next
}

export const drawn = (columns: readonly ShownColumn[]): readonly ShownColumn[] => [
  ...columns.filter(({ pinned }) => pinned),
  ...columns.filter(({ pinned }) => !pinned),
]

export type Lead = ResultOf<'listLeads'>['leads'][number]
export type Engager = ResultOf<'listEngagers'>['engagers'][number]
export type RawLead = ResultOf<'listRawLeads'>['leads'][number]

const company = (row: Lead | Engager) => <Lines first={row.companyName} second={row.companyIndustry} />
const size = (row: Lead | Engager) =>
  row.companyStaffRange ?? (row.companyEmployeeCount === null ? '–' : count(row.companyEmployeeCount))
const atWork = ({ jobTitle, companyName }: Lead | Engager) => [jobTitle, companyName].filter(Boolean).join(' at ')

function FoundBy({ lead }: { lead: Lead }) {
  const { nameOf } = useSourceNames()
  return <Lines first={nameOf(lead.sourceId, lead.sourceLabel)} second={sourceKindNames[lead.sourceKind]} />
}

/** The delivery state. An excluded lead that was sent still shows as sent. */
function Delivery({ lead: { excluded, webhookStatus } }: { lead: Lead }) {
  if (excluded !== null && webhookStatus !== 'sent') return <ExcludedBadge excluded={excluded} />
  return <SaidBadge said={deliveryWords[webhookStatus]} />
}

export const excludeColumn: Column<Lead | Engager> = column(
  'Exclude',
  { width: '44px', id: 'exclude', hideHeader: true, wide: true },
  (row) => <ExcludeMenu person={row} inRow />,
)

const open = (address: string | null) => (address === null ? '–' : <SafeLink href={address}>Open</SafeLink>)

/** All columns of leads, of which the reader chooses. */
export const leadColumns: readonly Column<Lead>[] = [
  column('Person', { width: 'minmax(190px, 2fr)', id: 'person', sortKey: 'name' }, (row) => (
    <Person name={row.name} avatarUrl={row.avatarUrl} line={row.jobTitle ?? row.headline} />
  )),
  column('Company', { width: 'minmax(140px, 1.3fr)', id: 'company', sortKey: 'company', wide: true }, company),
  column(
    'Engagement',
    { width: 'minmax(130px, 1.5fr)', id: 'engagement', sortKey: 'engagement', wide: true },
    (row) => <Lines first={engagementNames[row.engagementType]} second={row.commentText} />,
  ),
  column('Source', { width: 'minmax(110px, 1fr)', id: 'source', wide: true }, (row) => <FoundBy lead={row} />),
  column('Fit', { width: '108px', id: 'fit', sortKey: 'fit' }, (row) => <SaidBadge said={fitWords(row.isIcp)} />),
  column('Webhook', { width: '112px', id: 'delivery', wide: true }, (row) => <Delivery lead={row} />),
  column('Result', { width: '104px', id: 'result', wide: true }, ({ results: { last } }) =>
    last === null ? '–' : <SaidBadge said={outcomeNames[last]} />,
  ),
  column('Captured', { width: '118px', id: 'captured', sortKey: 'captured', wide: true }, (row) => (
    <TimeAgo at={row.createdAt} />
  )),
  column('Country', { width: '120px', id: 'country', wide: true }, (row) => row.country ?? '–'),
  column('Headline', { width: 'minmax(160px, 1.5fr)', id: 'headline', wide: true }, (row) => (
    <span data-tip={row.headline ?? undefined}>{row.headline ?? '–'}</span>
  )),
  column('Website', { width: '150px', id: 'domain', wide: true }, (row) =>
    row.companyDomain === null ? (
      '–'
    ) : (
      <SafeLink href={row.companyUrl} icon={false}>
        {row.companyDomain}
      </SafeLink>
    ),
  ),
  column('Company size', { width: '110px', id: 'size', wide: true }, size),
  column('Headquarters', { width: '150px', id: 'headquarters', wide: true }, (row) => row.companyLocation ?? '–'),
  column('Details', { width: '150px', id: 'enrichment', wide: true }, (row) => (
    <SaidBadge said={enrichmentStates[row.enrichmentStatus]} />
  )),
  column('Post', { width: '100px', id: 'post', wide: true }, (row) => open(row.postUrl)),
  column('Profile', { width: '100px', id: 'profile', wide: true }, (row) => open(row.linkedinUrl)),
]

export const usualColumns: readonly string[] = [
  'person',
  'company',
  'engagement',
  'source',
  'fit',
  'delivery',
  'result',
  'captured',
]

export const engagerColumns: readonly Column<Engager>[] = [
  column('Person', { width: 'minmax(190px, 2fr)', id: 'person' }, (row) => (
    <Person name={row.name} avatarUrl={row.avatarUrl} line={atWork(row)} />
  )),
  column('Company', { width: 'minmax(140px, 1.3fr)', id: 'company', wide: true }, company),
  column('Country', { width: '124px', id: 'country', wide: true }, (row) => row.country ?? '–'),
  column('Engagements', { width: '100px', id: 'times', align: 'end' }, (row) => count(row.engagementCount)),
  column('Latest', { width: 'minmax(110px, 1.2fr)', id: 'types', wide: true }, (row) =>
    row.engagementTypes.map((type) => engagementNames[type]).join(', '),
  ),
  column('Sources', { width: '76px', id: 'sources', align: 'end', wide: true }, (row) => count(row.sourceIds.length)),
  column('Fit', { width: '108px', id: 'fit', wide: true }, (row) => <SaidBadge said={fitWords(row.isIcp)} />),
  column('Excluded', { width: '106px', id: 'excluded', wide: true }, (row) =>
    row.excluded === null ? '–' : <ExcludedBadge excluded={row.excluded} />,
  ),
  column('Last seen', { width: '118px', id: 'last', wide: true }, (row) => <TimeAgo at={row.lastEngagedAt} />),
  excludeColumn,
]

/** The columns of raw leads; `nameOf` names a source. */
export const rawColumns = ({ nameOf }: { nameOf: (id: string) => string }): readonly Column<RawLead>[] => [
  column('Person', { width: 'minmax(180px, 1.5fr)', id: 'person' }, (row) => (
    <Person name={row.name ?? 'Only an id is known'} line={row.commentText} />
  )),
  column('Engagement', { width: '130px', id: 'action' }, (row) => engagementNames[row.action]),
  column('Source', { width: 'minmax(140px, 1fr)', id: 'source', wide: true }, (row) =>
    row.sourceId === null ? '–' : <SourceLink id={row.sourceId} label={nameOf(row.sourceId)} />,
  ),
  column('Profile', { width: '90px', id: 'profile', wide: true }, (row) => open(row.linkedinUrl)),
  column('Post', { width: '90px', id: 'post', wide: true }, (row) => open(row.post.url)),
  column('Found', { width: '120px', id: 'detected', wide: true }, (row) => <TimeAgo at={row.detectedAt} />),
]
