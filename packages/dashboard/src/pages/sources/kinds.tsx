import { Building2, MessageSquareText, Search, UserRound, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '../../ui/index.ts'

/** A kind of source. */
export type SourceKind = 'person' | 'company' | 'post' | 'keyword'

const shown: Readonly<Record<SourceKind, { readonly name: string; readonly icon: LucideIcon }>> = {
  person: { name: 'Person', icon: UserRound },
  company: { name: 'Company page', icon: Building2 },
  post: { name: 'Post', icon: MessageSquareText },
  keyword: { name: 'Keyword search', icon: Search },
}

/** What a kind of source is called. */
export const kindName = (kind: string): string => shown[kind as SourceKind]?.name ?? kind

/** The kind of a source with its sign. */
export function Kind({ kind }: { readonly kind: SourceKind }): ReactNode {
  const { name, icon: Icon } = shown[kind]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-muted">
      <Icon aria-hidden="true" size={15} />
      {name}
    </span>
  )
}

/**
 * The face of a source: the picture of a person where one is known, else the initials of its name; the sign of its kind
 * for posts and searches.
 */
export function Face({
  source,
  size = 40,
}: {
  readonly source: {
    readonly type: SourceKind
    readonly label: string
    readonly name: string | null
    readonly avatarUrl: string | null
  }
  readonly size?: number
}): ReactNode {
  const Icon = shown[source.type].icon
  if ((source.type === 'person' || source.type === 'company') && source.name !== null)
    return <Avatar src={source.avatarUrl} name={source.name} size={size} />
  return (
    <span
      aria-hidden="true"
      className="flex shrink-0 items-center justify-center rounded-full bg-sunken text-muted"
      style={{ width: size, height: size }}
    >
      <Icon size={Math.round(size / 2)} />
    </span>
  )
}

/** Where a source is on the network; null for a keyword search. */
export function sourceAddress(source: { readonly type: string; readonly username: string }): string | null {
  if (source.type === 'person') return `https://www.linkedin.com/in/${encodeURIComponent(source.username)}`
  if (source.type === 'company') return `https://www.linkedin.com/company/${encodeURIComponent(source.username)}`
  if (source.type === 'post') return `https://www.linkedin.com/feed/update/${encodeURIComponent(source.username)}`
  return null
}
