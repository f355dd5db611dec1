import { Command } from 'cmdk'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** Closes the palette and then acts. */
export type Act = (action: () => unknown) => () => void

const line = 'flex cursor-default items-center gap-2.5 rounded-md px-3 py-2 text-sm data-[selected=true]:bg-sunken'

/** A line of the palette: something to go to or to start. */
export function Line({
  icon: Icon,
  label,
  words = '',
  value,
  aside,
  onSelect,
}: {
  readonly icon: LucideIcon
  readonly label: string
  readonly words?: string
  /** What it is told from others of the same name by. */
  readonly value?: string
  readonly aside?: string | null
  readonly onSelect: () => void
}): ReactNode {
  return (
    <Command.Item value={value ?? label} keywords={[label, ...words.split(' ')]} onSelect={onSelect} className={line}>
      <Icon aria-hidden="true" size={16} className="text-muted" />
      <span className="min-w-0 truncate">{label}</span>
      {aside && <span className="ml-auto min-w-0 max-w-[45%] truncate text-[0.8125rem] text-muted">{aside}</span>}
    </Command.Item>
  )
}
