import { CircleAlert, WifiOff, type LucideIcon } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import type { Said } from '@les/contract'
import { ApiError, isNotFound } from '../api/error.ts'
import type { ResultOf } from '../api/types.ts'
import { Button, cx } from './button.tsx'
import { count } from './format.ts'

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info'

const tones: Record<Tone, string> = {
  neutral: 'bg-sunken text-ink',
  good: 'bg-accent-soft text-accent-text',
  warn: 'bg-warn-soft text-warn-text',
  bad: 'bg-danger-soft text-danger-text',
  info: 'bg-info-soft text-info-text',
}

type BadgeProps = { tone?: Tone; icon?: LucideIcon; children: ReactNode }

export function Badge({ tone = 'neutral', icon: Icon, children }: BadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex max-w-full items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium',
        tones[tone],
      )}
    >
      {Icon && <Icon aria-hidden="true" size={12} />}
      <span className="truncate">{children}</span>
    </span>
  )
}

export const SaidBadge = ({ said }: { said: Said }) => <Badge tone={said.tone}>{said.text}</Badge>

type NoticeProps = { tone?: Tone; title?: ReactNode; children?: ReactNode; action?: ReactNode }

export function Notice({ tone = 'info', title, children, action }: NoticeProps) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={cx('flex flex-wrap items-center justify-between gap-3 rounded-lg px-4 py-3 text-sm', tones[tone])}
    >
      <div className="min-w-0">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
      {action}
    </div>
  )
}

type MeterProps = { label: string; value: number; max: number; text?: string; tone?: 'good' | 'warn' | 'bad' }

/** A bar with a label and its figures in words. */
export function Meter({ label, value, max, text, tone = 'good' }: MeterProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  const words = text ?? `${count(value)} of ${count(max)}`
  const fill = { good: 'bg-accent', warn: 'bg-(--chart-3)', bad: 'bg-danger' }[tone]
  return (
    <div className="flex flex-col gap-1">
      <div className="flex justify-between gap-3 text-[0.8125rem]">
        <span>{label}</span>
        <span className="text-muted tabular-nums">{words}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: the element itself cannot be coloured alike in all browsers. */}
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={words}
        className="h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div className={cx('h-full rounded-full', fill)} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}

type CardProps = {
  title?: ReactNode
  text?: ReactNode
  actions?: ReactNode
  /** No padding, as for a list. */
  flush?: boolean
  stack?: boolean
  className?: string
  children?: ReactNode
}

export function Card({ title, text, actions, flush = false, stack = false, className, children }: CardProps) {
  return (
    <section className={cx('rounded-xl border border-line bg-surface', className)}>
      {(title || actions) && (
        <header className="flex flex-wrap items-start justify-between gap-3 border-b border-line px-4 py-3">
          <div className="min-w-0">
            <h2 className="text-sm font-semibold">{title}</h2>
            {text && <p className="text-[0.8125rem] text-muted">{text}</p>}
          </div>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
      )}
      {children !== undefined && <div className={cx(!flush && 'p-4', stack && 'flex flex-col gap-4')}>{children}</div>}
    </section>
  )
}

export const Bullets = ({ lines, className }: { lines: readonly string[]; className?: string }) => (
  <ul className={cx('list-disc pl-5', className)}>
    {lines.map((line) => (
      <li key={line} className="break-words">
        {line}
      </li>
    ))}
  </ul>
)

type TallyLine = {
  readonly of: number
  readonly text: ReactNode
  readonly key: string
  readonly isMinor?: boolean
  /** There are more than `of`. */
  readonly isPart?: boolean
}

/** Counts and what they count, one per line. */
export function Tally({ lines }: { lines: readonly TallyLine[] }) {
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {lines.map(({ of, text, key, isMinor, isPart }) => (
        <li key={key} className={cx('flex gap-3', isMinor && 'text-muted')}>
          <span className="min-w-10 text-right font-medium tabular-nums">
            {count(of)}
            {isPart && '+'}
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}

/** Names and figures to compare, one per line; false figures are left out. */
export function Figures({ figures }: { figures: readonly (readonly [name: string, figure: string | false])[] }) {
  return (
    <dl className="text-sm">
      {figures.map(
        ([name, figure]) =>
          figure && (
            <div key={name} className="flex justify-between gap-4 border-b border-line py-2 last:border-0">
              <dt className="text-muted">{name}</dt>
              <dd className="text-end font-medium tabular-nums">{figure}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <header className="flex flex-wrap items-baseline justify-between gap-2">
        <h3 id={id} className="text-sm font-semibold">
          {title}
        </h3>
        {aside && <span className="text-[0.8125rem] text-muted">{aside}</span>}
      </header>
      {children}
    </section>
  )
}

/** Names and values, one per line; empty values are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== '' && value !== undefined && value !== false)
  if (known.length === 0) return null
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {known.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type Stat = readonly [label: string, value: ReactNode, hint?: ReactNode]

const statColumns: Readonly<Record<number, string>> = {
  2: 'grid-cols-2',
  3: 'sm:grid-cols-3',
  4: 'grid-cols-2 lg:grid-cols-4',
}

/** A few figures side by side; `live` announces changes to screen readers. */
export function Stats({ stats, live = false }: { stats: readonly Stat[]; live?: boolean }) {
  return (
    <div className={cx('grid gap-3', statColumns[stats.length])} role={live ? 'status' : undefined}>
      {stats.map(([label, value, hint]) => (
        <div key={label} className="rounded-xl border border-line bg-surface px-4 py-3">
          <p className="text-[0.8125rem] text-muted">{label}</p>
          <p className="text-2xl font-semibold tracking-tight tabular-nums">{value}</p>
          {hint && <p className="text-[0.8125rem] text-muted">{hint}</p>}
        </div>
      ))}
    </div>
  )
}

export function Skeleton({ lines = 3, className }: { lines?: number; className?: string }) {
  return (
    <div role="status" aria-label="Loading" aria-busy="true" className={cx('flex flex-col gap-2.5', className)}>
      {[...Array(lines).keys()].map((line) => (
        <div key={line} className={cx('h-4 animate-pulse rounded bg-sunken', line % 3 === 2 && 'w-2/3')} />
      ))}
    </div>
  )
}

export type Emptiness = {
  readonly title: string
  readonly text?: ReactNode
  readonly action?: ReactNode
  readonly icon?: LucideIcon
}

/** Says why there is nothing yet, and what to do next. */
export function EmptyState({ title, text, action, icon: Icon }: Emptiness) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-14 text-center">
      {Icon && <Icon aria-hidden="true" size={28} className="text-muted" />}
      <h2 className="text-base font-semibold">{title}</h2>
      {text && <div className="max-w-md text-sm text-muted">{text}</div>}
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const isOffline = error instanceof ApiError && error.status === 0
  const message = error instanceof Error ? error.message : String(error)
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <div className="text-danger-text" aria-hidden="true">
        {isOffline ? <WifiOff size={28} /> : <CircleAlert size={28} />}
      </div>
      <h2 className="text-base font-semibold">
        {isOffline ? 'No connection to the service' : 'This could not be loaded'}
      </h2>
      <p className="max-w-md text-sm text-muted">{message}</p>
      {error instanceof ApiError && error.requestId && (
        <p className="font-mono text-xs text-muted">Request {error.requestId}</p>
      )}
      {retry && (
        <Button className="mt-3" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

type FailureProps = { error: Error | string | null | undefined; title?: string; className?: string }

/** Why the service refused something; nothing without an error. */
export function Failure({ error, title, className }: FailureProps) {
  if (!error) return null
  const message = typeof error === 'string' ? error : error.message
  if (title !== undefined)
    return (
      <Notice tone="bad" title={title}>
        {message}
      </Notice>
    )
  return (
    <p role="alert" className={cx('text-sm text-danger-text', className)}>
      {message}
    </p>
  )
}

export type QueryLike<T> = {
  readonly data: T | undefined
  readonly error: unknown
  readonly isPending: boolean
  readonly refetch: () => unknown
}

type LoadedProps<T> = {
  query: QueryLike<T>
  lines?: number
  gone?: Emptiness
  children: (data: T) => ReactNode
}

/** Shows a query: a skeleton while loading, the error with "Try again", else `children` of the data. */
export function Loaded<T>({ query, lines = 4, gone, children }: LoadedProps<T>) {
  if (gone !== undefined && isNotFound(query.error)) return <EmptyState {...gone} />
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) return <Skeleton lines={lines} className="p-4" />
  return <ErrorState error={query.error} retry={() => void query.refetch()} />
}

type Kind = ResultOf<'listSourceHealth'>['sources'][number]['warnings'][number]['kind']

const serious: readonly Kind[] = ['failing', 'out_of_credits', 'webhook_disabled', 'outreach_paused']

export const warningTone = (kind: Kind): Tone => (serious.includes(kind) ? 'bad' : kind === 'no_icp' ? 'info' : 'warn')

/** True when a source has no criteria, and so no share of leads that fit. */
export const lacksCriteria = (source: { hasCriteria: boolean; icpLeads: number }): boolean =>
  !source.hasCriteria && source.icpLeads === 0
