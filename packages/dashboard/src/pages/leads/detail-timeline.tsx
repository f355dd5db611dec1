import { Coins, MessageSquare, PenLine, ThumbsUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, countOf, SafeLink, TimeAgo } from '../../ui/index.ts'
import { SourceLink } from './cells.tsx'
import type { Detail } from './detail.tsx'
import { Section } from './section.tsx'
import { engagementWords, kindWords } from './words.ts'

type Engagement = Detail['engagements'][number]

const icons = { Like: ThumbsUp, Comment: MessageSquare, Author: PenLine }

function Entry({ entry }: { readonly entry: Engagement }): ReactNode {
  const Icon = icons[entry.engagementType]
  const reaction =
    entry.engagementType === 'Like' && entry.reaction !== null && entry.reaction.toUpperCase() !== 'LIKE'
      ? ` (${entry.reaction.toLowerCase()})`
      : ''
  return (
    <li className="relative flex gap-3 pb-4 last:pb-0">
      <span aria-hidden="true" className="flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken">
        <Icon size={14} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 text-sm">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <span className="font-medium">
            {engagementWords[entry.engagementType]}
            {reaction}
          </span>
          <span className="text-muted">
            <TimeAgo at={entry.commentPostedAt ?? entry.at} />
          </span>
          {entry.charged && (
            <Badge tone="info" icon={<Coins aria-hidden="true" size={12} />}>
              Cost the credit
            </Badge>
          )}
        </p>
        {entry.commentText !== null && entry.commentText !== '' && (
          <blockquote className="rounded-lg bg-sunken px-3 py-2 break-words whitespace-pre-line">
            {entry.commentText}
          </blockquote>
        )}
        {entry.postText !== null && entry.postText !== '' && (
          <p className="line-clamp-3 border-l-2 border-line pl-3 break-words text-muted">{entry.postText}</p>
        )}
        <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-[0.8125rem] text-muted">
          {entry.postUrl !== null && <SafeLink href={entry.postUrl}>The post</SafeLink>}
          {entry.postPostedAt !== null && (
            <span>
              posted <TimeAgo at={entry.postPostedAt} />
            </span>
          )}
          <span className="min-w-0 max-w-full">
            found by <SourceLink id={entry.source.id} kind={entry.source.kind} label={entry.source.label} /> (
            {kindWords[entry.source.kind].toLowerCase()})
          </span>
        </p>
      </div>
    </li>
  )
}

/** All that the person did, over all sources, newest first. */
export function DetailTimeline({ detail: { engagements, engagementCount } }: { readonly detail: Detail }): ReactNode {
  return (
    <Section
      title="What they did"
      aside={
        engagementCount > engagements.length
          ? `the newest ${engagements.length} of ${countOf(engagementCount, 'engagement')}`
          : countOf(engagementCount, 'engagement')
      }
    >
      <ol className="flex flex-col">
        {engagements.map((entry) => (
          <Entry key={entry.leadId} entry={entry} />
        ))}
      </ol>
      <p className="text-[0.8125rem] text-muted">
        A person costs one credit for each source that finds them, at the first engagement; all others are free.
      </p>
    </Section>
  )
}
