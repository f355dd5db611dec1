import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../../ui/button.tsx'
import { Pages } from '../../ui/page.tsx'
import type { ListPages } from '../../ui/record-list.tsx'
import { Card, EmptyState, Loaded, type Emptiness, type QueryLike } from '../../ui/show.tsx'
import { SafeLink } from '../../ui/text.tsx'

type PostItemProps = {
  tags?: ReactNode
  author: ReactNode
  when: ReactNode
  headline?: string | null | undefined
  text: string | null
  /** Before the link: what was decided about the post and why, or how it does. */
  reason: ReactNode
  url: string | null
  isMarked?: boolean
}

export function PostItem({ tags, author, when, headline, text, reason, url, isMarked = false }: PostItemProps) {
  return (
    <li className={cx('flex flex-col gap-1 px-4 py-3 text-sm', isMarked && 'bg-info-soft/40')}>
      <div className="flex flex-wrap items-center gap-2">
        {tags}
        <span className="font-medium break-words">{author ?? 'Unknown author'}</span>
        <span className="text-[0.8125rem] text-muted">{when}</span>
      </div>
      {headline && <p className="text-[0.8125rem] break-words text-muted">{headline}</p>}
      <p className="line-clamp-4 break-words">{text ?? 'No text'}</p>
      <p className="text-[0.8125rem] break-words text-muted">
        {reason}
        <SafeLink href={url}>Open the post</SafeLink>
      </p>
    </li>
  )
}

type PostListProps<P> = {
  query: QueryLike<{ readonly posts: readonly P[]; readonly total: number; readonly hasMore: boolean }>
  pages: ListPages
  empty: Emptiness
  text: string
  actions?: ReactNode
  item: (post: P) => ComponentProps<typeof PostItem> & { key: string }
}

export function PostList<P>({ query, pages, empty, text, actions, item }: PostListProps<P>) {
  return (
    <Card flush title="Posts" text={text} actions={actions}>
      <Loaded query={query} lines={6}>
        {({ posts, total, hasMore }) =>
          posts.length === 0 ? (
            <EmptyState {...empty} />
          ) : (
            <>
              <ul className="divide-y divide-line">
                {posts.map((post) => {
                  const { key, ...props } = item(post)
                  return <PostItem key={key} {...props} />
                })}
              </ul>
              <Pages {...pages} shown={posts.length} total={total} hasMore={hasMore} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
