/** The Slack adapter against its twin: one message per batch, the meaning of refusals, and strangers' texts that stay text. */
import { type Sandbox, startSandbox } from '@les/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPooledEgress } from '../../../src/platform/egress/index.ts'
import { platformCall } from '../../../src/providers/destinations/http.ts'
import type { AdapterParts, Connection } from '../../../src/providers/destinations/port.ts'
import { slack } from '../../../src/providers/destinations/slack.ts'
import { recordAbout, strangeTexts } from './documents.ts'
import type { Stage } from './stage.ts'
import { describeDestination } from './suite.ts'

const channelOf = (stage: Stage, key: string) =>
  stage.sandbox.world.twins.slack.view(`/services/T0001/B0001/${key}`).messages

describeDestination({
  adapter: slack,
  baseUrl: (stage) => stage.sandbox.addresses.destinations.slack,
  settings: {},
  credentials: (key) => ({ webhookUrl: `https://hooks.slack.com/services/T0001/B0001/${key}` }),
  people: (stage, key) =>
    channelOf(stage, key)
      .flatMap(({ texts }) => texts.slice(1))
      .filter((text) => !text.startsWith('<')),
  write: { vendor: 'slack', operation: 'webhook' },
  bad: null,
  badField: null,
  lacking: { key: 'prohibited', scope: 'incoming-webhook' },
  breakSetup: null,
  hasQuota: false,
  answersJson: false,
  expectInert: (stage, key) => {
    expect(channelOf(stage, key)).toHaveLength(6)
    expect(channelOf(stage, key).flatMap(({ pings }) => pings)).toEqual([])
  },
})

const now = new Date('2026-11-28T12:00:00.000Z')
const egress = openPooledEgress()
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'slack', now: () => now })
})
afterEach(() => sandbox.world.reset())
afterAll(async () => {
  await egress.close()
  await sandbox.close()
})

const parts = (): AdapterParts => ({ call: platformCall(egress), baseUrl: sandbox.addresses.destinations.slack, now })
const pathOf = (token: string) => `/services/T0001/B0001/${token}`
const to = (
  token = 'good-token',
  host = 'hooks.slack.com',
): Connection<Record<string, never>, { webhookUrl: string }> => ({
  settings: {},
  credentials: { webhookUrl: `https://${host}${pathOf(token)}` },
  mapping: [],
})
type Message = ReturnType<Sandbox['world']['twins']['slack']['view']>['messages'][number]
const messages = (token = 'good-token'): readonly Message[] => sandbox.world.twins.slack.view(pathOf(token)).messages
describe('messages', () => {
  it('are one a delivery: up to 15 leads with name, title, company, why and link, and nothing unfolds [DST-11]', async () => {
    const people = Array.from({ length: slack.limits.recordsPerDelivery }, (_, at) => recordAbout(`p-${at}`))
    const outcomes = await slack.deliver(parts(), to(), people)
    expect(outcomes.map(({ id, state }) => [id, state])).toEqual(people.map(({ id }) => [id, 'written']))
    const [message, ...more] = messages()
    expect(more).toEqual([])
    expect(message!.payload).toMatchObject({ text: '15 new leads', unfurl_links: false, unfurl_media: false })
    expect(message!.texts.filter((text) => text === section)).toHaveLength(15)
    expect(message!.texts.find((text) => text.startsWith('<'))).toBe(
      '<https://leads.example.com/app/leads/1|Lead>  ·  <https://www.linkedin.com/in/p-0|Profile>  ·  ' +
        '<https://www.linkedin.com/feed/update/urn:li:activity:7267000000000000000|Post>',
    )
    expect(slack.limits).toMatchObject({ recordsPerDelivery: 15, calls: 1, windowMs: 1_000, per: 'lead' })
  })
  const section = 'Ada Lovelace\nCTO, Acme\nCTO in France who commented on a post about launches.'

  it('name a single lead, mark a sample, and say little of somebody of whom little is known [DST-03, DST-11]', async () => {
    const bare = recordAbout('bare', {
      name: null,
      headline: null,
      jobTitle: null,
      company: { name: null, domain: null, linkedinUrl: null, industry: null, staffRange: null, employeeCount: null },
      leadUrl: null,
      postUrl: null,
      linkedinUrl: 'javascript:alert(1)',
    })
    await slack.deliver(parts(), to('one'), [recordAbout('ada')])
    await slack.deliver(parts(), to('two'), [recordAbout('ada', { isSample: true })])
    await slack.deliver(parts(), to('three'), [bare])
    expect(messages('one')[0]!.texts[0]).toBe('New lead: Ada Lovelace, CTO, Acme')
    expect(messages('two')[0]!.texts.slice(0, 2)).toEqual([
      'A sample about nobody: Ada Lovelace, CTO, Acme',
      'A sample about nobody, sent to try out this destination.',
    ])
    expect(messages('three')[0]!.texts).toEqual([
      'New lead: Somebody whose name is not known',
      'Somebody whose name is not known\nCTO in France who commented on a post about launches.',
    ])
  })

  it.each(strangeTexts)('take %j for text [DST-11]', async (text) => {
    const hostile = recordAbout('h', {
      name: text,
      jobTitle: text,
      company: { ...recordAbout('h').document.company, name: text },
      why: text,
      leadUrl: `https://leads.example/?q=${text}`,
      linkedinUrl: `https://www.linkedin.com/in/${text}`,
    })
    expect(await slack.deliver(parts(), to(), [hostile])).toMatchObject([{ state: 'written' }])
    const [message] = messages()
    expect(message!.pings).toEqual([])
    const markup = [message!.texts[0]!, ...message!.texts.filter((one) => one.includes('|Lead>'))].join(' ')
    expect(markup.match(/<[^>]*>/g)?.every((found) => /^<https:\/\/[^|]+\|(?:Lead|Profile|Post)>$/.test(found))).toBe(
      true,
    )
  })

  it('of very long texts are taken [DST-11]', async () => {
    const long = '& <'.repeat(50_000)
    const people = Array.from({ length: 15 }, (_, at) =>
      recordAbout(`l-${at}`, { name: long, jobTitle: long, why: long }),
    )
    expect(await slack.deliver(parts(), to(), people)).toHaveLength(15)
    expect(messages()).toHaveLength(1)
  })
})

describe('trouble', () => {
  it.each([
    ['revoked', 'auth_revoked'],
    ['archived', 'setup_missing'],
    ['prohibited', 'scope_missing'],
  ])(
    'an address that is %s is %s, when checked and when delivered to, and is not quoted [DST-01, DST-09, DST-11]',
    async (token, trouble) => {
      const check = await slack.check(parts(), to(`${token}-secret`)).catch((error: unknown) => error)
      expect(check).toMatchObject(trouble === 'scope_missing' ? { missing: ['incoming-webhook'] } : { trouble })
      const [outcome] = await slack.deliver(parts(), to(`${token}-secret`), [recordAbout('ada')])
      expect(outcome).toMatchObject({ state: 'later', trouble, message: expect.stringMatching(/^Slack /) })
      expect(JSON.stringify([check, String(check), outcome])).not.toContain(`${token}-secret`)
    },
  )

  it('a refused message is refused for good [DST-08]', async () => {
    sandbox.world.fault({ vendor: 'slack', kind: 'status', status: 400, times: 1 })
    const outcomes = await slack.deliver(parts(), to(), [recordAbout('ada')])
    expect(outcomes).toMatchObject([{ state: 'refused', code: 'request_refused' }])
  })

  it('one message too many a second is sent again when Slack says [DST-09, DST-11]', async () => {
    for (let at = 0; at < 10; at += 1) await slack.deliver(parts(), to(), [recordAbout(`p-${at}`)])
    expect(await slack.deliver(parts(), to(), [recordAbout('late')])).toMatchObject([
      { state: 'later', trouble: 'rate', at: new Date(now.getTime() + 1_000) },
    ])
    expect(messages()).toHaveLength(10)
  })

  it('a success that says something else may have been one [DST-07]', async () => {
    sandbox.world.fault({ vendor: 'slack', kind: 'html_200', times: 1 })
    expect(await slack.deliver(parts(), to(), [recordAbout('ada')])).toMatchObject([{ state: 'unknown' }])
    sandbox.world.fault({ vendor: 'slack', kind: 'error_in_200', times: 1 })
    expect(await slack.deliver(parts(), to(), [recordAbout('ada')])).toMatchObject([
      { state: 'unknown', message: expect.stringContaining('fatal_error') },
    ])
    const call: AdapterParts['call'] = async () => ({
      status: 200,
      headers: {},
      body: Buffer.from('{"ok":false,"error":"invalid_blocks"}'),
    })
    expect(await slack.deliver({ ...parts(), call }, to(), [recordAbout('ada')])).toMatchObject([
      { state: 'refused', message: expect.stringContaining('invalid_blocks') },
    ])
  })

  it('what a channel holds is shown by the control of the sandbox [DST-14]', async () => {
    await slack.deliver(parts(), to(), [recordAbout('ada')])
    const shown = await fetch(
      `${sandbox.url}/control/destinations/slack?key=${encodeURIComponent(pathOf('good-token'))}`,
    )
    expect(await shown.json()).toMatchObject({ messages: [{ at: now.toISOString(), pings: [] }] })
  })

  it('a check posts nothing [DST-03]', async () => {
    expect(await slack.check(parts(), to())).toEqual({
      account: 'Slack workspace T0001, webhook B0001',
      scopes: ['incoming-webhook'],
      missing: [],
      findings: [],
    })
    expect(messages()).toEqual([])
  })
})

describe('addresses', () => {
  const read = (webhookUrl: string) => slack.credentials.safeParse({ webhookUrl }).success
  it.each([
    'https://hooks.slack.com/services/T0001/B0001/abcDEF123',
    'https://hooks.slack-gov.com/services/T0001/B0001/abcDEF123',
  ])('%s is one', (address) => expect(read(address)).toBe(true))
  it.each([
    'http://hooks.slack.com/services/T0001/B0001/abc',
    'https://hooks.slack.com.evil.example/services/T0001/B0001/abc',
    'https://hooks.slack.com:8443/services/T0001/B0001/abc',
    'https://me:pw@hooks.slack.com/services/T0001/B0001/abc',
    'https://hooks.slack.com/services/T0001/B0001/abc?x=1',
    'https://hooks.slack.com/workflows/T0001/A0001/1/abc',
    'https://hooks.slack.com/services/T0001/../B0001/abc',
    'https://169.254.169.254/services/T0001/B0001/abc',
    '',
  ])('%j is none', (address) => expect(read(address)).toBe(false))
  it('take no other field, and show the last four characters of their secret [DST-01]', () => {
    const webhookUrl = 'https://hooks.slack.com/services/T0001/B0001/abcDEF123'
    expect(slack.credentials.safeParse({ webhookUrl, extra: 1 }).success).toBe(false)
    expect(slack.settings.safeParse({ channel: '#x' }).success).toBe(false)
    expect(slack.hint({ webhookUrl })).toBe('F123')
  })
  it('keep their path, and their own host unless another is set [DST-14]', async () => {
    const asked: string[] = []
    const call: AdapterParts['call'] = async ({ url }) => (
      asked.push(url), { status: 200, headers: {}, body: Buffer.from('ok') }
    )
    for (const host of ['hooks.slack.com', 'hooks.slack-gov.com'])
      for (const baseUrl of ['https://hooks.slack.com', 'http://127.0.0.1:9/ignored'])
        await slack.deliver({ call, baseUrl, now }, to('good-token', host), [recordAbout('ada')])
    expect(asked).toEqual([
      'https://hooks.slack.com/services/T0001/B0001/good-token',
      'http://127.0.0.1:9/services/T0001/B0001/good-token',
      'https://hooks.slack-gov.com/services/T0001/B0001/good-token',
      'http://127.0.0.1:9/services/T0001/B0001/good-token',
    ])
  })
})
