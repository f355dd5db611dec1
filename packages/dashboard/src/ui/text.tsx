// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
import { Check, Copy, ExternalLink } from 'lucide-react'
import { useEffect, useId, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Button, cx } from './button.tsx'
import { absoluteTime, timeAgo, timeOfDay, timeUntil } from './format.ts'

const listeners = new Set<() => void>()
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function listen(listener: () => void): () => void {
  if (listeners.size === 0) nowMs = Date.now()
  listeners.add(listener)
  timer ??= setInterval(() => {
    nowMs = Date.now()
    for (const each of listeners) each()
  }, 15_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The present in milliseconds, updated every 15 seconds. */
export function useNow(): number {
  return useSyncExternalStore(listen, () => nowMs)
}

type MomentProps = { readonly at: string | number | null | undefined; readonly none?: string; readonly clock?: boolean }

function Moment({ at, none = 'never', clock = false, words }: MomentProps & { words: typeof timeAgo }) {
  const now = useNow()
  if (at === null || at === undefined) return <span className="text-muted">{none}</span>
  return (
    <time
      dateTime={new Date(at).toISOString()}
      data-tip={absoluteTime(at)}
      tabIndex={0}
      className="rounded-sm whitespace-nowrap"
    >
      {words(at, now)}
      {clock && `, ${timeOfDay(at)}`}
    </time>
  )
}

/** How long ago something was; hover, touch or focus shows the exact time and zone. */
export const TimeAgo = (props: MomentProps) => <Moment {...props} words={timeAgo} />

/** How soon something comes, with the time of day when `clock`; exact as in `TimeAgo`. */
export const TimeUntil = (props: MomentProps) => <Moment {...props} words={timeUntil} />

export function Explained({ words, className, children }: { words: string; className?: string; children: ReactNode }) {
  return (
    <span data-tip={words} tabIndex={0} className={cx('rounded-sm', className)}>
      {children}
    </span>
  )
}

/** The address, if a browser may open it: https only. */
export function safeHref(address: string | null | undefined): string | undefined {
  if (!address) return undefined
  try {
    const url = new URL(address)
    return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined
  } catch {
    return undefined
  }
}

type SafeLinkProps = { href: string | null | undefined; children: ReactNode; className?: string; icon?: boolean }

/** A link to an address written by a stranger: only https, without referrer; else plain text. */
export function SafeLink({ href, children, className, icon = true }: SafeLinkProps) {
  const safe = safeHref(href)
  if (safe === undefined) return <span className={className}>{children}</span>
  return (
    <a
      href={safe}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      className={cx('text-accent-text underline underline-offset-2', className)}
    >
      {children}
      {icon && <ExternalLink aria-hidden="true" size={12} className="ml-1 inline align-baseline" />}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}

/** A picture from outside, or the initials if it is missing or fails to load. */
export function Avatar({ src, name, size = 32 }: { src?: string | null | undefined; name: string; size?: number }) {
  const [failed, setFailed] = useState(false)
  const safe = safeHref(src)
  const initials = name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('')
    .toUpperCase()
  if (safe !== undefined && !failed)
    return (
      <img
        src={safe}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        referrerPolicy="no-referrer"
        onError={() => setFailed(true)}
        className="shrink-0 rounded-full bg-sunken object-cover"
        style={{ width: size, height: size }}
      />
    )
  return (
    <span
      aria-hidden="true"
      className="inline-flex shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-text"
      style={{ width: size, height: size }}
    >
      {initials || '?'}
    </span>
  )
}

export function CopyButton({ value, label = 'Copy' }: { value: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const back = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(back)
  }, [copied])
  const copy = () =>
    void navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => {},
    )
  return (
    <>
      <Button size="sm" onClick={copy} icon={copied ? Check : Copy}>
        {copied ? 'Copied' : label}
      </Button>
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </>
  )
}

/** A value to copy, such as a key shown once; focus selects it. */
export function CopyField({ label, value, hint }: { label: string; value: string; hint?: ReactNode }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex items-center gap-2">
        <input
          id={id}
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
          className="h-8 w-full min-w-0 rounded-md border border-line-strong bg-sunken px-2.5 font-mono text-[0.8125rem]"
        />
        <CopyButton value={value} />
      </div>
      {hint && <p className="text-[0.8125rem] text-muted">{hint}</p>}
    </div>
  )
}

/** Preformatted text, such as a payload; scrolls and can be copied. */
export function CodeBlock({ code, label, maxHeight = 360 }: { code: string; label: string; maxHeight?: number }) {
  return (
    <figure className="rounded-lg border border-line bg-sunken">
      <figcaption className="flex items-center justify-between gap-2 border-b border-line px-3 py-1.5 text-[0.8125rem] text-muted">
        {label}
        <CopyButton value={code} />
      </figcaption>
      <section tabIndex={0} aria-label={label} className="overflow-auto p-3" style={{ maxHeight }}>
        <pre className="font-mono text-xs leading-5 whitespace-pre-wrap break-words">{code}</pre>
      </section>
    </figure>
  )
}
