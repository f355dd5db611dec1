import { METHODS } from 'node:http'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { anyText } from '../any-text.ts'
import { registry } from '@les/contract'
import { useLocalService } from './local-service.ts'
import { sendBytes, splitAnswers } from './raw-socket.ts'

const service = useLocalService()
let key = ''
beforeAll(async () => {
  ;({ key } = await service.team({ limits: { reads: 1_000_000, writes: 1_000_000 } }))
})

const sampleCalls = registry.map((operation) => ({
  operation,
  path: operation.path
    .replace('{username}', 'jane-doe')
    .replace(/\{(?:id|jobId)\}/, '00000000-0000-4000-8000-000000000000'),
}))

const junk = fc.oneof(
  anyText(40),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '',
    '%00',
    '%zz',
    '%ff',
    '..',
    '\u0000',
    '\r\n',
    '%2F',
    '%F0%9F%98%80',
    'é',
    'a'.repeat(3_000),
    '?',
    '#',
    '&&==',
    'limit=1&limit=2',
    '__proto__',
    'constructor',
  ),
)
const method = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE') },
  { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
)
const route = fc.constantFrom(...sampleCalls.map(({ path }) => path), '', '/nope')
const target = fc.oneof(
  { weight: 3, arbitrary: route.map((path) => `/api/v1${path}`) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(route, fc.array(junk, { maxLength: 2 }), junk)
      .map(([path, extra, query]) => `/api/v1${[path, ...extra].join('/')}${query === '' ? '' : `?${query}`}`),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...sampleCalls.map(({ operation }) => operation.path)), junk, junk)
      .map(([path, value, query]) => `/api/v1${path.replace(/\{\w+\}/g, encodeIf(value))}?${query}`),
  },
  { weight: 1, arbitrary: junk },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('/operator', '/openapi.json', '/livez', '/readyz', '/'), junk)
      .map((parts) => parts.join('')),
  },
)
function encodeIf(value: string): string {
  return value.isWellFormed() && value.length % 2 === 0 ? encodeURIComponent(value) : value
}
const json = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .tuple(
      fc.constantFrom('username', 'name', 'creditCap', 'mode', 'webhookUrl', 'saveTrackedProfile', '__proto__'),
      fc.jsonValue(),
    )
    .map(([name, value]) => JSON.stringify({ username: 'x', [name]: value })),
)
const body = fc.oneof(
  json,
  junk,
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom(
    '['.repeat(50_000),
    '{"a":'.repeat(40),
    `"${'x'.repeat(300_000)}"`,
    '{"username":"\\ud800"}',
    '{"name":"a\\u0000"}',
  ),
)
const headerText = fc.oneof(
  junk,
  fc.string({ maxLength: 20 }).map((text) => text.replace(/[^\x20-\x7e]/g, '')),
)
const header = fc
  .oneof(
    fc.tuple(
      fc.constantFrom(
        'Content-Type',
        'Idempotency-Key',
        'X-Request-Id',
        'Expect',
        'Content-Encoding',
        'Connection',
        'Upgrade',
        'Accept',
        'Authorization',
        'X-HTTP-Method-Override',
      ),
      headerText,
    ),
    fc.tuple(junk, junk),
  )
  .map(([name, value]) => `${name}: ${value}\r\n`)
const framing = fc.constantFrom('length', 'length', 'length', 'short', 'long', 'chunked', 'bad-chunks', 'both', 'none')

const wild = fc.record({
  method,
  target,
  version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', ''),
  keyed: fc.boolean(),
  headers: fc.array(header, { maxLength: 2 }),
  framing,
  body,
  cut: fc.option(fc.integer({ min: 0, max: 300 }), { freq: 10 }),
})

// Well-formed calls of real routes, so that bodies reach the later stages.
const tame = fc
  .tuple(
    fc.constantFrom(...sampleCalls),
    fc.constantFrom('length', 'chunked'),
    fc.oneof({ weight: 9, arbitrary: body }, { weight: 1, arbitrary: fc.constant(' '.repeat(300_000)) }),
  )
  .map(([{ operation, path }, framed, content]) => ({
    method: operation.method as string,
    target: `/api/v1${path}`,
    version: 'HTTP/1.1',
    keyed: true,
    headers: [] as string[],
    framing: framed,
    body: content,
    cut: null as number | null,
  }))
const request = fc.oneof({ weight: 3, arbitrary: wild }, { weight: 1, arbitrary: tame })

function bytesOf(made: typeof request extends fc.Arbitrary<infer T> ? T : never): Buffer {
  const content = Buffer.from(made.body, 'utf8')
  const length = (size: number) => `Content-Length: ${Math.max(0, size)}\r\n`
  const chunk = Buffer.concat([
    Buffer.from(`${content.length.toString(16)}\r\n`),
    content,
    Buffer.from('\r\n0\r\n\r\n'),
  ])
  const [fields, sent] = {
    length: [length(content.length), content],
    short: [length(content.length - 1), content],
    long: [length(content.length + 5), content],
    chunked: ['Transfer-Encoding: chunked\r\n', content.length > 0 ? chunk : Buffer.from('0\r\n\r\n')],
    'bad-chunks': ['Transfer-Encoding: chunked\r\n', Buffer.concat([Buffer.from('zz\r\n'), content])],
    both: [`${length(content.length)}Transfer-Encoding: chunked\r\n`, chunk],
    none: ['', content],
  }[made.framing] as [string, Buffer]
  const head =
    `${made.method} ${made.target} ${made.version}\r\n` +
    `Host: x\r\n${made.keyed ? `X-API-Key: ${key}\r\n` : ''}${made.headers.join('')}${fields}\r\n`
  const whole = Buffer.concat([Buffer.from(head, 'utf8'), sent])
  return made.cut === null ? whole : whole.subarray(0, made.cut)
}

test('2,000 malformed requests: no 5xx, no torn connection, no body that is not an error in JSON [ERR-01]', {
  timeout: 120_000,
}, async () => {
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(request, async (made) => {
      const bytes = bytesOf(made)
      const answer = await sendBytes(service.url, [bytes])
      expect({ reset: answer.reset, late: answer.late }).toEqual({ reset: false, late: false })
      // After a HEAD only Node's own refusals have a body, so bodies cannot be told apart and only statuses are read.
      const answers = made.method.startsWith('HEAD')
        ? [...answer.text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => ({
            status: Number(status),
            headers: {} as Record<string, string>,
            body: '',
          }))
        : splitAnswers(answer.text)
      if (answers.length === 0) expect(bytes.toString('latin1').replaceAll(/[\r\n]/g, '')).toBe('')
      for (const { status, headers, body: text } of answers.filter((one) => one.status >= 200 || !(one.status > 0))) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect(status).toBeLessThan(500)
        if (status < 400 || text === '') continue
        expect(headers['content-type']).toBe('application/json; charset=utf-8')
        expect(typeof JSON.parse(Buffer.from(text, 'latin1').toString()).error).toBe('string')
      }
    }),
    { numRuns: 2_000 },
  )
  // The generator must reach every stage of the pipeline, or the test shows nothing.
  for (const status of [200, 400, 401, 404, 405, 413]) expect([status, statuses.has(status)]).toEqual([status, true])
  // The stub handlers refuse everything in the same way, whatever their operations declare.
  expect(
    service.logLines.filter(
      (line) => line.includes('"level":"error"') && !line.includes('a refusal that it does not declare'),
    ),
  ).toEqual([])
  expect((await service.api('GET', '/keys', key)).status).toBe(200)
})
