import type { ReactNode } from 'react'
import { useV1Query, type V1Result } from '../../api/index.ts'
import { Card, DataTable, EmptyState, SafeLink, TimeAgo, type Column } from '../../ui/index.ts'
import { NotRead, Pages } from './list-parts.tsx'
import type { Health } from './source.ts'
import { useOffset } from './use-offset.ts'

type RawLead = V1Result<'listRawLeads'>['leads'][number]
const limit = 50
const actions: Readonly<Record<RawLead['action'], string>> = {
  Like: 'Reacted',
  Comment: 'Commented',
  Author: 'Wrote it',
}

const columns: readonly Column<RawLead>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (lead) => <SafeLink href={lead.linkedinUrl}>{lead.name ?? 'Name unknown'}</SafeLink>,
  },
  {
    id: 'action',
    header: 'What they did',
    cell: (lead) => (
      <div className="max-w-96">
        {actions[lead.action]}
        {lead.commentText && (
          <div className="line-clamp-2 text-[0.8125rem] break-words text-muted">{lead.commentText}</div>
        )}
      </div>
    ),
  },
  {
    id: 'post',
    header: 'Post',
    wide: true,
    cell: (lead) => (lead.post.url ? <SafeLink href={lead.post.url}>Open</SafeLink> : '–'),
  },
  { id: 'at', header: 'Found', cell: (lead) => <TimeAgo at={lead.detectedAt} /> },
]

/** Leads captured in raw mode: never looked up, judged, delivered or sent. */
export function RawLeads({ source }: { readonly source: Health }): ReactNode {
  const [offset, setOffset] = useOffset()
  const query = useV1Query(
    'listRawLeads',
    { profileId: source.id, includeInactive: true, limit, offset },
    { topic: 'leads', keepPrevious: true },
  )
  if (query.data === undefined) return <NotRead query={query} lines={6} />
  const { leads, total, hasMore } = query.data
  return (
    <Card
      title="Raw leads"
      text="People captured in raw mode: a name and an address only. They are in no other list, and are never delivered or sent."
      flush
    >
      <DataTable
        label="Raw leads"
        columns={columns}
        rows={leads}
        rowId={(lead) => lead.id}
        empty={
          <EmptyState
            title="No raw leads"
            text={
              source.raw
                ? 'The next sync will bring them.'
                : 'Raw mode is off: people are looked up and listed under Leads.'
            }
          />
        }
      />
      <Pages offset={offset} limit={limit} shown={leads.length} total={total} hasMore={hasMore} onOffset={setOffset} />
    </Card>
  )
}
