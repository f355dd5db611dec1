import { compact } from '../../app/search.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useV1Query, type V1Result } from '../../api/index.ts'
import { Badge, Card, EmptyState, Loaded, Pagination, SafeLink, Select, TimeAgo, countOf } from '../../ui/index.ts'

const limit = 25

type Post = V1Result<'listKeptPosts'>['posts'][number]

function Row({ post }: { readonly post: Post }): ReactNode {
  return (
    <li className="flex flex-col gap-1 px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={post.outcome === 'kept' ? 'good' : 'neutral'}>{post.outcome}</Badge>
        <span className="font-medium break-words">{post.author?.name ?? 'Unknown author'}</span>
        <span className="text-[0.8125rem] text-muted">
          posted <TimeAgo at={post.postedAt} none="at a time unknown" /> ·{' '}
          {countOf(post.totalReactionCount ?? 0, 'reaction')}, {countOf(post.commentsCount ?? 0, 'comment')}
        </span>
      </div>
      {post.author?.headline && <p className="text-[0.8125rem] break-words text-muted">{post.author.headline}</p>}
      <p className="line-clamp-3 break-words">{post.text ?? 'No text'}</p>
      <p className="text-[0.8125rem] text-muted">
        {post.reason && <span className="break-words">{post.reason} · </span>}
        judged <TimeAgo at={post.decidedAt} /> · <SafeLink href={post.url}>Open the post</SafeLink>
      </p>
    </li>
  )
}

/** A page of posts, and the way to the next. */
function Page({
  page: { posts, total, hasMore },
  offset,
  onOffset,
}: {
  readonly page: V1Result<'listKeptPosts'>
  readonly offset: number
  readonly onOffset: (offset: number) => void
}): ReactNode {
  if (posts.length === 0)
    return (
      <EmptyState
        title="No posts yet"
        text="They appear here while the search runs, each with why it was kept or left out."
      />
    )
  return (
    <>
      <ul className="divide-y divide-line">
        {posts.map((post) => (
          <Row key={`${post.postUrn} ${post.decidedAt}`} post={post} />
        ))}
      </ul>
      <div className="px-4">
        <Pagination
          offset={offset}
          limit={limit}
          shown={posts.length}
          total={total}
          hasMore={hasMore}
          onOffset={onOffset}
        />
      </div>
    </>
  )
}

/** The posts that the search has found, kept and discarded, each with why. */
export function Posts({ id }: { readonly id: string }): ReactNode {
  const { posts: only, offset = 0 } = useSearch({ from: '/signed-in/team/sources/$id' })
  const navigate = useNavigate({ from: '/sources/$id' })
  const query = useV1Query(
    'listKeptPosts',
    { id, ...(only === 'kept' ? {} : { include: 'swept' as const }), limit, offset },
    { topic: 'keywords', keepPrevious: true },
  )
  const pick = (value: 'all' | 'kept') =>
    void navigate({ search: value === 'kept' ? { tab: 'posts', posts: 'kept' } : { tab: 'posts' } })
  const turn = (next: number) =>
    void navigate({ search: (before) => compact({ ...before, offset: next > 0 ? next : undefined }) })
  return (
    <Card
      flush
      title="Posts"
      text="Newest decision first."
      actions={
        <Select
          aria-label="Which posts"
          value={only ?? 'all'}
          onValue={pick}
          choices={[
            { value: 'all', label: 'Kept and discarded' },
            { value: 'kept', label: 'Kept only' },
          ]}
        />
      }
    >
      <Loaded query={query}>{(page) => <Page page={page} offset={offset} onOffset={turn} />}</Loaded>
    </Card>
  )
}
