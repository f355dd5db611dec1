/** The six kinds of destination that have an adapter: their setup in scenarios and what their twins received. */
import { generateKeyPairSync } from 'node:crypto'
import type { MappingRow } from '../../src/providers/destinations/index.ts'
import type { FaultPoint } from '../../src/platform/faults.ts'
import type { Answer, Team, World } from '../world/world.ts'
import { addDestination } from './stage.ts'

type FaultRule = Parameters<World['network']['fault']>[0]

export type Kind = {
  readonly kind: 'slack' | 'hubspot' | 'google_sheets' | 's3' | 'attio' | 'salesforce'
  /** Settings and credentials of a new account; `mark` names it. */
  readonly body: (world: World, mark: string) => { settings: object; credentials: object }
  readonly people: (world: World, mark: string) => readonly string[]
  readonly write: { readonly vendor: string; readonly operation: string; readonly match?: Record<string, string> }
  /** The platform's mail field; null for kinds without a mapping. */
  readonly mailField: string | null
  readonly hasQuota: boolean
  /** What a changed document does to the existing record. */
  readonly onChange: 'updated' | 'kept' | 'added'
}

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const texts = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row))
const slackPath = (mark: string): string => `/services/T0KINDS/B0KINDS/${mark}`

export const kinds: readonly Kind[] = [
  {
    kind: 'slack',
    body: (_world, mark) => ({
      settings: {},
      credentials: { webhookUrl: `https://hooks.slack.com${slackPath(mark)}` },
    }),
    people: ({ network }, mark) =>
      network.twins.slack
        .view(slackPath(mark))
        .messages.flatMap((message) => message.texts.slice(1))
        .filter((text) => text.includes('/in/')),
    write: { vendor: 'slack', operation: 'webhook' },
    mailField: null,
    hasQuota: false,
    onChange: 'kept',
  },
  {
    kind: 'hubspot',
    body: (_world, mark) => ({ settings: {}, credentials: { accessToken: mark } }),
    people: ({ network }, mark) => texts((network.twins.hubspot.view(mark) as { contacts: unknown[] }).contacts),
    write: { vendor: 'hubspot', operation: 'BatchUpsert', match: { object: 'contacts' } },
    mailField: 'email',
    hasQuota: true,
    onChange: 'updated',
  },
  {
    kind: 'google_sheets',
    body: (_world, mark) => ({
      settings: { spreadsheetId: mark },
      credentials: {
        serviceAccount: {
          type: 'service_account',
          project_id: 'project',
          private_key_id: mark,
          private_key: privateKey,
          client_email: 'robot@project.iam.gserviceaccount.com',
        },
      },
    }),
    people: ({ network }, mark) =>
      texts((network.twins.google_sheets.view(mark).tabs.find(({ title }) => title === 'Leads')?.rows ?? []).slice(1)),
    write: { vendor: 'sheets', operation: 'append' },
    mailField: null,
    hasQuota: false,
    onChange: 'kept',
  },
  {
    kind: 's3',
    body: (world, mark) => ({
      settings: {
        endpoint: world.service.sandbox!.addresses.destinations.s3,
        region: 'eu-west-1',
        bucket: mark,
        pathStyle: true,
      },
      credentials: { accessKeyId: 'AKIAGOODEXAMPLE', secretAccessKey: `secret-of-${mark}` },
    }),
    people: ({ network }, mark) =>
      network.twins.s3
        .view(mark)
        .objects.flatMap(({ key, text }) => (key.endsWith('.jsonl.gz') ? text.trimEnd().split('\n') : [])),
    write: { vendor: 's3', operation: 'put' },
    mailField: null,
    hasQuota: false,
    onChange: 'added',
  },
  {
    kind: 'attio',
    body: (_world, mark) => ({ settings: {}, credentials: { accessToken: mark } }),
    people: ({ network }, mark) => texts((network.twins.attio.view(mark) as { people: unknown[] }).people),
    write: { vendor: 'attio', operation: 'AssertRecord', match: { object: 'people' } },
    mailField: 'email_addresses',
    hasQuota: false,
    onChange: 'updated',
  },
  {
    kind: 'salesforce',
    body: (_world, mark) => ({
      settings: { instanceUrl: 'https://acme.my.salesforce.com', object: 'Lead' },
      credentials: { clientId: mark, clientSecret: `secret-of-${mark}` },
    }),
    people: ({ network }, mark) => texts((network.twins.salesforce.view(mark) as { leads: unknown[] }).leads),
    write: { vendor: 'salesforce', operation: 'UpsertRecords' },
    mailField: 'Email',
    hasQuota: true,
    onChange: 'updated',
  },
]

let marks = 0

/** A destination with its own account, and the people it received. */
export type Placed = {
  readonly id: string
  readonly mark: string
  readonly people: () => readonly string[]
  readonly shown: () => Promise<Answer['body']>
  readonly set: (change: object) => Promise<Answer>
  readonly secret: string
}

/** Sets up a destination of a kind. */
export async function place(
  world: World,
  team: Team,
  of: Kind,
  more: { mapping?: MappingRow[]; active?: boolean; icpOnly?: boolean; filters?: object[] } = {},
): Promise<Placed> {
  marks += 1
  const mark = `acct-${of.kind.replace('_', '-')}-${process.env.VITEST_POOL_ID ?? '0'}-${marks}`
  const body = of.body(world, mark)
  const { id } = await addDestination(team, { kind: of.kind, name: `${of.kind} of a test`, ...body, ...more })
  return {
    id,
    mark,
    people: () => of.people(world, mark),
    shown: async () => (await team.get(`/destinations/${id}`)).body,
    set: (change) => team.call('PATCH', `/destinations/${id}`, change),
    secret: JSON.stringify(body.credentials),
  }
}

/** Makes the next calls that write people of a kind fail. */
export function misbehave(world: World, { write }: Kind, rule: Partial<FaultRule> & Pick<FaultRule, 'kind'>): void {
  world.network.fault({ ...write, times: 1, ...rule })
}

/** Expires the leases of destinations and results, as if their processes had died. */
export async function forgetLeases(world: World): Promise<void> {
  for (const table of ['destination', 'result_feed'])
    await world.database.pool.query(`update ${table} set lease_until_ms = 0 where lease_until_ms is not null`)
  await world.database.pool.query('update work_turn set look_ms = 0 where look_ms is not null')
}

/** Does due work with a process that dies at a fault point, and then with another. */
export async function dieAt(world: World, point: FaultPoint): Promise<void> {
  await world.arm(point)
  const left = async () =>
    (await world.database.pool.query('select times from armed_fault where name = $1', [point])).rows[0].times
  for (let tries = 0; tries < 5 && (await left()) > 0; tries += 1) await world.operator('POST', '/operator/drain')
  if ((await left()) > 0) throw new Error(`nothing passed ${point}`)
  await forgetLeases(world)
  await world.drain()
}
