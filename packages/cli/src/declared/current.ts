import { initialEnd, initialSearch, initialSettings, spendScope, type Client } from '@les/contract'
import { currentLists, type CurrentLists } from './exclusions.ts'
import {
  bodyOfSection,
  identityOf,
  sections,
  settable,
  withoutRefusedFields,
  tracking,
  type DeclaredSource,
  type Fields,
  type Section,
  type SourceKey,
} from './document.ts'

/** A tracked source as a file would declare it, with its id. */
export type CurrentSource = DeclaredSource & { readonly id: string; readonly row: Fields }

/** Current settings; sources by `identityOf`. */
export type Current = {
  readonly sources: ReadonlyMap<string, CurrentSource>
  readonly agent: Fields | undefined
  readonly balance: number
  readonly exclusions?: CurrentLists
}

const keyOf = (row: Fields): SourceKey =>
  row.type === 'keyword' ? (row.expression ? 'expression' : 'search') : (row.type as SourceKey)

const pick = (row: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]))

/** Values that files omit. */
const defaults: Fields = { ...initialSettings, ...initialSearch, ...initialEnd }
/** Written even at their default, since they limit what a search may spend. */
const alwaysNamed: ReadonlySet<string> = new Set(spendScope)
const derived = new Set(['runOnce'])

function settingsOf(key: SourceKey, name: DeclaredSource['name'], row: Fields): Fields {
  const { operationId, body } = tracking[key]
  const all = pick(row, Object.keys(settable(operationId)))
  const said = Object.fromEntries(
    Object.entries(all).filter(
      ([name, value]) =>
        value !== null &&
        !derived.has(name) &&
        (value !== defaults[name] || alwaysNamed.has(name)) &&
        !(Array.isArray(value) && value.length === 0),
    ),
  )
  return withoutRefusedFields(operationId, said, (settings) => body({ key, name, settings }))
}

/** Which sections to read of a source; each section costs a call. */
export type Wanted = (identity: string) => readonly Section[]

async function readSection(client: Client, id: string, section: Section): Promise<Fields | null> {
  const read = (fields: Fields): Fields =>
    withoutRefusedFields(sections[section], fields, (left) => bodyOfSection(section, left))
  if (section === 'webhook') {
    const { webhookUrl, ...webhook } = await client.getSourceWebhook({ id })
    return read({ url: webhookUrl, ...pick(webhook, ['autoSend', 'icpOnly', 'syncEvents']) })
  }
  if (section === 'icp') return read(pick(await client.getSourceIcp({ id }), ['matchMode', 'rules']))
  const { outreach } = await client.getSourceOutreach({ id })
  return outreach && read(pick(outreach as Fields, ['campaignId', 'autoSend', 'filters']))
}

async function agentOf(client: Client): Promise<Fields | undefined> {
  const { agent } = await client.getAgent({})
  if (agent === null) return undefined
  const { webhook, outreach } = agent
  const fields = {
    website: agent.website,
    ...agent.profile,
    dailyCredits: agent.dailyCredits,
    webhook: webhook && pick(webhook, ['url', 'autoSend', 'filters']),
    outreach: outreach && pick(outreach as Fields, ['campaignId', 'autoSend', 'filters']),
  }
  // Without a daily limit the value is null, which no request accepts.
  return withoutRefusedFields('updateAgent', fields, (left) => left)
}

export async function readCurrent(
  client: Client,
  wanted: Wanted,
  { agent, lists }: { readonly agent: boolean; readonly lists: readonly string[] | 'all' },
): Promise<Current> {
  const { sources } = await client.listSources({})
  const found = new Map<string, CurrentSource>()
  for (const row of sources as unknown as readonly Fields[]) {
    const key = keyOf(row)
    const name =
      key === 'search' ? (row.keywords as string[]) : String(key === 'expression' ? row.expression : row.username)
    const identity = identityOf({ key, name })
    const id = String(row.id)
    const said: Partial<Record<Section, Fields | null>> = {}
    for (const section of wanted(identity)) said[section] = await readSection(client, id, section)
    found.set(identity, { key, name, id, row, settings: settingsOf(key, name, row), ...said })
  }
  return {
    sources: found,
    agent: agent ? await agentOf(client) : undefined,
    balance: (await client.getCredits({})).balance,
    exclusions: await currentLists(client, lists === 'all' ? null : lists),
  }
}
