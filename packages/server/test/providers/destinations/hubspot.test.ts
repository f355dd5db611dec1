/** HubSpot against its twin: the suite of all destinations, and what is specific to it. */
import { describe, expect, test } from 'vitest'
import type { MappingRow } from '../../../src/providers/destinations/index.ts'
import { hubspot } from '../../../src/providers/destinations/hubspot/index.ts'
import { documentOf, failureOf, outcomeFor, useAccounts, type Stage } from './stage.ts'
import { describeDestination } from './suite.ts'

type Row = { id: string; properties: Record<string, string>; associated: Record<string, string[]> }
type View = { contacts: Row[]; companies: Row[]; notes: Row[] }
const view = (stage: Stage, key: string) => stage.sandbox.world.twins.hubspot.view(key) as View
const change = (stage: Stage, key: string, what: object) => stage.sandbox.world.twins.hubspot.change(key, what)

describeDestination({
  adapter: hubspot,
  baseUrl: (stage) => stage.sandbox.addresses.destinations.hubspot,
  settings: {},
  credentials: (key) => ({ accessToken: key }),
  people: (stage, key) => view(stage, key).contacts.map((contact) => JSON.stringify(contact)),
  write: { vendor: 'hubspot', operation: 'BatchUpsert', match: { object: 'contacts' } },
  bad: (document) => ({ ...document, email: 'nobody at example' }),
  badField: 'email',
  lacking: { key: 'no-contacts-scope', scope: 'crm.objects.contacts.write' },
  breakSetup: (stage, key) => change(stage, key, { do: 'archive', object: 'contacts', property: 'les_person_key' }),
  hasQuota: true,
  expectInert: (stage, key) => {
    const { notes, contacts } = view(stage, key)
    expect(notes).toHaveLength(6)
    for (const { properties } of notes) expect(properties.hs_note_body).not.toMatch(/<script|<img|<!channel|h & C/)
    expect(notes[0]!.properties.hs_note_body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(contacts[0]!.properties.firstname).toBe('<script>alert(1)</script>')
  },
})

describe('hubspot', () => {
  const { stage, world, key, parts, at, newAccount, deliver } = useAccounts(hubspot, {
    address: 'hubspot',
    credentials: (accessToken) => ({ accessToken }),
  })
  const seen = () => view(stage(), key())
  const act = (what: object) => change(stage(), key(), what)
  const ready = async (settings: object = {}) => {
    newAccount()
    await hubspot.prepare(parts(), at(settings))
  }
  const calls = (operation: string) => world().calls({ vendor: 'hubspot', operation }).length

  test('a contact has its facts, its company and a note an engagement, each by a key of ours [DST-10]', async () => {
    await ready()
    const [outcome] = await deliver([documentOf('ada')])
    const { contacts, companies, notes } = seen()
    expect(contacts).toMatchObject([
      {
        properties: {
          les_person_key: 'ada',
          firstname: 'Ada',
          email: 'ada@example.com',
          lifecyclestage: 'lead',
          les_fit: '87',
          les_is_icp: 'true',
        },
        associated: { companies: [companies[0]!.id], notes: [notes[0]!.id] },
      },
    ])
    expect(companies).toMatchObject([
      {
        properties: {
          les_company_key: 'acme.example',
          domain: 'acme.example',
          industry: 'COMPUTER_SOFTWARE',
          numberofemployees: '120',
        },
      },
    ])
    expect(notes).toMatchObject([
      { properties: { les_engagement_key: 'ada-e1', hs_timestamp: '2026-11-27T10:00:00.000Z' } },
    ])
    expect(outcome).toMatchObject({
      state: 'written',
      how: 'created',
      remote: {
        id: contacts[0]!.id,
        companyId: companies[0]!.id,
        notes: ['ada-e1'],
        url: expect.stringMatching(/^https:\/\/app\.hubspot\.com\//),
      },
    })
  })

  test('people of one company share it, and notes that are there are written no more [DST-07, DST-10]', async () => {
    await ready()
    const known = await deliver([documentOf('ada'), documentOf('bob')])
    expect([seen().companies.length, seen().notes.length]).toEqual([1, 2])
    world().clearCalls()
    const ada = documentOf('ada')
    const second = { ...ada.engagements[0]!, key: 'ada-e2', type: 'Like' as const, commentText: null }
    const again = await deliver([{ ...ada, jobTitle: 'CEO', engagements: [second, ...ada.engagements] }], { known })
    expect(seen().notes.map(({ properties }) => properties.les_engagement_key)).toEqual(['ada-e1', 'bob-e1', 'ada-e2'])
    expect(outcomeFor(again, 'ada')).toMatchObject({ how: 'updated', remote: { notes: ['ada-e1', 'ada-e2'] } })
    // The company's key is known, so it is not searched again.
    expect(calls('Search')).toBe(0)
  })

  test('a name that the team has corrected stays; a job title is kept up to date; the stage is left to the team [DST-10]', async () => {
    await ready()
    const known = await deliver([documentOf('ada')])
    const { id } = seen().contacts[0]!
    act({
      do: 'set',
      object: 'contacts',
      id,
      properties: { firstname: 'Augusta', lifecyclestage: 'customer', email: '' },
    })
    await deliver([documentOf('ada', { jobTitle: 'CEO', firstName: 'A.' })], { known })
    expect(seen().contacts[0]!.properties).toMatchObject({
      firstname: 'Augusta',
      jobtitle: 'CEO',
      lifecyclestage: 'customer',
      email: 'ada@example.com',
    })
  })

  test('a row of the mapping wins over the mode of its field, and `never` writes nothing [DST-15]', async () => {
    await ready()
    const settings = { writeMode: { jobtitle: 'if_empty', country: 'never', firstname: 'always' } }
    const mapping: MappingRow[] = [
      { field: 'phone', from: 'company.staffRange', mode: 'always' },
      { field: 'jobtitle', from: 'headline', mode: 'always' },
      { field: 'website', from: 'companyDomain', mode: 'always' },
    ]
    const known = await deliver([documentOf('ada')], { settings, mapping })
    await deliver([documentOf('ada', { headline: 'Counts more', firstName: 'Augusta' })], { settings, mapping, known })
    const { properties } = seen().contacts[0]!
    expect(properties).toMatchObject({ phone: '51-200', jobtitle: 'Counts more', website: 'acme.example' })
    expect(properties.firstname).toBe('Augusta')
    expect(properties).not.toHaveProperty('country')
  })

  test.each([
    ['a picklist lacks the value', [{ field: 'hs_lead_status', from: 'headline', mode: 'always' }], 'hs_lead_status'],
    ['a property is gone', [{ field: 'les_gone', from: 'headline', mode: 'always' }], 'les_gone'],
    ['a property is read only', [{ field: 'createdate', from: 'engagedAt', mode: 'always' }], 'createdate'],
  ] as [string, MappingRow[], string][])(
    '%s: the value is left out, the record is written [DST-10, DST-15]',
    async (_why, mapping, field) => {
      await ready()
      const outcomes = await deliver([documentOf('ada'), documentOf('bob')], { mapping })
      for (const id of ['ada', 'bob'])
        expect(outcomeFor(outcomes, id)).toMatchObject({
          state: 'written',
          leftOut: [{ field, message: expect.stringMatching(/\w/) }],
        })
      expect(seen().contacts).toHaveLength(2)
      expect(seen().contacts[0]!.properties).not.toHaveProperty(field)
      expect(calls('BatchUpsert')).toBeLessThanOrEqual(4)
    },
  )

  test('an industry that the picklist of companies lacks is left out of the company [DST-10]', async () => {
    await ready()
    const company = { ...documentOf('ada').company, industry: 'Wine & Spirits' }
    expect(await deliver([documentOf('ada', { company })])).toMatchObject([{ state: 'written' }])
    expect(seen().companies[0]!.properties).not.toHaveProperty('industry')
  })

  test('a rule of the account refuses the record and names the property [DST-08]', async () => {
    await ready()
    act({ do: 'require', object: 'contacts', property: 'phone' })
    expect(await deliver([documentOf('ada')])).toMatchObject([
      { state: 'refused', code: 'REQUIRED_PROPERTY_MISSING', field: 'phone' },
    ])
  })

  test('a contact with the same mail is adopted: our key on it, its own facts kept [DST-07]', async () => {
    await ready()
    const theirs = { email: 'ada@example.com', firstname: 'Augusta', jobtitle: '' }
    act({ do: 'create', object: 'contacts', properties: theirs })
    const outcomes = await deliver([documentOf('bob'), documentOf('ada')])
    expect([outcomeFor(outcomes, 'bob'), outcomeFor(outcomes, 'ada')]).toMatchObject([
      { how: 'created' },
      { how: 'adopted' },
    ])
    expect(seen().contacts).toHaveLength(2)
    expect(seen().contacts[0]!.properties).toMatchObject({
      les_person_key: 'ada',
      firstname: 'Augusta',
      jobtitle: 'CTO',
    })
    expect(seen().contacts[0]!.properties).not.toHaveProperty('lifecyclestage')
    await deliver([documentOf('ada')])
    expect(seen().contacts).toHaveLength(2)
  })

  test('two people with one mail get a contact each, the second without the mail [DST-07]', async () => {
    await ready()
    const outcomes = await deliver([documentOf('ada'), documentOf('bob', { email: 'ada@example.com' })])
    expect(outcomeFor(outcomes, 'bob')).toMatchObject({
      state: 'written',
      how: 'created',
      leftOut: [{ field: 'email' }],
    })
    expect(seen().contacts.map(({ properties }) => [properties.les_person_key, properties.email])).toEqual([
      ['ada', 'ada@example.com'],
      ['bob', undefined],
    ])
  })

  test('a company of the same domain is adopted, and keeps what it has [DST-10]', async () => {
    await ready()
    for (const name of ['Acme Inc.', 'Acme Inc. (copy)'])
      act({ do: 'create', object: 'companies', properties: { name, domain: 'acme.example' } })
    await deliver([documentOf('ada')])
    expect(seen().companies.map(({ properties }) => [properties.name, properties.les_company_key])).toEqual([
      ['Acme Inc.', 'acme.example'],
      ['Acme Inc. (copy)', undefined],
    ])
  })

  test('a contact that was deleted there is made anew, with its company and its notes where they are [DST-07]', async () => {
    await ready()
    const known = await deliver([documentOf('ada')])
    act({ do: 'delete', object: 'contacts', id: seen().contacts[0]!.id })
    const again = await deliver([documentOf('ada', { jobTitle: 'CEO' })], { known })
    const { contacts, companies } = seen()
    expect(outcomeFor(again, 'ada')).toMatchObject({ how: 'created', remote: { id: contacts[0]!.id } })
    expect(contacts).toMatchObject([{ associated: { companies: [companies[0]!.id] } }])
  })

  test.each([
    ['companies', { kind: 'status_429' }, 'rate'],
    ['notes', { kind: 'status_429' }, 'rate'],
    ['companies', { kind: 'lost_reply' }, 'unavailable'],
    ['notes', { kind: 'lost_reply' }, 'unavailable'],
  ] as const)(
    'trouble with %s after the contact was written (%j): later, and whole the next time [DST-07, DST-09]',
    async (object, fault, trouble) => {
      await ready()
      world().fault({ ...fault, vendor: 'hubspot', operation: 'BatchUpsert', match: { object }, times: 1 })
      expect(await deliver([documentOf('ada')])).toMatchObject([{ state: 'later', trouble }])
      expect(await deliver([documentOf('ada')])).toMatchObject([{ state: 'written', remote: { notes: ['ada-e1'] } }])
      const { contacts, companies, notes } = seen()
      expect([contacts.length, companies.length, notes.length]).toEqual([1, 1, 1])
      expect(contacts[0]!.associated).toEqual({ companies: [companies[0]!.id], notes: [notes[0]!.id] })
    },
  )

  test('notes that HubSpot refuses as a whole cost the contact nothing [DST-08]', async () => {
    await ready()
    world().fault({
      kind: 'status',
      status: 404,
      vendor: 'hubspot',
      operation: 'BatchUpsert',
      match: { object: 'notes' },
    })
    expect(await deliver([documentOf('ada')])).toMatchObject([
      { state: 'written', leftOut: [{ field: 'note' }], remote: { notes: [] } },
    ])
  })

  test('without companies and notes neither is asked of HubSpot [DST-10]', async () => {
    const settings = { createCompanies: false, notes: false }
    await ready(settings)
    await deliver([documentOf('ada')], { settings })
    expect(
      world()
        .calls({ vendor: 'hubspot' })
        .map(({ operation }) => operation),
    ).toEqual(['ListProperties', 'CreateGroup', 'CreateProperties', 'BatchRead', 'BatchUpsert'])
    expect(seen()).toMatchObject({ contacts: [{}], companies: [], notes: [] })
  })

  test('a hundred people are one batch of each kind, within the calls of ten seconds [DST-10]', async () => {
    await ready()
    const people = Array.from({ length: 100 }, (_, index) => {
      const company = { ...documentOf('x').company, domain: `company-${index}.example` }
      return documentOf(`person-${index}`, { company, ...(index === 50 ? { email: 'broken' } : {}) })
    })
    world().clearCalls()
    const outcomes = await deliver(people)
    expect(outcomes.filter(({ state }) => state === 'written')).toHaveLength(99)
    expect(outcomeFor(outcomes, 'person-50')).toMatchObject({ state: 'refused', field: 'email' })
    expect(world().calls({ vendor: 'hubspot' }).length).toBeLessThanOrEqual(8)
  })

  test('a key property that is archived or not unique is named, since it cannot be made again [DST-01]', async () => {
    await ready()
    act({ do: 'archive', object: 'notes', property: 'les_engagement_key' })
    expect(await failureOf(hubspot.prepare(parts(), at()))).toMatchObject({
      trouble: 'setup_missing',
      missing: ['les_engagement_key'],
    })
  })

  test('the properties of contacts can be mapped, with their options [DST-15]', async () => {
    await ready()
    const fields = await hubspot.fields(parts(), at())
    expect(fields.find(({ name }) => name === 'hs_lead_status')).toEqual({
      name: 'hs_lead_status',
      label: 'hs_lead_status',
      type: 'select',
      options: ['NEW', 'OPEN', 'CONNECTED'],
      writable: true,
      required: false,
    })
    expect(fields.filter(({ writable }) => !writable).map(({ name }) => name)).toEqual(['createdate', 'les_person_key'])
  })

  test.each([
    [{ createCompanies: 'yes' }, 'createCompanies must be true or false'],
    [{ writeMode: { jobtitle: 'sometimes' } }, 'always, if_empty, never'],
    [{ writeMode: [] }, '{"jobtitle": "if_empty"}'],
  ])('%j is refused with what to write [DST-01]', (settings, words) => {
    expect(JSON.stringify(hubspot.settings.safeParse(settings).error?.issues).replaceAll('\\"', '"')).toContain(words)
  })
})
