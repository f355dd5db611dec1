import { runState } from '@les/contract'
import { useReadAt, useReadPages, type ResultOf } from '../../api/index.ts'
import { column, TwoLines, type Column } from '../../ui/columns.tsx'
import { count } from '../../ui/format.ts'
import { TextLink } from '../../ui/link.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { Badge, SaidBadge } from '../../ui/show.tsx'
import { SafeLink, TimeAgo, TimeUntil } from '../../ui/text.tsx'
import { Coverage } from '../sources/parts.tsx'
import { useAddress } from '../../app/address.ts'
import { PostList } from '../sources/post-item.tsx'
import type { Health } from './source.ts'

type RawLead = ResultOf<'listRawLeads'>['leads'][number]
const actions: Readonly<Record<RawLead['action'], string>> = {
  Like: 'Reacted',
  Comment: 'Commented',
  Author: 'Wrote it',
}

const rawColumns: readonly Column<RawLead>[] = [
  column('Name', (lead) => <SafeLink href={lead.linkedinUrl}>{lead.name ?? 'Name unknown'}</SafeLink>),
  column('What they did', (lead) => (
    <div className="max-w-96">
      {actions[lead.action]}
      {lead.commentText && (
        <div className="line-clamp-2 text-[0.8125rem] break-words text-muted">{lead.commentText}</div>
      )}
    </div>
  )),
  column('Post', (lead) => (lead.post.url ? <SafeLink href={lead.post.url}>Open</SafeLink> : '–')),
  column('Found', (lead) => <TimeAgo at={lead.detectedAt} />),
]

/** Leads captured in raw mode: never looked up, judged, delivered or sent. */
export function RawLeads({ source }: { source: Health }) {
  const pages = useAddress('/signed-in/team/sources/$id').pages()
  const query = useReadAt('listRawLeads', pages, { profileId: source.id, includeInactive: true })
  return (
    <ListCard
      title="Raw leads"
      text="People captured in raw mode: a name and an address only. They are in no other list, and are never delivered or sent."
      query={query}
      pages={pages}
      label="Raw leads"
      columns={rawColumns}
      rows={query.data?.leads ?? []}
      empty={{
        title: 'No raw leads',
        text: source.raw
          ? 'The next sync will bring them.'
          : 'Raw mode is off: people are looked up and listed under Leads.',
      }}
    />
  )
}

export function Posts({ source }: { source: Health }) {
  const pages = useAddress('/signed-in/team/sources/$id').pages(20)
  const query = useReadAt('listSourcePosts', pages, { id: source.id })
  const next = source.nextSyncAt && <TimeUntil at={source.nextSyncAt} clock />
  return (
    <PostList
      query={query}
      pages={pages}
      text="The posts this source has seen, newest first."
      empty={{ title: 'No posts yet', text: next && <>The next run is planned {next}.</> }}
      item={(post) => ({
        key: post.postUrn,
        tags: post.contentType && <Badge>{post.contentType.toLowerCase().replaceAll('_', ' ')}</Badge>,
        author: post.author?.name && <SafeLink href={post.author.url}>{post.author.name}</SafeLink>,
        when: (
          <>
            posted <TimeAgo at={post.postedAt} none="at a time unknown" /> · found <TimeAgo at={post.detectedAt} />
          </>
        ),
        text: post.text,
        reason: `${count(post.totalReactionCount)} reactions · ${count(post.commentsCount)} comments · `,
        url: post.url,
      })}
    />
  )
}

type Run = ResultOf<'listRuns'>['runs'][number]

const triggers: Readonly<Record<Run['trigger'], string>> = {
  track: 'Tracked',
  scheduled: 'On schedule',
  manual: 'By hand',
}
const columns: readonly Column<Run>[] = [
  column('Began', (run) => (
    <TwoLines plain first={<TimeAgo at={run.startedAt ?? run.createdAt} />} second={triggers[run.trigger]} />
  )),
  column('How it ended', (run) => (
    <div className="flex max-w-80 min-w-44 flex-col items-start gap-1">
      <SaidBadge said={runState(run.state)} />
      <span className="text-[0.8125rem] text-muted">{run.words}</span>
    </div>
  )),
  column('Posts finished', { align: 'end' }, (run) => `${count(run.postsProcessed)} of ${count(run.postsTotal)}`),
  column('Coverage', (run) => <Coverage coverage={run.coverage} />),
  column('Leads', { align: 'end' }, (run) => count(run.leadRows)),
  column('Credits', { align: 'end' }, (run) => (
    <TextLink to="/credits" search={{ tab: 'ledger', syncId: run.syncId }}>
      {count(run.creditsSpent)}
      <span className="sr-only">: what was charged and what was free</span>
    </TextLink>
  )),
]

export function Runs({ source }: { source: Health }) {
  const query = useReadPages('listRuns', { id: source.id, limit: '25' })
  return (
    <ListCard
      title="Runs"
      text="Each run of this source, and why it stopped where it did."
      query={query}
      lines={5}
      more="Show earlier runs"
      label="Runs"
      columns={columns}
      rows={query.data?.pages.flatMap((page) => page.runs) ?? []}
      rowId={(run) => run.syncId}
      empty={{
        title: 'No run yet',
        text: source.nextSyncAt ? (
          <>
            The next one is planned <TimeUntil at={source.nextSyncAt} clock />.
          </>
        ) : (
          'None is planned.'
        ),
      }}
    />
  )
}
