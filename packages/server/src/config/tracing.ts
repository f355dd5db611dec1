import type { TracingSettings } from '../platform/tracing.ts'
import { text, url, type Reading } from './reading.ts'

function pairs(reading: Reading, name: string): Record<string, string> {
  const value = text(reading, name)
  if (value === undefined) return {}
  const read = value
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => /^\s*([^=\s]+)\s*=(.*)$/.exec(part))
  if (read.includes(null)) reading.mistakes.push(`${name} must be a list of name=value, separated by commas`)
  return Object.fromEntries(
    read.filter((part) => part !== null).map(([, key, given]) => [key!, decoded(given!.trim())]),
  )
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
]

/** Reads OpenTelemetry's own variables; undefined without a URL, or when the SDK is disabled. */
export function tracing(reading: Reading): TracingSettings | undefined {
  const base = url(reading, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['https:', 'http:'])
  const own = url(reading, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['https:', 'http:'])
  const isOff =
    text(reading, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || text(reading, 'OTEL_TRACES_EXPORTER') === 'none'
  if (isOff || (base === undefined && own === undefined)) return undefined
  const protocol = text(reading, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? text(reading, 'OTEL_EXPORTER_OTLP_PROTOCOL')
  if (protocol !== undefined && !protocol.startsWith('http/'))
    reading.mistakes.push(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, not ${JSON.stringify(protocol)}`)
  const sampler = text(reading, 'OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  if (!samplers.includes(sampler))
    reading.mistakes.push(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}, not ${JSON.stringify(sampler)}`)
  const asked = Number(text(reading, 'OTEL_TRACES_SAMPLER_ARG') ?? '1')
  if (!(asked >= 0 && asked <= 1)) reading.mistakes.push('OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1')
  return {
    url: own ?? `${base}/v1/traces`,
    headers: {
      ...pairs(reading, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...pairs(reading, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    serviceName: text(reading, 'OTEL_SERVICE_NAME') ?? 'lead-engagement-service',
    resource: pairs(reading, 'OTEL_RESOURCE_ATTRIBUTES'),
    sampling: {
      followCaller: sampler.startsWith('parentbased_'),
      share: sampler.endsWith('ratio') ? asked : sampler.endsWith('always_off') ? 0 : 1,
    },
  }
}
