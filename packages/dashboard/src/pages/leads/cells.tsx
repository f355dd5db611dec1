import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Avatar, Badge } from '../../ui/index.ts'
import type { Said } from './words.ts'

/** A state as a badge; its words say what its colour says. */
export function State({ said }: { readonly said: Said }): ReactNode {
  return <Badge tone={said.tone}>{said.text}</Badge>
}

/** Somebody with a picture, and a line behind the name. */
export function Person({
  name,
  avatarUrl,
  line,
}: {
  readonly name: string | null
  readonly avatarUrl?: string | null
  readonly line: string | null
}): ReactNode {
  return (
    <span className="flex items-center gap-2.5">
      <Avatar src={avatarUrl ?? null} name={name ?? '?'} size={24} />
      <span className="min-w-0 truncate" data-tip={[name, line].filter(Boolean).join('\n')}>
        <span className="font-medium">{name ?? 'Name not known yet'}</span>
        {line !== null && line !== '' && <span className="text-[0.8125rem] text-muted"> {line}</span>}
      </span>
    </span>
  )
}

/** Two texts, the second in grey; a dash when there is neither. */
export function Lines({
  first,
  second,
}: {
  readonly first: string | null
  readonly second?: string | null | undefined
}): ReactNode {
  if (!first && !second) return <span className="text-muted">–</span>
  return (
    <span className="block min-w-0 truncate" data-tip={[first, second].filter(Boolean).join('\n')}>
      {first || second}
      {first && second && <span className="text-[0.8125rem] text-muted"> {second}</span>}
    </span>
  )
}

/** The source of something, as a link to its page. */
export function SourceLink({
  id,
  kind,
  label,
}: {
  readonly id: string | null
  readonly kind: string
  readonly label: string | null
}): ReactNode {
  const name = label ?? 'Unnamed'
  if (id === null) return <span className="truncate">{name}</span>
  const className = 'truncate text-accent-text underline underline-offset-2'
  return (
    <Link to="/sources/$id" params={{ id }} className={className}>
      {name}
    </Link>
  )
}
