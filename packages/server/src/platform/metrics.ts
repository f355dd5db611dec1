/** Prometheus metrics. Label values come from our own lists, never from callers (docs/operations.md). */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { counters } from '../counters.ts'
import { passedMs, systemClock } from './clock.ts'

type CounterDefinition = { readonly name: string; readonly label: string; readonly help: string }

export type CounterName = keyof typeof counters

type Labels = Readonly<Record<string, string>>

type NumberDefinition = { readonly name: string; readonly help: string; readonly labels: readonly string[] }

/** Histogram bounds in seconds, for milliseconds to half a minute. */
export const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

type SampledDefinition<Sample> = NumberDefinition & {
  readonly read: (sample: Sample) => readonly (readonly [Labels, number])[]
}

export type Metrics = {
  count(counter: CounterName, label: string, by: number): void
  counter(of: NumberDefinition): (labels: Labels, by?: number) => void
  /** `buckets` are ascending upper bounds. */
  histogram(of: NumberDefinition & { readonly buckets: readonly number[] }): (labels: Labels, value: number) => void
  gauge(of: NumberDefinition): (labels: Labels, value: number) => void
  /** Gauges of the latest sample, hidden once it is `freshMs` old: then another process samples, or none does. */
  sampled<Sample>(freshMs: number, of: readonly SampledDefinition<Sample>[]): (sample: Sample, atMs: number) => void
  text(): Promise<string>
  readonly registry: Registry
}

const settingsOf = ({ name, help, labels }: NumberDefinition, registry: Registry) => ({
  name,
  help,
  labelNames: [...labels],
  registers: [registry],
})

function openSampled<Sample>(
  registry: Registry,
  of: readonly SampledDefinition<Sample>[],
  freshMs: number,
  nowMs: () => number,
): (sample: Sample, atMs: number) => void {
  let last: { readonly sample: Sample; readonly atMs: number } | undefined
  for (const each of of)
    new Gauge({
      ...settingsOf(each, registry),
      collect() {
        this.reset()
        if (last === undefined || passedMs(last.atMs, nowMs()) >= freshMs) return
        for (const [labels, value] of each.read(last.sample)) this.set(labels, value)
      },
    })
  return (sample, atMs) => {
    last = { sample, atMs }
  }
}

/** Opens a registry of its own, so that two services in one process do not mix. */
export function openMetrics(
  definitions: Readonly<Record<CounterName, CounterDefinition>>,
  nowMs: () => number = systemClock.nowMs,
): Metrics {
  const registry = new Registry()
  const metrics: Omit<Metrics, 'count'> = {
    registry,
    counter: (of) => {
      const counter = new Counter(settingsOf(of, registry))
      return (labels, by = 1) => counter.inc(labels, by)
    },
    histogram: (of) => {
      const histogram = new Histogram({ ...settingsOf(of, registry), buckets: [...of.buckets] })
      return (labels, value) => histogram.observe(labels, value)
    },
    gauge: (of) => {
      const gauge = new Gauge(settingsOf(of, registry))
      return (labels, value) => gauge.set(labels, value)
    },
    sampled: (freshMs, of) => openSampled(registry, of, freshMs, nowMs),
    text: () => registry.metrics(),
  }
  const counted = new Map(
    Object.entries(definitions).map(([name, { label, ...of }]) => {
      const add = metrics.counter({ ...of, labels: [label] })
      return [name, (value: string, by: number) => add({ [label]: value }, by)]
    }),
  )
  return { ...metrics, count: (counter, label, by) => counted.get(counter)!(label, by) }
}
