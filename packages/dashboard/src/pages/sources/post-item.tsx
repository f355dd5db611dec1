import type { ReactNode } from 'react'
import { cx, SafeLink } from '../../ui/index.ts'

type PostItemProps = {
  tags?: ReactNode
  author: ReactNode
  when: ReactNode
  headline?: string | null | undefined
  text: string | null
  /** Before the link to the post: what was decided of it and why, or how it does. */
  reason: ReactNode
  url: string | null
  isMarked?: boolean
}

/** A post in a list. */
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
