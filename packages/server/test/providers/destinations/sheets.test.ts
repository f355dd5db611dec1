/** The Google Sheets adapter against its twin: a person has one row whatever happens, and a cell is never more than text. */
import { generateKeyPairSync } from 'node:crypto'
import { type Sandbox, startSandbox } from '@les/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPooledEgress } from '../../../src/platform/egress/index.ts'
import { platformCall } from '../../../src/providers/destinations/http.ts'
import { DestinationFailure, type AdapterParts } from '../../../src/providers/destinations/port.ts'
import { googleSheets } from '../../../src/providers/destinations/sheets/sheets.ts'
import { recordAbout, strangeTexts } from './documents.ts'
import { hostileTexts, type Stage } from './stage.ts'
import { describeDestination } from './suite.ts'

const now = new Date('2026-11-28T12:00:00.000Z')
const egress = openPooledEgress()
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'sheets', now: () => now })
})
afterEach(() => sandbox.world.reset())
afterAll(async () => {
  await egress.close()
  await sandbox.close()
})

const robot = 'robot@project.iam.gserviceaccount.com'
const keyFile = (client_email = robot) => ({
  type: 'service_account',
  project_id: 'project',
  private_key_id: 'abcdef0123456789',
  private_key: privateKey,
  client_email,
})
const parts = (): AdapterParts => ({
  call: platformCall(egress),
  baseUrl: sandbox.addresses.destinations.google_sheets,
  tokenUrl: sandbox.addresses.destinations.google_token,
  now,
})
const id = 'spreadsheet-0001'
const to = ({ spreadsheetId = id, sheet }: { spreadsheetId?: string; sheet?: string } = {}) => ({
  settings: googleSheets.settings.parse({ spreadsheetId, ...(sheet === undefined ? {} : { sheet }) }),
  credentials: googleSheets.credentials.parse({ serviceAccount: keyFile() }),
  mapping: [],
})
const rows = (title = 'Leads') =>
  sandbox.world.twins.google_sheets.view(id).tabs.find((tab) => tab.title === title)?.rows ?? []
const keys = () => rows().map(([key]) => key)
const prepared = async (connection = to()) => {
  await googleSheets.prepare(parts(), connection)
  return connection
}
const troubleOf = async (asking: Promise<unknown>) => {
  const error: unknown = await asking.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DestinationFailure)
  return error as DestinationFailure
}

const suiteRows = (stage: Stage) =>
  (stage.sandbox.world.twins.google_sheets.view(id).tabs.find(({ title }) => title === 'Leads')?.rows ?? []).slice(1)

describeDestination({
  adapter: googleSheets,
  baseUrl: (stage) => stage.sandbox.addresses.destinations.google_sheets,
  settings: { spreadsheetId: id },
  credentials: (key) => {
    const email = ['revoked', 'no-sheets-scope'].find((part) => key.includes(part)) ?? 'robot'
    return { serviceAccount: { ...keyFile(`${email}@project.iam.gserviceaccount.com`), private_key_id: key } }
  },
  people: (stage) => suiteRows(stage).map((row) => JSON.stringify(row)),
  write: { vendor: 'sheets', operation: 'append' },
  bad: null,
  badField: null,
  lacking: { key: 'no-sheets-scope', scope: 'spreadsheets' },
  breakSetup: (stage) => stage.sandbox.world.twins.google_sheets.change(id, { remove: 'Leads' }),
  hasQuota: false,
  onChange: 'kept',
  expectInert: (stage) => expect(suiteRows(stage).map((row) => row[1])).toEqual([...hostileTexts]),
})

describe('rows', () => {
  it('begin with a header that is made once, in a tab that is made once [DST-12]', async () => {
    const connection = await prepared()
    await googleSheets.prepare(parts(), connection)
    expect(rows()).toHaveLength(1)
    expect(rows()[0]!.slice(0, 5)).toEqual(['LES key', 'Name', 'First name', 'Last name', 'Email'])
  })

  it('are appended once a person, whatever is delivered again and by whom [DST-07, DST-12]', async () => {
    const connection = await prepared()
    const people = [recordAbout('ada'), recordAbout('grace')]
    const first = await googleSheets.deliver(parts(), connection, people)
    expect(first.map((outcome) => (outcome.state === 'written' ? outcome.how : outcome))).toEqual([
      'created',
      'created',
    ])
    // A second destination of the same sheet knows no records.
    const again = await googleSheets.deliver(parts(), connection, [...people, recordAbout('mary')])
    expect(again.map((outcome) => (outcome.state === 'written' ? [outcome.id, outcome.how] : outcome)).sort()).toEqual([
      ['delivery-ada', 'adopted'],
      ['delivery-grace', 'adopted'],
      ['delivery-mary', 'created'],
    ])
    const { remote } = first[0] as { remote: NonNullable<(typeof people)[number]['remote']> }
    expect(remote).toMatchObject({ id: 'ada', url: `https://docs.google.com/spreadsheets/d/${id}/edit` })
    expect(
      await googleSheets.deliver(parts(), connection, [recordAbout('ada', { remote, name: 'Other' })]),
    ).toMatchObject([{ state: 'written', how: 'updated', remote }])
    expect(keys()).toEqual(['LES key', 'ada', 'grace', 'mary'])
    expect(rows()[1]!.slice(1, 5)).toEqual(['Ada Lovelace', 'Ada', 'Lovelace', 'ada@example.com'])
  })

  it('follow the table and push down what people wrote below it [DST-12]', async () => {
    const connection = await prepared()
    const [header] = rows()
    const change = { tab: 'Leads', rows: [[...(header as string[])], ['ada'], [], ['my own notes']] }
    sandbox.world.twins.google_sheets.change(id, change)
    await googleSheets.deliver(parts(), connection, [recordAbout('grace')])
    expect(keys().filter((key) => key !== undefined)).toEqual(['LES key', 'ada', 'grace', 'my own notes'])
  })

  it.each(strangeTexts)('hold %j as a text, whatever it begins with [DST-12]', async (text) => {
    const connection = await prepared()
    await googleSheets.deliver(parts(), connection, [
      recordAbout('h', { name: text, headline: text, commentText: text }),
    ])
    const row = rows()[1]!
    expect([row[1], row[6], row[20]]).toEqual([text, text, text])
    expect(row.some((cell) => typeof cell === 'object')).toBe(false)
  })

  it('that are too large for one call wait for the next [DST-08, DST-12]', async () => {
    const connection = await prepared()
    const long = 'x'.repeat(60_000)
    const people = Array.from({ length: 200 }, (_, at) => recordAbout(`p-${at}`, { headline: long, commentText: long }))
    const outcomes = await googleSheets.deliver(parts(), connection, people)
    const written = outcomes.filter(({ state }) => state === 'written').length
    expect(written).toBeGreaterThan(100)
    expect(outcomes.filter(({ state }) => state === 'later')).toHaveLength(200 - written)
    expect(rows()).toHaveLength(written + 1)
    expect(
      Math.max(
        ...rows()
          .flat()
          .map((cell) => String(cell).length),
      ),
    ).toBe(5_000)
  })
})

describe('trouble', () => {
  it.each([
    ['a spreadsheet that is gone', { spreadsheetId: 'missing-0000000' }, 'setup_missing', []],
    [
      'a spreadsheet that is not shared',
      { spreadsheetId: 'unshared-000000' },
      'scope_missing',
      [`editor of the spreadsheet: ${robot}`],
    ],
  ])('%s [DST-01, DST-09]', async (_what, connection, trouble, missing) => {
    const check = await googleSheets.check(parts(), to(connection)).catch((error: unknown) => error)
    expect(check).toMatchObject(missing.length > 0 ? { missing } : { trouble })
    expect(await googleSheets.deliver(parts(), to(connection), [recordAbout('ada')])).toMatchObject([
      { state: 'later', trouble },
    ])
  })

  it('a tab that was renamed is missing; making it again mends it [DST-02, DST-09]', async () => {
    const connection = await prepared()
    sandbox.world.twins.google_sheets.change(id, { rename: 'Leads', to: 'Old leads' })
    expect(await googleSheets.deliver(parts(), connection, [recordAbout('ada')])).toMatchObject([
      { state: 'later', trouble: 'setup_missing', message: expect.stringContaining('"Leads"') },
    ])
    await prepared(connection)
    expect(await googleSheets.deliver(parts(), connection, [recordAbout('ada')])).toMatchObject([{ state: 'written' }])
  })

  it('a tab with something else in its first row is left alone [DST-12]', async () => {
    sandbox.world.twins.google_sheets.change(id, { tab: 'Budget', rows: [['Month', 'Euro']] })
    const failure = await troubleOf(googleSheets.prepare(parts(), to({ sheet: 'Budget' })))
    expect(failure.trouble).toBe('setup_missing')
    expect(rows('Budget')).toEqual([['Month', 'Euro']])
  })

  it('61 reads in a minute are too many, and nothing is written [DST-09]', async () => {
    const connection = await prepared()
    for (let at = 0; at < 58; at += 1) await googleSheets.find(parts(), connection, [])
    expect(await googleSheets.deliver(parts(), connection, [recordAbout('ada')])).toMatchObject([
      { state: 'later', trouble: 'rate' },
    ])
    expect(keys()).toEqual(['LES key'])
  })

  it('a token revoked between two deliveries pauses, and what was written stays [DST-09]', async () => {
    const connection = await prepared()
    await googleSheets.deliver(parts(), connection, [recordAbout('ada')])
    sandbox.world.twins.google_token.change(robot, { revoked: true })
    expect(await googleSheets.deliver(parts(), connection, [recordAbout('ada'), recordAbout('grace')])).toMatchObject([
      { state: 'later', trouble: 'auth_revoked' },
      { state: 'later', trouble: 'auth_revoked' },
    ])
  })
})

describe('a service account', () => {
  it('signs with its key, which is checked where it is known [DST-12]', async () => {
    const twin = sandbox.world.twins.google_token
    twin.change(robot, { publicKey })
    expect(await googleSheets.check(parts(), to())).toMatchObject({ account: expect.stringContaining(robot) })
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' })
    twin.change(robot, { publicKey: String(other) })
    expect((await troubleOf(googleSheets.check(parts(), to()))).trouble).toBe('auth_revoked')
  })

  it.each([
    ['an object', keyFile()],
    ['its text', JSON.stringify(keyFile())],
    ['line breaks spelt out', { ...keyFile(), private_key: privateKey.replaceAll('\n', '\\n') }],
  ])('is read from %s, and again from what was read [DST-01]', (_form, serviceAccount) => {
    const read = googleSheets.credentials.parse({ serviceAccount })
    expect(googleSheets.credentials.parse(JSON.parse(JSON.stringify(read)))).toEqual(read)
    expect(read.serviceAccount).toEqual({
      client_email: robot,
      private_key: privateKey,
      private_key_id: 'abcdef0123456789',
    })
    expect(googleSheets.hint(read)).toBe('6789')
  })

  it.each([
    ['no JSON', 'not json'],
    ['another JSON', '{"installed": {}}'],
    ['no key', { ...keyFile(), private_key: 'secret' }],
    [
      'a key of another kind',
      { ...keyFile(), private_key: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) },
    ],
    ['no address', { ...keyFile(), client_email: 'me' }],
  ])('with %s is refused with what to give, without quoting it [DST-01]', (_what, serviceAccount) => {
    const { error } = googleSheets.credentials.safeParse({ serviceAccount })
    expect(error?.message).toContain('JSON key file of a service account')
    expect(error?.message).not.toContain('PRIVATE KEY')
  })

  it('takes no other field beside it; a spreadsheet is named by its id [DST-01]', () => {
    expect(googleSheets.credentials.safeParse({ serviceAccount: keyFile(), token: 'x' }).success).toBe(false)
    expect(googleSheets.settings.safeParse({ spreadsheetId: id, tab: 'x' }).success).toBe(false)
    expect(
      googleSheets.settings.safeParse({ spreadsheetId: 'https://docs.google.com/spreadsheets/d/x/edit' }).success,
    ).toBe(false)
  })
})
