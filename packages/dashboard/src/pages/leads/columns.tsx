import type { ReactNode } from 'react'
import { count, SafeLink, TimeAgo, type Column } from '../../ui/index.ts'
import { useSourceNames } from '../../api/index.ts'
import type { V1Result } from '../../api/types.ts'
import { Lines, Person, SourceLink, State } from './cells.tsx'
import { deliveryWords, engagementWords, enrichmentWords, fitWords, kindWords } from './words.ts'

/** A lead of the list. */
export type Lead = V1Result<'listLeads'>['leads'][number]
/** A person of the list of engagers. */
export type Engager = V1Result<'listEngagers'>['engagers'][number]
/** A raw lead. */
export type RawLead = V1Result<'listRawLeads'>['leads'][number]

const company = (row: Lead | Engager) => <Lines first={row.companyName} second={row.companyIndustry} />
const size = (row: Lead | Engager) =>
  row.companyStaffRange ?? (row.companyEmployeeCount === null ? '–' : count(row.companyEmployeeCount))
const atWork = ({ jobTitle, companyName }: Lead | Engager) => [jobTitle, companyName].filter(Boolean).join(' at ')

function FoundBy({ lead }: { readonly lead: Lead }): ReactNode {
  const { nameOf } = useSourceNames()
  return <Lines first={nameOf(lead.sourceId, lead.sourceLabel)} second={kindWords[lead.sourceKind]} />
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
    cell: (row) => <Lines first={engagementWords[row.engagementType]} second={row.commentText} />,
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
    cell: (row) => <State said={deliveryWords[row.webhookStatus]} />,
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
    cell: (row) => <State said={enrichmentWords[row.enrichmentStatus]} />,
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
  'captured',
]

/** The columns of people. */
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
    cell: (row) => row.engagementTypes.map((type) => engagementWords[type]).join(', '),
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
  { id: 'last', header: 'Last seen', width: '118px', wide: true, cell: (row) => <TimeAgo at={row.lastEngagedAt} /> },
]

/** The columns of raw leads; `nameOf` and `kindOf` say what a source is. */
export const rawColumns = ({
  nameOf,
  kindOf,
}: {
  readonly nameOf: (id: string) => string
  readonly kindOf: (id: string) => string
}): readonly Column<RawLead>[] => [
  {
    id: 'person',
    header: 'Person',
    width: 'minmax(180px, 1.5fr)',
    cell: (row) => <Person name={row.name ?? 'Only an id is known'} line={row.commentText} />,
  },
  { id: 'action', header: 'Engagement', width: '130px', cell: (row) => engagementWords[row.action] },
  {
    id: 'source',
    header: 'Source',
    width: 'minmax(140px, 1fr)',
    wide: true,
    cell: (row) =>
      row.sourceId === null ? (
        '–'
      ) : (
        <SourceLink id={row.sourceId} kind={kindOf(row.sourceId)} label={nameOf(row.sourceId)} />
      ),
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
