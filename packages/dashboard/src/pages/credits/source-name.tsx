import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSourceNames } from '../../api/source-names.ts'

/** What credits were spent on, as a link where it has a page. */
export function SourceName({
  id,
  type,
  label,
}: {
  readonly id: string | null
  readonly type: string
  readonly label: string
}): ReactNode {
  const name = useSourceNames().labelOf(id, label)
  const className = 'break-words text-accent-text underline underline-offset-2'
  if (id !== null && ['person', 'company', 'post', 'keyword'].includes(type))
    return (
      <Link to="/sources/$id" params={{ id }} className={className}>
        {name}
      </Link>
    )
  return <span className="break-words">{name}</span>
}
