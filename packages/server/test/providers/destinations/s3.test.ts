/** The S3 adapter against its twin, which checks signatures: files are written once, and a manifest lists the valid ones. */
import { type Sandbox, startSandbox } from '@les/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPooledEgress } from '../../../src/platform/egress/index.ts'
import { platformCall } from '../../../src/providers/destinations/http.ts'
import { DestinationFailure, type AdapterParts, type RecordOutcome } from '../../../src/providers/destinations/port.ts'
import { s3 } from '../../../src/providers/destinations/s3/s3.ts'
import { addressOf } from '../../../src/providers/destinations/s3/store.ts'
import { recordAbout, strangeTexts } from './documents.ts'
import { hostileTexts, type Stage } from './stage.ts'
import { describeDestination } from './suite.ts'

const linesIn = (stage: Stage) =>
  stage.sandbox.world.twins.s3
    .view('leads-bucket')
    .objects.flatMap(({ key, text }) => (key.endsWith('.jsonl.gz') ? text.trimEnd().split('\n') : []))

describeDestination({
  adapter: s3,
  baseUrl: (stage) => stage.sandbox.addresses.destinations.s3,
  settings: (endpoint) => ({ endpoint, region: 'eu-west-1', bucket: 'leads-bucket' }),
  credentials: (key) => ({
    accessKeyId: `AKIA${key.includes('revoked') ? 'GONE' : key.includes('denied') ? 'DENIED' : 'GOOD'}EXAMPLE`,
    secretAccessKey: key,
  }),
  people: linesIn,
  write: { vendor: 's3', operation: 'put' },
  bad: null,
  badField: null,
  lacking: { key: 'denied', scope: 's3:PutObject' },
  breakSetup: null,
  hasQuota: false,
  onChange: 'added',
  answersJson: false,
  expectInert: (stage) =>
    expect(
      linesIn(stage)
        .map((line) => (JSON.parse(line) as { name: string }).name)
        .sort(),
    ).toEqual([...hostileTexts].sort()),
})

const now = new Date('2026-11-28T12:00:00.000Z')
const egress = openPooledEgress()
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 's3', now: () => now })
})
afterEach(() => sandbox.world.reset())
afterAll(async () => {
  await egress.close()
  await sandbox.close()
})

const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const parts = (change: Partial<AdapterParts> = {}): AdapterParts => ({
  call: platformCall(egress),
  baseUrl: '',
  now,
  ...change,
})
const to = ({ bucket = 'leads-bucket', prefix = 'les/prod', accessKeyId = 'AKIAGOODEXAMPLE' } = {}) => {
  sandbox.world.twins.s3.change(accessKeyId, { secret: secretAccessKey })
  return {
    settings: s3.settings.parse({ endpoint: sandbox.addresses.destinations.s3, region: 'eu-west-1', bucket, prefix }),
    credentials: s3.credentials.parse({ accessKeyId, secretAccessKey }),
    mapping: [],
  }
}
const objects = (bucket = 'leads-bucket') => sandbox.world.twins.s3.view(bucket).objects
const keys = (bucket?: string) => objects(bucket).map(({ key }) => key)
const linesOf = (key: string) =>
  objects()
    .find((object) => object.key === key)!
    .text.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const partOf = ([outcome]: readonly RecordOutcome[]): string => {
  if (outcome?.state !== 'written') throw new Error(`not written: ${JSON.stringify(outcome)}`)
  return outcome.remote.id
}
const troubleOf = async (asking: Promise<unknown>) => {
  const error: unknown = await asking.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DestinationFailure)
  return error as DestinationFailure
}

describe('files', () => {
  it('are lines of JSON below the day of delivery, one line a delivery [DST-12]', async () => {
    const outcomes = await s3.deliver(parts(), to(), [recordAbout('grace'), recordAbout('ada')])
    const key = partOf(outcomes)
    expect(key).toMatch(/^les\/prod\/leads\/2026-11-28\/part-[0-9a-f]{32}\.jsonl\.gz$/)
    expect(outcomes).toMatchObject([
      { state: 'written', how: 'created', remote: { id: key } },
      { state: 'written', how: 'created', remote: { id: key } },
    ])
    expect(linesOf(key)).toMatchObject([
      { deliveryId: 'delivery-ada', personKey: 'ada', name: 'Ada Lovelace', version: 1 },
      { deliveryId: 'delivery-grace', personKey: 'grace', company: { domain: 'acme.example' } },
    ])
  })

  it('have a name made of their deliveries: again, in any order and after midnight, nothing is written twice [DST-07, DST-12]', async () => {
    const connection = to()
    const people = [recordAbout('ada'), recordAbout('grace')]
    const key = partOf(await s3.deliver(parts(), connection, people))
    const later = parts({ day: '2026-11-28', now: new Date(now.getTime() + 10_000) })
    expect(await s3.deliver(later, connection, people.toReversed())).toMatchObject([
      { state: 'written', how: 'adopted', remote: { id: key } },
      { state: 'written', how: 'adopted', remote: { id: key } },
    ])
    expect(objects().map(({ key: name, writes }) => [name, writes])).toEqual([[key, 1]])
  })

  it('after an answer that was lost: the same file, or another where a fact has changed since [DST-07]', async () => {
    const connection = to()
    sandbox.world.fault({ vendor: 's3', operation: 'put', kind: 'lost_reply', times: 1 })
    expect(await s3.deliver(parts(), connection, [recordAbout('ada')])).toMatchObject([{ state: 'unknown' }])
    expect(await s3.find(parts(), connection, ['ada'])).toBeNull()
    expect(s3.isRepeatable).toBe(true)
    const same = await s3.deliver(parts(), connection, [recordAbout('ada')])
    expect(same).toMatchObject([{ state: 'written', how: 'adopted' }])
    const changed = partOf(await s3.deliver(parts(), connection, [recordAbout('ada', { jobTitle: 'Countess' })]))
    expect(changed).toMatch(/-[0-9a-f]{8}\.jsonl\.gz$/)
    expect(linesOf(changed)).toMatchObject([{ jobTitle: 'Countess' }])
    expect(partOf(await s3.deliver(parts(), connection, [recordAbout('ada', { jobTitle: 'Countess' })]))).toBe(changed)
    expect(keys()).toEqual([partOf(same), changed])
  })

  it.each([
    ['overwrites the same bytes where conditional writes are not known', 'plain-bucket', 2],
    ['is looked at first where they are refused', 'older-bucket', 1],
  ])('%s [DST-12]', async (_what, bucket, writes) => {
    for (const how of ['first', 'again'])
      expect([how, await s3.deliver(parts(), to({ bucket }), [recordAbout('ada')])]).toMatchObject([
        how,
        [{ state: 'written' }],
      ])
    expect(objects(bucket).map((object) => object.writes)).toEqual([writes])
  })

  it('about nobody stay out of the day [DST-03]', async () => {
    const [real, sample] = await s3.deliver(parts(), to(), [
      recordAbout('ada'),
      recordAbout('sample', { isSample: true }),
    ])
    expect([partOf([real!]), partOf([sample!])]).toEqual([
      expect.stringMatching(/^les\/prod\/leads\/2026-11-28\//),
      expect.stringMatching(/^les\/prod\/samples\//),
    ])
  })

  it('hold texts of strangers a line each, whatever is in them [DST-12]', async () => {
    const people = strangeTexts.map((text, at) =>
      recordAbout(`h-${String(at).padStart(2, '0')}`, { name: text, why: text }),
    )
    const key = partOf(await s3.deliver(parts(), to(), people))
    expect(linesOf(key).map(({ name }) => name)).toEqual([...strangeTexts])
  })

  it.each(['a b/c+d', "o'brien (eu)!*", 'ä/日本', '~_-.x'])(
    'below the prefix %j are signed as they are sent [DST-12]',
    async (prefix) => {
      const key = partOf(await s3.deliver(parts(), to({ prefix }), [recordAbout('ada')]))
      expect(key.startsWith(`${prefix}/leads/`)).toBe(true)
      expect(keys()).toEqual([key])
    },
  )
})

describe('a day', () => {
  it('is whole when its manifest is there, which names its files and is written once [DST-12]', async () => {
    const connection = to()
    const one = partOf(await s3.deliver(parts(), connection, [recordAbout('ada')]))
    const two = partOf(await s3.deliver(parts(), connection, [recordAbout('grace')]))
    await s3.closeDay!(parts(), connection, '2026-11-28', [two, one, one])
    await s3.closeDay!(parts(), connection, '2026-11-28', [one, two])
    const manifest = objects().find(({ key }) => key === 'les/prod/leads/2026-11-28/manifest.json')!
    expect(JSON.parse(manifest.text)).toEqual({
      version: 1,
      day: '2026-11-28',
      parts: [one, two].sort(),
    })
    expect(manifest.writes).toBe(1)
    const failure = await troubleOf(s3.closeDay!(parts(), connection, '2026-11-28', [one]))
    expect([failure.trouble, failure.message]).toEqual(['request_refused', expect.stringContaining('another manifest')])
  })
})

describe('trouble', () => {
  it.each([
    ['a bucket that is gone', 'missing-bucket', 'setup_missing'],
    ['a bucket of another region', 'elsewhere-bucket', 'setup_missing'],
  ])('%s, when checked and when delivered to [DST-01, DST-09]', async (_what, bucket, trouble) => {
    const connection = { bucket }
    const check = await s3.check(parts(), to(connection)).catch((error: unknown) => error)
    expect(check).toMatchObject({ trouble })
    if (bucket === 'elsewhere-bucket') expect(String(check)).toContain('eu-central-1')
    expect(await s3.deliver(parts(), to(connection), [recordAbout('ada')])).toMatchObject([{ state: 'later', trouble }])
  })

  it('a secret that is another signs nothing that is taken, and is not quoted [DST-01]', async () => {
    const connection = to()
    const other = { ...connection, credentials: { ...connection.credentials, secretAccessKey: 'another-secret-000' } }
    const failure = await troubleOf(s3.check(parts(), other))
    expect(failure.trouble).toBe('auth_revoked')
    expect(failure.message).not.toContain('another-secret')
  })

  it.each([
    [{ kind: 'quota' }, 'rate'],
    [{ kind: 'status', status: 409 }, 'unavailable'],
  ] as const)('%j is later [DST-09]', async (fault, trouble) => {
    sandbox.world.fault({ vendor: 's3', ...fault, times: 1 })
    expect(await s3.deliver(parts(), to(), [recordAbout('ada')])).toMatchObject([{ state: 'later', trouble }])
    expect(await s3.deliver(parts(), to(), [recordAbout('ada')])).toMatchObject([{ state: 'written', how: 'created' }])
  })

  it.each(['error_in_200', 'html_200'] as const)(
    'a success with %s in it may have been one [DST-07, DST-09]',
    async (kind) => {
      const connection = to()
      sandbox.world.fault({ vendor: 's3', kind, times: 1 })
      expect(await s3.deliver(parts(), connection, [recordAbout('ada')])).toMatchObject([{ state: 'unknown' }])
    },
  )

  it('a check says what a store cannot do, and writes the same file once [DST-03]', async () => {
    expect(await s3.check(parts(), to())).toEqual({
      account: 'bucket leads-bucket in eu-west-1, access key AKIAGOODEXAMPLE',
      scopes: ['s3:PutObject'],
      missing: [],
      findings: [],
    })
    expect(keys()).toEqual(['les/prod/les-check.txt'])
    expect((await s3.check(parts(), to({ bucket: 'plain-bucket' }))).findings).toEqual([
      expect.stringContaining('If-None-Match'),
    ])
  })
})

describe('addresses', () => {
  const settings = { region: 'eu-west-1', bucket: 'leads' }
  it.each([
    [settings, 'https://leads.s3.eu-west-1.amazonaws.com/a/b%20c'],
    [{ ...settings, pathStyle: true }, 'https://s3.eu-west-1.amazonaws.com/leads/a/b%20c'],
    [{ ...settings, bucket: 'my.leads' }, 'https://s3.eu-west-1.amazonaws.com/my.leads/a/b%20c'],
    [{ region: 'cn-north-1', bucket: 'leads' }, 'https://leads.s3.cn-north-1.amazonaws.com.cn/a/b%20c'],
    [{ ...settings, endpoint: 'https://store.example:9000/v1/s3/' }, 'https://store.example:9000/v1/s3/leads/a/b%20c'],
    [{ ...settings, endpoint: 'https://store.example', pathStyle: false }, 'https://leads.store.example/a/b%20c'],
  ])('%j is %s', (given, address) => expect(addressOf(s3.settings.parse(given), 'a/b c').href).toBe(address))

  it.each([
    { ...settings, endpoint: 'ftp://store.example' },
    { ...settings, endpoint: 'https://me:pw@store.example' },
    { ...settings, endpoint: 'https://store.example?x=1' },
    { ...settings, bucket: '../other' },
    { ...settings, bucket: 'Leads' },
    { ...settings, prefix: 'a/../b' },
    { ...settings, prefix: 'a//b' },
    { ...settings, region: 'eu west' },
    { ...settings, folder: 'x' },
    { bucket: 'leads' },
  ])('%j is refused [DST-01]', (given) => expect(s3.settings.safeParse(given).success).toBe(false))

  it('of customers are named, to be checked as theirs [DST-14]', () => {
    expect(s3.customerAddress!({ ...settings, endpoint: 'https://store.example' })).toBe('https://store.example')
    expect(s3.customerAddress!(settings)).toBeNull()
    expect(s3.hint({ accessKeyId: 'AKIA', secretAccessKey })).toBe('EKEY')
  })
})
