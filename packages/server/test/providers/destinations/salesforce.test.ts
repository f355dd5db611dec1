/** Salesforce against its twin: the suite of all destinations, and what is specific to it. */
import { describe, expect, test } from 'vitest'
import { salesforce } from '../../../src/providers/destinations/salesforce/index.ts'
import { answeringAll, documentOf, failureOf, outcomeFor, recordOf, useAccounts, type Stage } from './stage.ts'
import { describeDestination } from './suite.ts'

type Row = Record<string, unknown> & { Id: string }
type View = { leads: Row[]; contacts: Row[] }
const view = (stage: Stage, key: string) => stage.sandbox.world.twins.salesforce.view(key) as View
const change = (stage: Stage, key: string, what: object) => stage.sandbox.world.twins.salesforce.change(key, what)
const instanceUrl = 'https://acme.my.salesforce.com'
const credentials = (key: string) => ({ clientId: key, clientSecret: `secret-of-${key}` })

describeDestination({
  adapter: salesforce,
  baseUrl: (stage) => stage.sandbox.addresses.destinations.salesforce,
  settings: { instanceUrl, object: 'Lead' },
  credentials,
  people: (stage, key) => view(stage, key).leads.map((lead) => JSON.stringify(lead)),
  write: { vendor: 'salesforce', operation: 'UpsertRecords' },
  bad: (document) => ({ ...document, email: 'nobody at example' }),
  badField: 'Email',
  lacking: { key: 'no-api-scope', scope: 'api' },
  breakSetup: (stage, key) => change(stage, key, { do: 'remove', object: 'Lead', field: 'LES_Key__c' }),
  hasQuota: true,
  expectInert: (stage, key) => {
    expect(view(stage, key).leads[0]).toMatchObject({ FirstName: '<script>alert(1)</script>' })
  },
})

describe('salesforce', () => {
  const { stage, world, key, parts, at, newAccount, deliver } = useAccounts(salesforce, {
    address: 'salesforce',
    credentials: credentials,
    settings: { instanceUrl, object: 'Lead' },
  })
  const seen = () => view(stage(), key())
  const act = (what: object) => change(stage(), key(), what)

  test.each(['Lead', 'Contact'] as const)(
    'a person is a %s by our external id, in one write for all [DST-12]',
    async (object) => {
      newAccount()
      const [outcome] = await deliver([documentOf('ada'), documentOf('bob', { lastName: null, name: null })], {
        settings: { object },
      })
      const rows = seen()[object === 'Lead' ? 'leads' : 'contacts']
      expect(rows).toMatchObject([
        { LES_Key__c: 'ada', FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com', Title: 'CTO' },
        { LES_Key__c: 'bob', LastName: 'bob' },
      ])
      expect(outcome).toMatchObject({
        state: 'written',
        how: 'created',
        remote: { id: rows[0]!.Id, url: `${instanceUrl}/${rows[0]!.Id}` },
      })
      expect(world().calls({ operation: 'UpsertRecords' })).toHaveLength(1)
      expect(JSON.stringify(rows[0]!.Description)).toContain('CTO in France')
    },
  )

  test('what the team has corrected stays, a title is kept up to date [DST-12]', async () => {
    newAccount()
    const known = await deliver([documentOf('ada')])
    act({
      do: 'set',
      object: 'Lead',
      id: seen().leads[0]!.Id,
      values: { FirstName: 'Augusta', Description: 'Ours' },
    })
    const again = await deliver([documentOf('ada', { jobTitle: 'CEO', firstName: 'A.' })], { known })
    expect(again).toMatchObject([{ how: 'updated' }])
    expect(seen().leads).toMatchObject([{ FirstName: 'Augusta', Description: 'Ours', Title: 'CEO' }])
  })

  test('a duplicate rule that blocks names the record, which is adopted and keeps what it has [DST-07]', async () => {
    newAccount()
    act({
      do: 'create',
      object: 'Lead',
      values: { LastName: 'King', Email: 'ada@example.com', Company: 'King & Co' },
    })
    const outcomes = await deliver([documentOf('ada'), documentOf('bob')])
    expect(outcomeFor(outcomes, 'ada')).toMatchObject({ how: 'adopted' })
    expect(outcomeFor(outcomes, 'bob')).toMatchObject({ how: 'created' })
    expect(seen().leads).toMatchObject([
      { LES_Key__c: 'ada', LastName: 'King', Company: 'King & Co', Title: 'CTO' },
      { LES_Key__c: 'bob' },
    ])
  })

  test('a duplicate that is somebody else of ours is refused; a rule that only alerts is passed [DST-07]', async () => {
    newAccount()
    await deliver([documentOf('ada')])
    const twice = documentOf('bob', { email: 'ada@example.com' })
    expect(await deliver([twice])).toMatchObject([{ state: 'refused', code: 'DUPLICATES_DETECTED' }])
    act({ do: 'allow-duplicates' })
    expect(await deliver([twice])).toMatchObject([{ state: 'written' }])
  })

  test.each([
    ['a value that a restricted picklist lacks', 'Rating__c', 'always'],
    ['a field that is not there', 'Gone__c', 'always'],
    ['a field that is not there and is read before', 'Gone__c', 'if_empty'],
    ['a field that may not be written', 'CreatedDate', 'always'],
  ] as const)('%s is left out, the record is written [DST-15]', async (_why, field, mode) => {
    newAccount()
    const outcomes = await deliver([documentOf('ada'), documentOf('bob')], {
      mapping: [{ field, from: 'headline', mode }],
    })
    for (const id of ['ada', 'bob'])
      expect(outcomeFor(outcomes, id)).toMatchObject({ state: 'written', leftOut: [{ field }] })
    expect(seen().leads).toHaveLength(2)
  })

  test('a validation rule refuses the record and names the field [DST-08]', async () => {
    newAccount()
    act({ do: 'require', field: 'Rating__c' })
    expect(await deliver([documentOf('ada')])).toMatchObject([
      { state: 'refused', code: 'FIELD_CUSTOM_VALIDATION_EXCEPTION', field: 'Rating__c' },
    ])
  })

  test('a fifth of the calls of a day is left to other tools [DST-09]', async () => {
    newAccount()
    act({ do: 'use-calls', calls: 12_500 })
    expect(await deliver([documentOf('ada')])).toMatchObject([
      { state: 'later', trouble: 'quota_day', at: new Date(stage().now().getTime() + 3_600_000) },
    ])
    expect(seen().leads).toEqual([])
    expect((await salesforce.check(parts(), at())).findings.join()).toContain('83 %')
  })

  test.each([
    ['UNABLE_TO_LOCK_ROW', ['Title']],
    ['DUPLICATE_VALUE', ['LES_Key__c']],
  ])('%s is not done, and works later [DST-09]', async (statusCode, fields) => {
    newAccount()
    const body = JSON.stringify([{ success: false, errors: [{ statusCode, message: 'busy', fields }] }])
    const call = async (request: Parameters<Stage['call']>[0]) =>
      request.method === 'PATCH' ? answeringAll(200, body)(request) : stage().call(request)
    const outcomes = await salesforce.deliver({ ...parts(), call }, at(), [recordOf(documentOf('ada'))])
    expect(outcomes).toMatchObject([{ state: 'later', trouble: 'unavailable', at: null }])
  })

  test('a field that the customer has not made is found by the check, with how to make it [DST-01]', async () => {
    newAccount()
    act({ do: 'remove', object: 'Lead', field: 'LES_Key__c' })
    expect((await salesforce.check(parts(), at())).findings.join()).toMatch(
      /Setup, Object Manager, Lead.*Unique and External ID/,
    )
    expect(await failureOf(salesforce.prepare(parts(), at()))).toMatchObject({
      trouble: 'setup_missing',
      missing: ['LES_Key__c'],
    })
  })

  test('the fields of the object can be mapped [DST-15]', async () => {
    newAccount()
    const fields = await salesforce.fields(parts(), at())
    expect(fields.find(({ name }) => name === 'Rating__c')).toMatchObject({
      type: 'select',
      options: ['Hot', 'Warm', 'Cold'],
      writable: true,
    })
    expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(['LastName', 'Company'])
  })

  test.each([
    'http://acme.my.salesforce.com',
    'https://salesforce.com.evil.example',
    'https://acme.my.salesforce.com.evil.example',
    'https://evil.example/acme.my.salesforce.com',
    'https://user@acme.my.salesforce.com',
    'https://acme.my.salesforce.com:8443',
    'https://acme.my.salesforce.com/path',
    'acme',
  ])('the secret goes to no other address: %s is refused [DST-01]', (address) => {
    const read = salesforce.settings.safeParse({ instanceUrl: address, object: 'Lead' })
    expect(read.error?.issues.map(({ message }) => message).join()).toContain('https://example.my.salesforce.com')
  })

  test('the instance of the customer is asked where no setting takes its place, whatever the session says [DST-14]', async () => {
    newAccount()
    const asked: string[] = []
    const call = async ({ url }: { url: string }) => {
      asked.push(new URL(url).origin)
      return answeringAll(
        200,
        '{"access_token":"a-session","instance_url":"https://evil.example","fields":[]}',
      )({ method: 'GET', url })
    }
    await salesforce.check({ ...parts(), baseUrl: '', call }, at())
    expect(asked).toEqual([instanceUrl, instanceUrl])
    // It is a customer's address, so calls go through the guarded egress.
    expect(salesforce.customerAddress!(at().settings)).toBe(instanceUrl)
  })
})
