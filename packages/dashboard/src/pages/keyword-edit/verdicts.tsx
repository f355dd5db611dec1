import type { ReactNode } from 'react'
import type { SessionResult } from '../../api/index.ts'
import { Badge, SafeLink, TimeAgo, cx } from '../../ui/index.ts'

/** A judged post. */
export type Verdict = SessionResult<'backtestKeyword'>['posts'][number]

/** True when the search as it is judges the post otherwise: by its present words, where those are compared with. */
export const differs = (post: Verdict): boolean => post.now !== null && post.now !== post.kept

/** What a change of words would do to posts. */
export type PostDifference = Readonly<Record<'gained' | 'lost' | 'near', Verdict[]>>

/** Which posts are gained and lost against the words the search has, and which miss by one part alone. */
export const postDifference = (posts: readonly Verdict[]): PostDifference => ({
  gained: posts.filter((post) => post.kept && post.now === false),
  lost: posts.filter((post) => !post.kept && post.now === true),
  near: posts.filter((post) => !post.kept && post.missesBy !== null),
})

/** Posts as they would be judged, each with the reason, and what is different from before. */
export function Verdicts({ posts }: { readonly posts: readonly Verdict[] }): ReactNode {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {posts.map((post) => (
        <li key={post.urn} className={cx('flex flex-col gap-1 px-4 py-3 text-sm', differs(post) && 'bg-info-soft/40')}>
          <div className="flex flex-wrap items-center gap-2">
            <Badge tone={post.kept ? 'good' : 'neutral'}>{post.kept ? 'would be kept' : 'would be discarded'}</Badge>
            {differs(post) && <Badge tone="info">now {post.now ? 'kept' : 'discarded'}</Badge>}
            <span className="font-medium break-words">{post.author ?? 'Unknown author'}</span>
            <span className="text-[0.8125rem] text-muted">
              <TimeAgo at={post.postedAt} none="time unknown" />
            </span>
          </div>
          <p className="line-clamp-3 break-words">{post.text}</p>
          <p className="text-[0.8125rem] text-muted">
            {post.missesBy !== null && <span className="break-words">All but {post.missesBy} · </span>}
            {post.reason && <span className="break-words">{post.reason} · </span>}
            <SafeLink href={post.url}>Open the post</SafeLink>
          </p>
        </li>
      ))}
    </ul>
  )
}
