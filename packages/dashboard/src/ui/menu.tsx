import { Menu as Base } from '@base-ui/react/menu'
import { Check, type LucideIcon } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { cx, type Reason } from './button.tsx'

export type MenuEntry =
  | {
      readonly label: ReactNode
      readonly onSelect: () => void
      readonly icon?: LucideIcon
      readonly danger?: boolean
      /** Why it is disabled, shown below its label. */
      readonly reason?: Reason
      readonly checked?: boolean
    }
  | { readonly heading: string }
  | 'separator'

const line =
  'flex cursor-default items-center gap-2.5 rounded px-2.5 py-1.5 text-sm outline-none data-highlighted:bg-sunken data-disabled:cursor-not-allowed data-disabled:text-muted pointer-coarse:min-h-11'

type MenuProps = { trigger: ReactElement; entries: readonly MenuEntry[]; align?: 'start' | 'end' }

export function Menu({ trigger, entries, align = 'end' }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="z-50 outline-none">
          <Base.Popup
            className={cx(
              'max-h-(--available-height) min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 text-ink',
              'shadow-lg outline-none',
            )}
          >
            {entries
              .map((entry, index) => ({ entry, at: index }))
              .map(({ entry, at }) =>
                entry === 'separator' ? (
                  <Base.Separator key={at} className="my-1 h-px bg-line" />
                ) : 'heading' in entry ? (
                  <div key={at} className="px-2.5 pt-1.5 pb-0.5 text-xs font-medium text-muted">
                    {entry.heading}
                  </div>
                ) : (
                  <Base.Item
                    key={at}
                    disabled={Boolean(entry.reason)}
                    onClick={entry.onSelect}
                    className={cx(line, entry.danger && 'text-danger-text')}
                  >
                    {entry.icon && <entry.icon aria-hidden="true" size={16} />}
                    <span className="min-w-0 max-w-64 flex-1">
                      <span className="block truncate">{entry.label}</span>
                      {entry.reason && <span className="block text-xs text-muted">{entry.reason}</span>}
                    </span>
                    {entry.checked && (
                      <>
                        <Check aria-hidden="true" size={14} />
                        <span className="sr-only"> (chosen)</span>
                      </>
                    )}
                  </Base.Item>
                ),
              )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
