import { useAddress } from '../../app/address.ts'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** Whether the tab's dialog for adding is open; in the address, so that the palette can link to it. */
export function useAdding(): readonly [boolean, (adding: boolean) => void] {
  const { search, change } = useAddress('/signed-in/team/settings')
  return [search.add ?? false, (adding) => change({ add: adding || undefined }, { replace: true })]
}

type LineProps = { icon?: LucideIcon; title: ReactNode; text: ReactNode; children: ReactNode }

export function Line({ icon: Icon, title, text, children }: LineProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="flex min-w-0 items-center gap-3">
        {Icon && <Icon aria-hidden="true" size={20} className="shrink-0 text-muted" />}
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 text-sm font-medium">{title}</p>
          <p className="text-[0.8125rem] text-muted">{text}</p>
        </div>
      </div>
      {children}
    </li>
  )
}
