import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/env.ts'
import { type TracingSettings, noTracing } from '../../src/platform/tracing.ts'
import { likes, people, track } from '../scenarios/sync-stage.ts'
import { createWorld, type Team, type World } from '../world/world.ts'
import { keptLog, openCollector, type Collector, type ReceivedSpan } from './stage.ts'

const settingsFor = (collector: Collector, change: Partial<TracingSettings> = {}): TracingSettings => ({
  url: collector.url,
  headers: { 'x-tenant': 'tests' },
  serviceName: 'les-under-test',
  resource: { 'deployment.environment.name': 'test' },
  sampling: { followCaller: true, share: 1 },
  ...change,
})

describe('a service that traces', () => {
  const kept = keptLog()
  let collector: Collector
  let world: World
  let team: Team
  let spans: ReceivedSpan[]
  const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
  const named = (name: string) => spans.filter((span) => span.name === name)
  const below = (parent: ReceivedSpan) => spans.filter((span) => span.parent === parent.id)

  beforeAll(async () => {
    collector = await openCollector()
    world = await createWorld({ config: { tracing: settingsFor(collector) }, log: kept.log })
    team = await world.team({ credits: 100 })
    const [author, inbox] = [world.handle('author'), await world.inbox()]
    world.network.seedPost({ author, reactions: likes(people(world, 2)) })
    await track(team, author)
    await team.put(`/profile/${author}/webhook`, { webhookUrl: `${inbox.url}?token=of-the-receiver`, autoSend: true })
    await world.drain()
    await team.get('/credits', {
      headers: { traceparent: `00-${caller.traceId}-${caller.spanId}-01`, 'x-request-id': 'traced-request' },
    })
    await team.get('/leads', {
      headers: { traceparent: `00-${caller.traceId}-${caller.spanId}-00`, 'x-request-id': 'untraced-request' },
    })
    await team.get('/credits', { headers: { traceparent: 'not-a-trace', 'x-request-id': 'own-trace' } })
    world.network.fault({ kind: 'status', status: 402, vendor: 'harvestapi', times: 1 })
    await team.post('/enrich/profile', { username: world.handle('other'), saveTrackedProfile: true })
    await world.drain()
    await world.close()
    spans = collector.spans()
  })
  afterAll(() => collector.close())

  it('names itself and uses the headers it was given', () => {
    expect(collector.resources()[0]).toMatchObject({
      'service.name': 'les-under-test',
      'deployment.environment.name': 'test',
    })
    expect(collector.headers[0]).toMatchObject({ 'x-tenant': 'tests', path: '/v1/traces' })
  })

  it('a request is a span with its operation, team, status and id, and follows the trace its caller names', () => {
    const [request] = spans.filter(
      (span) => span.attributes['les.requestId'] === 'traced-request' && span.name.startsWith('api '),
    )
    expect(request).toMatchObject({
      traceId: caller.traceId,
      parent: caller.spanId,
      kind: 2,
      failed: false,
      attributes: { 'les.teamId': team.id, 'http.request.method': 'GET', 'http.response.status_code': 200 },
    })
    expect(request!.name).toBe(`api ${String(request!.attributes['les.operation'])}`)
    const [own] = spans.filter((span) => span.attributes['les.requestId'] === 'own-trace')
    expect([own!.parent, own!.traceId === caller.traceId]).toEqual([undefined, false])
  })

  it('a unit of background work is a trace of its own with its ids; units of work and vendor calls lie below it', () => {
    const capture = named('work capture').filter((span) => span.attributes['les.outcome'] === 'worked')
    expect(capture.length).toBeGreaterThan(1)
    expect(
      capture.every(
        (span) =>
          span.parent === undefined &&
          span.attributes['les.teamId'] === team.id &&
          typeof span.attributes['les.runId'] === 'string',
      ),
    ).toBe(true)
    expect(capture.some((span) => below(span).some(({ name }) => name === 'unit of work'))).toBe(true)
    const calls = named('harvestapi reactions')
    expect(calls.length).toBeGreaterThan(0)
    expect(
      calls.every((call) => call.kind === 3 && capture.some(({ id }) => id === call.parent) && call.tookMs >= 0),
    ).toBe(true)
  })

  it('a delivery attempt shows whom it went to by host alone', () => {
    const attempts = named('delivery attempt')
    expect(attempts.length).toBeGreaterThan(0)
    expect(
      attempts.every(
        (span) =>
          span.kind === 3 &&
          span.attributes['server.address'] === '127.0.0.1' &&
          span.attributes['http.response.status_code'] === 200 &&
          typeof span.attributes['les.deliveryId'] === 'string',
      ),
    ).toBe(true)
    expect(collector.bodies.join('')).not.toContain('of-the-receiver')
  })
})

describe('without an address', () => {
  it('nothing is traced', () => {
    expect(readConfig({}).tracing).toBeUndefined()
    expect(noTracing.on).toBe(false)
  })

  it.each<[string, Record<string, string>, Partial<TracingSettings> | undefined]>([
    [
      'the base address gets the path',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318/' },
      {
        url: 'http://otel:4318/v1/traces',
        serviceName: 'lead-engagement-service',
        sampling: { followCaller: true, share: 1 },
      },
    ],
    [
      'the address of traces is used as it is',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.example/otlp' },
      { url: 'https://t.example/otlp' },
    ],
    [
      'lists and the sampler',
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20eA==, x-a=b',
        OTEL_RESOURCE_ATTRIBUTES: 'a=1,b=2',
        OTEL_SERVICE_NAME: 'les',
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      },
      {
        headers: { authorization: 'Basic eA==', 'x-a': 'b' },
        resource: { a: '1', b: '2' },
        serviceName: 'les',
        sampling: { followCaller: false, share: 0.25 },
      },
    ],
    ['switched off', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318', OTEL_SDK_DISABLED: 'true' }, undefined],
    ['none', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318', OTEL_TRACES_EXPORTER: 'none' }, undefined],
  ])('%s', (_name, env, expected) => {
    const { tracing } = readConfig(env)
    if (expected === undefined) expect(tracing).toBeUndefined()
    else expect(tracing).toMatchObject(expected)
  })
})
