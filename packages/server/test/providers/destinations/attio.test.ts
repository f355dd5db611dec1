/** Attio against its twin: the suite of all destinations, and what is specific to it. */
import { describe, expect, test } from 'vitest'
import type { MappingRow } from '../../../src/providers/destinations/index.ts'
import { attio } from '../../../src/providers/destinations/attio/index.ts'
import { answeringAll, documentOf, outcomeFor, recordOf, useAccounts, type Stage } from './stage.ts'
import { describeDestination } from './suite.ts'

type Row = { id: string; values: Record<string, unknown[]> }
type View = { people: Row[]; companies: Row[]; notes: { parent: string; title: string; content: string }[] }
const view = (stage: Stage, key: string) => stage.sandbox.world.twins.attio.view(key) as View
const change = (stage: Stage, key: string, what: object) => stage.sandbox.world.twins.attio.change(key, what)

describeDestination({
  adapter: attio,
  baseUrl: (stage) => stage.sandbox.addresses.destinations.attio,
  settings: {},
  credentials: (key) => ({ accessToken: key }),
  people: (stage, key) => view(stage, key).people.map((person) => JSON.stringify(person)),
  write: { vendor: 'attio', operation: 'AssertRecord', match: { object: 'people' } },
  bad: (document) => ({ ...document, email: 'nobody at example' }),
  badField: 'email_addresses',
  lacking: { key: 'no-record-scope', scope: 'record_permission:read-write' },
  breakSetup: (stage, key) => change(stage, key, { do: 'archive', attribute: 'les_key' }),
  hasQuota: false,
  expectInert: (stage, key) => {
    const { people, notes } = view(stage, key)
    expect(notes).toHaveLength(6)
    expect(notes[0]!.content).toContain('<script>alert(1)</script>')
    expect(people[0]!.values.name).toMatchObject([{ full_name: '<script>alert(1)</script>' }])
  },
})

describe('attio', () => {
  const { stage, world, key, parts, at, newAccount, deliver } = useAccounts(attio, {
    address: 'attio',
    credentials: (accessToken) => ({ accessToken }),
  })
  const seen = () => view(stage(), key())
  const act = (what: object) => change(stage(), key(), what)
  const ready = async () => {
    newAccount()
    await attio.prepare(parts(), at())
  }

  test('a person has their facts, their company and a note an engagement [DST-12]', async () => {
    await ready()
    const [outcome] = await deliver([documentOf('ada')])
    const { people, companies, notes } = seen()
    expect(people).toMatchObject([
      {
        values: {
          les_key: ['ada'],
          name: [{ first_name: 'Ada', last_name: 'Lovelace', full_name: 'Ada Lovelace' }],
          email_addresses: ['ada@example.com'],
          les_fit: [87],
          company: [{ target_record_id: companies[0]!.id }],
        },
      },
    ])
    expect(companies).toMatchObject([{ values: { domains: ['acme.example'], name: ['Acme'] } }])
    expect(notes).toMatchObject([{ parent: people[0]!.id, title: 'Commented on a post' }])
    expect(outcome).toMatchObject({
      state: 'written',
      how: 'created',
      remote: {
        id: people[0]!.id,
        companyId: companies[0]!.id,
        notes: ['ada-e1'],
        url: expect.stringMatching(/^https:\/\/app\.attio\.com\//),
      },
    })
  })

  test('the answer to a note is lost: later, and the note is there once then [DST-07]', async () => {
    await ready()
    world().fault({ kind: 'lost_reply', vendor: 'attio', operation: 'CreateNote', times: 1 })
    const outcomes = await deliver([documentOf('ada'), documentOf('bob')])
    expect(outcomes).toMatchObject([
      { state: 'later', trouble: 'unavailable' },
      { state: 'later', trouble: 'unavailable' },
    ])
    expect(seen().people).toHaveLength(1)
    const second = { ...documentOf('ada').engagements[0]!, key: 'ada-e10' }
    const both = documentOf('ada', { engagements: [second, ...documentOf('ada').engagements] })
    expect(await deliver([both])).toMatchObject([
      { state: 'written', how: 'updated', remote: { notes: ['ada-e10', 'ada-e1'] } },
    ])
    expect(seen().notes).toHaveLength(2)
  })

  test('mails that the team has added stay, a corrected name stays, a title is kept up to date [DST-12]', async () => {
    await ready()
    const known = await deliver([documentOf('ada')])
    const { id } = seen().people[0]!
    act({
      do: 'set',
      id,
      values: { email_addresses: ['a@home.example', 'ada@example.com'], name: [{ full_name: 'Augusta King' }] },
    })
    await deliver([documentOf('ada', { jobTitle: 'CEO', name: 'Ada L.' })], { known })
    expect(seen().people[0]!.values).toMatchObject({
      email_addresses: ['a@home.example', 'ada@example.com'],
      name: [{ full_name: 'Augusta King' }],
      job_title: ['CEO'],
    })
  })

  test('a person with the same mail is adopted; one with a key of ours keeps it [DST-07]', async () => {
    await ready()
    act({
      do: 'create',
      object: 'people',
      values: { email_addresses: ['ada@example.com'], job_title: ['Countess'] },
    })
    const outcomes = await deliver([documentOf('ada'), documentOf('bob', { email: 'ada@example.com' })], {
      settings: { writeMode: { job_title: 'if_empty' } },
    })
    expect(outcomeFor(outcomes, 'ada')).toMatchObject({ state: 'written', how: 'adopted' })
    expect(outcomeFor(outcomes, 'bob')).toMatchObject({
      state: 'written',
      how: 'created',
      leftOut: [{ field: 'email_addresses' }],
    })
    expect(seen().people.map(({ values }) => [values.les_key, values.email_addresses, values.job_title])).toEqual([
      [['ada'], ['ada@example.com'], ['Countess']],
      [['bob'], undefined, ['CTO']],
    ])
  })

  test('an option or an attribute that is not there is left out, the person is written [DST-15]', async () => {
    await ready()
    for (const field of ['temperature', 'les_gone']) {
      const mapping: MappingRow[] = [{ field, from: 'headline', mode: 'always' }]
      expect(await deliver([documentOf(field)], { mapping })).toMatchObject([
        { state: 'written', leftOut: [{ field }] },
      ])
    }
  })

  test('a person who was deleted there is made anew [DST-07]', async () => {
    await ready()
    const known = await deliver([documentOf('ada')])
    act({ do: 'delete', id: seen().people[0]!.id })
    expect(await deliver([documentOf('ada')], { known })).toMatchObject([{ how: 'created' }])
  })

  test('a worker writes the same person at the same moment: later, and the destination is not paused [DST-07]', async () => {
    await ready()
    const body = JSON.stringify({
      code: 'uniqueness_conflict',
      message: 'The value "ada" of "les_key" is already in use',
      path: ['data', 'values', 'les_key'],
    })
    const call = async (request: Parameters<Stage['call']>[0]) =>
      request.method === 'PUT' && request.url.includes('people')
        ? answeringAll(400, body)(request)
        : stage().call(request)
    const outcomes = await attio.deliver({ ...parts(), call }, at(), [recordOf(documentOf('ada'))])
    expect(outcomes).toMatchObject([{ state: 'later', trouble: 'unavailable' }])
  })

  test('the attributes of people can be mapped, with their options [DST-15]', async () => {
    await ready()
    const fields = await attio.fields(parts(), at())
    expect(fields.find(({ name }) => name === 'temperature')).toMatchObject({
      type: 'select',
      options: ['Cold', 'Warm', 'Hot'],
      writable: true,
    })
    expect(fields.filter(({ writable }) => !writable).map(({ name }) => name)).toEqual(['created_at', 'les_key'])
  })
})
