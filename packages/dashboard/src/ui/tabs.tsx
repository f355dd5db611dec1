import { cx } from './classes.ts'
import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

/** One tab: what it is called and what it shows. */
export type Tab<V extends string = string> = {
  readonly value: V
  readonly label: ReactNode
  readonly content: ReactNode
}

/** Tabs over panels; only the open panel is rendered. Arrow keys move between tabs. */
export function Tabs<V extends string>({
  value,
  onValue,
  tabs,
  label,
}: {
  readonly value: V
  readonly onValue: (value: V) => void
  readonly tabs: readonly Tab<V>[]
  readonly label: string
}): ReactNode {
  return (
    <Base.Root value={value} onValueChange={(next) => onValue(next as V)}>
      <Base.List aria-label={label} className="flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className={cx(
              'border-b-2 border-transparent px-3 py-2 pointer-coarse:min-h-11 text-sm font-medium',
              'whitespace-nowrap text-muted hover:text-ink data-active:border-accent data-active:text-ink',
              'focus-visible:outline-offset-[-2px]',
            )}
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-4">
          {tab.value === value ? tab.content : null}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
