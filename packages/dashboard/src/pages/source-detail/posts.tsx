import type { ReactNode } from 'react'
import { useV1Query, type V1Result } from '../../api/index.ts'
import { Badge, Card, count, EmptyState, SafeLink, TimeAgo, TimeUntil } from '../../ui/index.ts'
import { NotRead, Pages } from './list-parts.tsx'
import type { Health } from './source.ts'
import { useOffset } from './use-offset.ts'

type Post = V1Result<'listSourcePosts'>['posts'][number]
const limit = 20

function One({ post }: { readonly post: Post }): ReactNode {
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-muted">
        {post.author?.name && (
          <SafeLink href={post.author.url} className="font-medium">
            {post.author.name}
          </SafeLink>
        )}
        {post.postedAt && (
          <span>
            posted <TimeAgo at={post.postedAt} />
          </span>
        )}
        <span>
          found <TimeAgo at={post.detectedAt} />
        </span>
        {post.contentType && <Badge>{post.contentType.toLowerCase().replaceAll('_', ' ')}</Badge>}
      </p>
      <p className="line-clamp-4 max-w-3xl text-sm break-words">
        {post.text ?? <span className="text-muted">No text</span>}
      </p>
      <p className="flex flex-wrap gap-x-4 text-[0.8125rem] text-muted tabular-nums">
        <span>{count(post.totalReactionCount)} reactions</span>
        <span>{count(post.commentsCount)} comments</span>
        <SafeLink href={post.url}>Open the post</SafeLink>
      </p>
    </li>
  )
}

/** The posts that a posts-only watch has seen, newest first. */
export function Posts({ source }: { readonly source: Health }): ReactNode {
  const [offset, setOffset] = useOffset()
  const query = useV1Query(
    'listSourcePosts',
    { id: source.id, limit, offset },
    { topic: 'sources', keepPrevious: true },
  )
  if (query.data === undefined) return <NotRead query={query} lines={6} />
  const { posts, total, hasMore } = query.data
  return (
    <Card title="Posts" text="What this watch has seen, newest first." flush>
      {posts.length === 0 ? (
        <EmptyState
          title="No posts yet"
          text={
            source.nextSyncAt ? (
              <>
                The next look is planned <TimeUntil at={source.nextSyncAt} clock />.
              </>
            ) : undefined
          }
        />
      ) : (
        <ul className="divide-y divide-line">
          {posts.map((post) => (
            <One key={post.postUrn} post={post} />
          ))}
        </ul>
      )}
      <Pages offset={offset} limit={limit} shown={posts.length} total={total} hasMore={hasMore} onOffset={setOffset} />
    </Card>
  )
}
