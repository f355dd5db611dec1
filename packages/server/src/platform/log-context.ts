/** The ids of the current request, run or job travel with the async context onto every log line and span. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

/** Ids and numbers; never anything secret. */
type LogContext = Readonly<Record<string, string | number>>

type Scope = { readonly fields: Record<string, string | number>; readonly span: Span | undefined }

const scopes = new AsyncLocalStorage<Scope>()

/** Runs work in a scope inside the current one: ids added there stay there. */
export function withLogContext<T>(about: LogContext, work: () => T): T {
  const outer = scopes.getStore()
  return scopes.run({ fields: { ...outer?.fields, ...about }, span: outer?.span }, work)
}

/** Runs work in a scope of its own, for work only triggered by the current one. */
export function withSeparateLogContext<T>(about: LogContext, work: () => T): T {
  return scopes.run({ fields: { ...about }, span: undefined }, work)
}

/** Adds ids to the current scope, if there is one. */
export function addLogContext(about: LogContext): void {
  const scope = scopes.getStore()
  if (scope) Object.assign(scope.fields, about)
}

/** The ids of the current scope, with its trace id. */
export function currentLogContext(): LogContext {
  const scope = scopes.getStore()
  if (!scope) return {}
  return scope.span ? { ...scope.fields, traceId: scope.span.spanContext().traceId } : scope.fields
}

/** The current span. */
export const currentSpan = (): Span | undefined => scopes.getStore()?.span

/** Runs a part of the current work under a span, in the same scope. */
export function withSpan<T>(span: Span, work: () => T): T {
  return scopes.run({ fields: scopes.getStore()?.fields ?? {}, span }, work)
}
