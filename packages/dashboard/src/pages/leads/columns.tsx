import { engagementNames, enrichmentStates, outcomeNames, sourceKindNames, type Said } from '@les/contract'
import { TextLink } from '../../ui/link.tsx'
import { useSourceNames, type V1Result } from '../../api/index.ts'
import { Avatar, Badge, count, SafeLink, TimeAgo, type Column } from '../../ui/index.ts'
import { ExcludedBadge, ExcludeMenu } from '../exclusions/exclude.tsx'
import { deliveryWords, fitWords } from './states.ts'

export function State({ said }: { said: Said }) {
  return <Badge tone={said.tone}>{said.text}</Badge>
}

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

/** The columns of the grid as the address keeps them, and so the saved views: their order, widths and which stay in view. */

export type ShownColumn = { readonly id: string; readonly width?: number; readonly pinned?: true }

export const widths = { narrow: 120, medium: 200, wide: 320 } as const

const most = 40
const part = /^(!?)([a-z][a-zA-Z]{0,30})(?:~(\d{2,4}))?$/

/** Reads `!person~200,company,fit`: `!` stays in view, `~` is the width. What no column has is left out; nothing at all is undefined. */
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

/** The list with one column moved by some places; the others keep their order. */
export function moveColumn(columns: readonly ShownColumn[], id: string, by: -1 | 1): readonly ShownColumn[] {
  const at = columns.findIndex((column) => column.id === id)
  const to = at + by
  if (at < 0 || to < 0 || to >= columns.length) return columns
  const next = [...columns]
  ;[next[at], next[to]] = [next[to]!, next[at]!]
  return next
}

/** In the order in which they are drawn: those that stay in view first. */
export const drawn = (columns: readonly ShownColumn[]): readonly ShownColumn[] => [
  ...columns.filter(({ pinned }) => pinned),
  ...columns.filter(({ pinned }) => !pinned),
]

export type Lead = V1Result<'listLeads'>['leads'][number]
export type Engager = V1Result<'listEngagers'>['engagers'][number]
export type RawLead = V1Result<'listRawLeads'>['leads'][number]

const company = (row: Lead | Engager) => <Lines first={row.companyName} second={row.companyIndustry} />
const size = (row: Lead | Engager) =>
  row.companyStaffRange ?? (row.companyEmployeeCount === null ? '–' : count(row.companyEmployeeCount))
const atWork = ({ jobTitle, companyName }: Lead | Engager) => [jobTitle, companyName].filter(Boolean).join(' at ')

function FoundBy({ lead }: { lead: Lead }) {
  const { nameOf } = useSourceNames()
  return <Lines first={nameOf(lead.sourceId, lead.sourceLabel)} second={sourceKindNames[lead.sourceKind]} />
}

/** Of somebody who is excluded the status stays as it was: what has gone is still said to have gone. */
function Delivery({ lead: { excluded, webhookStatus } }: { lead: Lead }) {
  if (excluded !== null && webhookStatus !== 'sent') return <ExcludedBadge excluded={excluded} />
  return <State said={deliveryWords[webhookStatus]} />
}

/** The last column of lists of people, whatever others are chosen. */
export const excludeColumn: Column<Lead | Engager> = {
  id: 'exclude',
  header: 'Exclude',
  hideHeader: true,
  width: '44px',
  wide: true,
  cell: (row) => <ExcludeMenu person={row} inRow />,
}

/** All columns of leads; which are shown is the reader's choice. */
export const leadColumns: readonly Column<Lead>[] = [
  {
    id: 'person',
    sortKey: 'name',
    header: 'Person',
    width: 'minmax(190px, 2fr)',
    cell: (row) => <Person name={row.name} avatarUrl={row.avatarUrl} line={row.jobTitle ?? row.headline} />,
  },
  { id: 'company', sortKey: 'company', header: 'Company', width: 'minmax(140px, 1.3fr)', wide: true, cell: company },
  {
    id: 'engagement',
    sortKey: 'engagement',
    header: 'Engagement',
    width: 'minmax(130px, 1.5fr)',
    wide: true,
    cell: (row) => <Lines first={engagementNames[row.engagementType]} second={row.commentText} />,
  },
  {
    id: 'source',
    header: 'Source',
    width: 'minmax(110px, 1fr)',
    wide: true,
    cell: (row) => <FoundBy lead={row} />,
  },
  { id: 'fit', sortKey: 'fit', header: 'Fit', width: '108px', cell: (row) => <State said={fitWords(row.isIcp)} /> },
  {
    id: 'delivery',
    header: 'Webhook',
    width: '112px',
    wide: true,
    cell: (row) => <Delivery lead={row} />,
  },
  {
    id: 'result',
    header: 'Result',
    width: '104px',
    wide: true,
    cell: ({ results: { last } }) => (last === null ? '–' : <State said={outcomeNames[last]} />),
  },
  {
    id: 'captured',
    sortKey: 'captured',
    header: 'Captured',
    width: '118px',
    wide: true,
    cell: (row) => <TimeAgo at={row.createdAt} />,
  },
  { id: 'country', header: 'Country', width: '120px', wide: true, cell: (row) => row.country ?? '–' },
  {
    id: 'headline',
    header: 'Headline',
    width: 'minmax(160px, 1.5fr)',
    wide: true,
    cell: (row) => <span data-tip={row.headline ?? undefined}>{row.headline ?? '–'}</span>,
  },
  {
    id: 'domain',
    header: 'Website',
    width: '150px',
    wide: true,
    cell: (row) =>
      row.companyDomain === null ? (
        '–'
      ) : (
        <SafeLink href={row.companyUrl} icon={false}>
          {row.companyDomain}
        </SafeLink>
      ),
  },
  { id: 'size', header: 'Company size', width: '110px', wide: true, cell: size },
  { id: 'headquarters', header: 'Headquarters', width: '150px', wide: true, cell: (row) => row.companyLocation ?? '–' },
  {
    id: 'enrichment',
    header: 'Details',
    width: '150px',
    wide: true,
    cell: (row) => <State said={enrichmentStates[row.enrichmentStatus]} />,
  },
  {
    id: 'post',
    header: 'Post',
    width: '100px',
    wide: true,
    cell: (row) => (row.postUrl === null ? '–' : <SafeLink href={row.postUrl}>Open</SafeLink>),
  },
  {
    id: 'profile',
    header: 'Profile',
    width: '100px',
    wide: true,
    cell: (row) => <SafeLink href={row.linkedinUrl}>Open</SafeLink>,
  },
]

/** The columns of leads that are shown until the reader chooses. */
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
  {
    id: 'person',
    header: 'Person',
    width: 'minmax(190px, 2fr)',
    cell: (row) => <Person name={row.name} avatarUrl={row.avatarUrl} line={atWork(row)} />,
  },
  { id: 'company', header: 'Company', width: 'minmax(140px, 1.3fr)', wide: true, cell: company },
  { id: 'country', header: 'Country', width: '124px', wide: true, cell: (row) => row.country ?? '–' },
  { id: 'times', header: 'Engagements', width: '100px', align: 'end', cell: (row) => count(row.engagementCount) },
  {
    id: 'types',
    header: 'Latest',
    width: 'minmax(110px, 1.2fr)',
    wide: true,
    cell: (row) => row.engagementTypes.map((type) => engagementNames[type]).join(', '),
  },
  {
    id: 'sources',
    header: 'Sources',
    width: '76px',
    align: 'end',
    wide: true,
    cell: (row) => count(row.sourceIds.length),
  },
  { id: 'fit', header: 'Fit', width: '108px', wide: true, cell: (row) => <State said={fitWords(row.isIcp)} /> },
  {
    id: 'excluded',
    header: 'Excluded',
    width: '106px',
    wide: true,
    cell: (row) => (row.excluded === null ? '–' : <ExcludedBadge excluded={row.excluded} />),
  },
  { id: 'last', header: 'Last seen', width: '118px', wide: true, cell: (row) => <TimeAgo at={row.lastEngagedAt} /> },
  excludeColumn,
]

/** The columns of raw leads; `nameOf` says what a source is called. */
export const rawColumns = ({ nameOf }: { nameOf: (id: string) => string }): readonly Column<RawLead>[] => [
  {
    id: 'person',
    header: 'Person',
    width: 'minmax(180px, 1.5fr)',
    cell: (row) => <Person name={row.name ?? 'Only an id is known'} line={row.commentText} />,
  },
  { id: 'action', header: 'Engagement', width: '130px', cell: (row) => engagementNames[row.action] },
  {
    id: 'source',
    header: 'Source',
    width: 'minmax(140px, 1fr)',
    wide: true,
    cell: (row) => (row.sourceId === null ? '–' : <SourceLink id={row.sourceId} label={nameOf(row.sourceId)} />),
  },
  {
    id: 'profile',
    header: 'Profile',
    width: '90px',
    wide: true,
    cell: (row) => <SafeLink href={row.linkedinUrl}>Open</SafeLink>,
  },
  {
    id: 'post',
    header: 'Post',
    width: '90px',
    wide: true,
    cell: (row) => (row.post.url === null ? '–' : <SafeLink href={row.post.url}>Open</SafeLink>),
  },
  { id: 'detected', header: 'Found', width: '120px', wide: true, cell: (row) => <TimeAgo at={row.detectedAt} /> },
]
