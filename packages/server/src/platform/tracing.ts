import type { Attributes, Context, Span, SpanKind as OtelKind } from '@opentelemetry/api'
import { systemClock } from './clock.ts'
import { withSpan, currentSpan, currentLogContext } from './log-context.ts'

export type TracingSettings = {
  /** With its path. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly resource: Readonly<Record<string, string>>
  /** `followCaller`: a request with a trace is sampled as its caller was; `share` (0 to 1) applies to the rest. */
  readonly sampling: { readonly followCaller: boolean; readonly share: number }
}

type SpanRole = 'request' | 'work' | 'call'

type SpanEnd = { readonly attributes?: Attributes; readonly failed?: boolean; readonly name?: string }

/** Makes nested spans. Attributes are ids, names and numbers; never bodies, keys or whole URLs. */
export interface Tracing {
  readonly on: boolean
  /** `traceparent` is the caller's (W3C); `end` reads the outcome. */
  around<T>(
    name: string,
    about: {
      readonly role: SpanRole
      readonly attributes?: Attributes
      readonly traceparent?: string | undefined
      readonly end?: (outcome: T) => SpanEnd
    },
    work: () => Promise<T>,
  ): Promise<T>
  /** Records a span that ended after `elapsedMs`. */
  over(
    name: string,
    about: {
      readonly role: SpanRole
      readonly attributes: Attributes
      readonly elapsedMs: number
      readonly failed: boolean
    },
  ): void
  close(): Promise<void>
}

export const noTracing: Tracing = {
  on: false,
  around: (_name, _about, work) => work(),
  over: () => {},
  close: async () => {},
}

/** Starts OpenTelemetry, which is only loaded here. Spans that cannot be sent are dropped; the service never waits for them. */
export async function openTracing(settings: TracingSettings): Promise<Tracing> {
  const [
    { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags },
    { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider },
    { OTLPTraceExporter },
    { resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const share = new TraceIdRatioBasedSampler(settings.sampling.share)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...settings.resource, 'service.name': settings.serviceName }),
    sampler: settings.sampling.followCaller ? new ParentBasedSampler({ root: share }) : share,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: settings.url, headers: { ...settings.headers }, timeoutMillis: 5_000 }),
        exportTimeoutMillis: 5_000,
        scheduledDelayMillis: 1_000,
      }),
    ],
  })
  const tracer = provider.getTracer('lead-engagement-service')
  const kinds: Record<SpanRole, OtelKind> = { request: SpanKind.SERVER, work: SpanKind.INTERNAL, call: SpanKind.CLIENT }

  const parentOf = (traceparent: string | undefined): Context => {
    const remote =
      traceparent === undefined
        ? null
        : /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(traceparent)
    if (remote && !/^f{2}-/.test(traceparent!)) {
      const sampled = (Number.parseInt(remote[3]!, 16) & TraceFlags.SAMPLED) === TraceFlags.SAMPLED
      return trace.setSpanContext(ROOT_CONTEXT, {
        traceId: remote[1]!,
        spanId: remote[2]!,
        traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
        isRemote: true,
      })
    }
    const span = currentSpan()
    return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT
  }
  const finish = (span: Span, { attributes = {}, failed = false, name }: SpanEnd, endTime?: Date): void => {
    const { traceId: _traceId, ...about } = currentLogContext()
    span.setAttributes({
      ...Object.fromEntries(Object.entries(about).map(([field, value]) => [`les.${field}`, value])),
      ...attributes,
    })
    if (name !== undefined) span.updateName(name)
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endTime)
  }

  return {
    on: true,
    around: (name, { role, attributes = {}, traceparent, end }, work) => {
      const span = tracer.startSpan(name, { kind: kinds[role], attributes }, parentOf(traceparent))
      return withSpan(span, async () => {
        try {
          const outcome = await work()
          finish(span, end?.(outcome) ?? {})
          return outcome
        } catch (error) {
          // Not its message, which may quote personal data.
          finish(span, { failed: true, attributes: { 'error.type': error instanceof Error ? error.name : 'unknown' } })
          throw error
        }
      })
    },
    over: (name, { role, attributes, elapsedMs, failed }) => {
      const nowMs = systemClock.nowMs()
      const options = { kind: kinds[role], attributes, startTime: new Date(nowMs - elapsedMs) }
      finish(tracer.startSpan(name, options, parentOf(undefined)), { failed }, new Date(nowMs))
    },
    close: () => provider.shutdown().catch(() => {}),
  }
}
