import { Button, cx } from './button.tsx'
import { count } from './format.ts'
import { PrimaryLink } from './link.tsx'
import { EmptyState } from './show.tsx'
import { Tabs as Base } from '@base-ui/react/tabs'
import { ChevronLeft, ChevronRight, Lock } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { useTeam } from '../api/me.ts'
import { places, type Place } from '../shell/navigation.ts'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Lead Engagement Service`
  }, [title])
}

type PageFrameProps = {
  /** The navigation entry whose name and sentence the page takes. */
  of?: Place['to']
  title?: string
  text?: ReactNode
  actions?: ReactNode
  back?: ReactNode
  face?: ReactNode
  dense?: boolean
  /** Requires a trial or plan that has not ended. */
  served?: boolean
  children: ReactNode
}

/** The frame of a page: heading, sentence, actions, content. */
export function PageFrame({
  of,
  actions,
  back,
  face,
  dense = false,
  served = false,
  children,
  ...said
}: PageFrameProps) {
  const place = places.find(({ to }) => to === of)
  const { title = place?.label ?? '', text = place?.text } = said
  useTitle(title)
  return (
    <div className={cx('mx-auto flex w-full max-w-7xl flex-col px-4 sm:px-6', dense ? 'gap-2 py-3' : 'gap-5 py-5')}>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className={cx('min-w-0', dense && 'flex flex-wrap items-baseline gap-x-3')}>
          {back}
          <h1 className="flex items-center gap-2.5 text-xl font-semibold tracking-tight break-words">
            {face}
            <span className="min-w-0">{title}</span>
          </h1>
          {text && <p className={cx('max-w-2xl text-sm text-muted', dense ? 'max-md:hidden' : 'mt-0.5')}>{text}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {served ? <Served>{children}</Served> : children}
    </div>
  )
}

export type Tab<V extends string = string> = {
  readonly value: V
  readonly label: ReactNode
  readonly content: ReactNode
}

type TabsProps<V extends string> = {
  value: V
  onValue: (value: V) => void
  tabs: readonly (Tab<V> | false)[]
  label: string
}

/** Tabs over panels, skipping false ones; only the open panel is rendered. Arrow keys switch tabs. */
export function Tabs<V extends string>({ value, onValue, tabs, label }: TabsProps<V>) {
  const shown = tabs.filter((tab) => tab !== false)
  return (
    <Base.Root value={value} onValueChange={(next) => onValue(next as V)}>
      <Base.List
        aria-label={label}
        className="print:hidden flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line"
      >
        {shown.map((tab) => (
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
      {shown.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-4">
          {tab.value === value ? tab.content : null}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}

export type PaginationProps = {
  readonly offset: number
  readonly limit: number
  readonly shown: number
  readonly total: number
  readonly hasMore: boolean
  readonly onOffset: (offset: number) => void
}

export function Pages({ offset, limit, shown, total, hasMore, onOffset }: PaginationProps) {
  if (total <= limit) return null
  const range = shown === 0 ? 'No rows' : `${count(offset + 1)}–${count(offset + shown)} of ${count(total)}`
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3 border-t border-line px-4 py-2">
      <span className="text-[0.8125rem] text-muted tabular-nums" aria-live="polite">
        {range}
      </span>
      <div className="flex gap-2">
        <Button
          size="sm"
          reason={offset === 0 && 'This is the first page.'}
          onClick={() => onOffset(Math.max(0, offset - limit))}
          icon={ChevronLeft}
        >
          Previous
        </Button>
        <Button size="sm" reason={!hasMore && 'This is the last page.'} onClick={() => onOffset(offset + limit)}>
          Next
          <ChevronRight aria-hidden="true" size={16} />
        </Button>
      </div>
    </nav>
  )
}

/** Shows its content only on a trial or plan that has not ended; else why not, and what happens to existing data. */
export function Served({ children }: { children: ReactNode }) {
  const { status } = useTeam()
  if (status !== 'expired') return children
  return (
    <EmptyState
      icon={Lock}
      title="The free trial or plan of this team has ended"
      text="Nothing is captured, shown or sent until the team subscribes. What was captured is kept."
      action={<PrimaryLink to="/settings">See the plan</PrimaryLink>}
    />
  )
}
