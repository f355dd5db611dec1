/**
 * What a piece of work is about: a request, a run, a job. Its ids ride along with everything that happens inside, so that every
 * log line and span carries them without being handed them.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

/** Names of ids and numbers, never of anything secret. */
type LogContext = Readonly<Record<string, string | number>>

type Scope = { readonly fields: Record<string, string | number>; readonly span: Span | undefined }

const scopes = new AsyncLocalStorage<Scope>()

/** Runs a piece of work of its own: what is noted inside stays inside. */
export function withLogContext<T>(about: LogContext, work: () => T): T {
  const outer = scopes.getStore()
  return scopes.run({ fields: { ...outer?.fields, ...about }, span: outer?.span }, work)
}

/** Runs a piece of work that belongs to nothing around it: what woke it is about something else. */
export function withSeparateLogContext<T>(about: LogContext, work: () => T): T {
  return scopes.run({ fields: { ...about }, span: undefined }, work)
}

/** Adds to what the present piece of work is about; nothing happens outside of one. */
export function addLogContext(about: LogContext): void {
  const scope = scopes.getStore()
  if (scope) Object.assign(scope.fields, about)
}

/** What the present piece of work is about, with the trace it belongs to. */
export function currentLogContext(): LogContext {
  const scope = scopes.getStore()
  if (!scope) return {}
  return scope.span ? { ...scope.fields, traceId: scope.span.spanContext().traceId } : scope.fields
}

/** The span around the present moment. */
export const currentSpan = (): Span | undefined => scopes.getStore()?.span

/** Runs a part of the present piece of work under a span; what is noted inside belongs to the whole. */
export function withSpan<T>(span: Span, work: () => T): T {
  return scopes.run({ fields: scopes.getStore()?.fields ?? {}, span }, work)
}
