/** Webhook development: genuine deliveries pass, others get an exact diagnosis. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deliveryHeaders, verifyWebhook } from '@les/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { signedHeaders, verify } from '../src/webhooks/delivery.ts'
import { les, startStub, type Circumstances, type Outcome, type Stub } from './shell.ts'

const secret = `whsec_${Buffer.from('a signing key of thirty-two bytes').toString('base64')}`
const otherSecret = `whsec_${Buffer.from('another key of the same length ..').toString('base64')}`
const headerNames = Object.fromEntries(
  Object.entries(deliveryHeaders).map(([key, name]) => [key, name.toLowerCase()]),
) as Record<keyof typeof deliveryHeaders, string>
const atSeconds = 1_795_000_000
const nowMs = atSeconds * 1000 + 2_000
const body = Buffer.from('{"event":"lead.detected","id":"d-1","text":"Zoë"}')
const message = (secretUsed = secret, bytes = body) => ({
  headers: signedHeaders(secretUsed, { id: 'd-1', event: 'lead.detected', body: bytes }, atSeconds),
  body: bytes,
})

let folder: string
let stub: Stub | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'les-webhooks-'))
})
afterEach(async () => {
  await stub?.close()
  stub = undefined
})
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string | Buffer): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

describe('verify', () => {
  it('agrees with what receivers use, except that it also looks at headers that are not signed', async () => {
    const cases = [
      message(),
      message(otherSecret),
      { ...message(), body: Buffer.from('{}') },
      { ...message(), headers: { ...message().headers, [headerNames.signature]: 'v1=' } },
    ]
    for (const each of cases) {
      for (const at of [nowMs, nowMs + 400_000]) {
        const { ok } = await verifyWebhook({ ...each, secret, now: new Date(at) })
        expect(verify(each, { secret, nowMs: at }).ok).toBe(ok)
      }
    }
  })
})

const requestText = ({ headers, body: bytes }: { headers: Record<string, string>; body: Buffer }, newline = '\r\n') =>
  `POST /hook HTTP/1.1${newline}${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}${newline}`)
    .join('')}${newline}${bytes.toString()}`

describe('les webhooks verify', () => {
  const env = { LES_SIGNING_SECRET: secret, LES_API_KEY: '' }
  it.each(['\r\n', '\n'])('reads a whole request from standard input (lines end %j)', async (newline) => {
    expect(await les('webhooks verify', { stdin: requestText(message(), newline), env, now: nowMs })).toMatchObject({
      code: 0,
      stdout: 'verified\tlead.detected\td-1\n',
      stderr: '',
    })
  })
  it('reads headers and body from files, a secret from a file, and judges a kept delivery as of its time', async () => {
    const argv = [
      'webhooks',
      'verify',
      '--headers',
      file(
        'headers',
        Object.entries(message().headers)
          .map(([name, value]) => `${name.toUpperCase()}: ${value}\n`)
          .join(''),
      ),
      '--body',
      file('body', body),
      '--secret-file',
      file('secret', `${secret}\n`),
    ]
    expect((await les([...argv, '--at', new Date(nowMs).toISOString()])).code).toBe(0)
    const late = await les([...argv, '--json'], { now: nowMs + 3_600_000 })
    expect({ code: late.code, json: JSON.parse(late.stdout) as unknown }).toMatchObject({
      code: 1,
      json: { ok: false, problem: 'timestamp_skew' },
    })
    expect(late.stderr).toMatch(/^les: timestamp skew: the timestamp is 3602 s old/)
  })
  it('asks the service whether the secret or the body is wrong when that cannot be told from the delivery', async () => {
    const changed = { headers: message().headers, body: Buffer.from(body.toString().replace('Zoë', 'Eve')) }
    stub = await startStub(({ path }) => ({
      body: path.endsWith('/webhook') ? { signingSecret: secret } : { sources: [{ id: 's', status: 'active' }] },
    }))
    const at = { url: stub.url, now: nowMs }
    expect(
      (await les('webhooks verify', { ...at, stdin: requestText(changed), env: { LES_SIGNING_SECRET: secret } }))
        .stderr,
    ).toContain('body changed: the secret is the right one')
    expect(
      (
        await les('webhooks verify', {
          ...at,
          stdin: requestText(message()),
          env: { LES_SIGNING_SECRET: otherSecret },
        })
      ).stderr,
    ).toContain('wrong secret')
    expect((await les('webhooks verify', { ...at, stdin: requestText(message()) })).code).toBe(0)
  })
  it.each([
    [['--headers', 'x'], ''],
    [[], 'no headers at all'],
    [['--at', 'yesterday'], requestText(message())],
    [['--secret-file', '/nowhere/secret'], requestText(message())],
  ])('%j with %j is a usage error', async (flags, stdin) =>
    expect((await les(['webhooks', 'verify', ...flags], { stdin, env })).code).toBe(2),
  )
  it('without a secret anywhere says where one could come from', async () => {
    const outcome = await les('webhooks verify', { stdin: requestText(message()), env: { LES_API_KEY: '' } })
    expect(outcome.code).toBe(2)
    expect(outcome.stderr).toContain('--secret-file or LES_SIGNING_SECRET')
  })
})

async function listening(
  argv: string | readonly string[],
  more: Circumstances = {},
): Promise<{ url: string; ended: Promise<Outcome>; interrupt: () => void }> {
  const [interrupt, port] = [new AbortController(), await freePort()]
  const ended = les(['webhooks', 'listen', '--port', String(port), ...argv], {
    signal: interrupt.signal,
    now: nowMs,
    ...more,
    env: { LES_SIGNING_SECRET: secret, ...more.env },
  })
  const url = `http://127.0.0.1:${port}/`
  let over = false
  void ended.finally(() => (over = true))
  while (
    !over &&
    !(await fetch(url).then(
      (response) => response.status === 405,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 10))
  return { url, ended, interrupt: () => interrupt.abort() }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const deliver = async (url: string, { headers, body: bytes } = message()) =>
  (await fetch(url, { method: 'POST', headers, body: new Uint8Array(bytes) })).status

describe('les webhooks listen', () => {
  it('verifies and shows deliveries, refuses false ones with 400 and the reason, and ends after --count', async () => {
    const { url, ended } = await listening(['--count', '2'])
    expect([await deliver(url), await deliver(url, message(otherSecret)), await deliver(url)]).toEqual([200, 400, 200])
    const { code, stdout, stderr } = await ended
    expect(code).toBe(0)
    expect(stdout.split('\n').map((line) => line.split('\t').slice(1, 3))).toEqual([
      ['verified', 'lead.detected'],
      ['not verified', 'lead.detected'],
      ['verified', 'lead.detected'],
      [],
    ])
    expect(stderr).toContain('LES_ALLOW_PRIVATE_DESTINATIONS=1')
  })

  it('--json gives one line for each, with the event', async () => {
    const { url, ended } = await listening(['--count', '1', '--json', '--quiet'])
    await deliver(url)
    const { stdout, stderr } = await ended
    expect([JSON.parse(stdout), stderr]).toEqual([
      { verified: true, event: JSON.parse(body.toString()) as unknown },
      '',
    ])
  })

  it('--forward-to sends on exactly what came, and answers as the receiver does; nothing false is sent on', async () => {
    stub = await startStub((_, nth) => ({ status: nth === 1 ? 503 : 204, text: '' }))
    const { url, ended } = await listening(['--forward-to', `${stub.url}/hooks?x=1`, '--count', '2'])
    expect([await deliver(url), await deliver(url, message(otherSecret)), await deliver(url)]).toEqual([503, 400, 204])
    expect((await ended).stdout).toContain('\tforwarded 503\n')
    expect(
      stub.received.map(({ path, headers, body: received }) => [path, headers[headerNames.signature], received]),
    ).toEqual(Array(2).fill(['/hooks', message().headers[headerNames.signature], JSON.parse(body.toString())]))
  })

  it('Ctrl-C ends it; --timeout ends it with 8; a port in use is told', async () => {
    const first = await listening([])
    const second = await les(['webhooks', 'listen', '--port', new URL(first.url).port], {
      env: { LES_SIGNING_SECRET: secret },
    })
    expect([second.code, second.stderr.includes('is in use')]).toEqual([1, true])
    first.interrupt()
    expect((await first.ended).code).toBe(0)
    const late = await les('webhooks listen --port 0 --timeout 0.05', {
      env: { LES_SIGNING_SECRET: secret },
    })
    expect(late).toMatchObject({ code: 8, stderr: expect.stringContaining('0 verified events in 0.05 s') as string })
  })
})

describe('les webhooks trigger', () => {
  it.each(['lead.detected', 'post.detected', 'sync.completed', 'sync.failed'])(
    'sends a signed %s that says it is a sample',
    async (event) => {
      const { url, ended } = await listening(['--count', '1', '--json'])
      const sent = await les(['webhooks', 'trigger', event, '--to', url], {
        env: { LES_SIGNING_SECRET: secret },
        now: nowMs,
      })
      expect([sent.code, sent.stdout]).toEqual([
        0,
        expect.stringMatching(new RegExp(`^sent\\t${event}\\t[0-9a-f-]{36}\\t200\\n$`)),
      ])
      expect(JSON.parse((await ended).stdout)).toMatchObject({
        verified: true,
        event: { event, sample: true, sentAt: new Date(nowMs).toISOString() },
      })
    },
  )
  it('goes to this machine only, and says when nobody is there or the receiver refuses', async () => {
    const env = { LES_SIGNING_SECRET: secret }
    for (const to of ['https://hooks.example.com/', 'http://10.0.0.1/', 'ftp://localhost/', 'nowhere'])
      expect((await les(['webhooks', 'trigger', '--to', to], { env })).code).toBe(2)
    expect(
      (await les(['webhooks', 'trigger', '--to', `http://localhost:${await freePort()}/`], { env })).stderr,
    ).toContain('nobody answers')
    stub = await startStub(() => ({ status: 500 }))
    expect((await les(['webhooks', 'trigger', '--to', stub.url], { env })).code).toBe(1)
  })
})
