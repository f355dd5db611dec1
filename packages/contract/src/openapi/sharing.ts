/** Moves repeated parts of a description into named components, so that generated clients get one type for each. */
import type { Components, Json } from './schema.ts'

type Fields = Readonly<Record<string, unknown>>

/** Keys whose values are data, not schemas. */
const dataKeys = new Set(['example', 'examples', 'enum', 'const', 'default', 'required', 'discriminator'])

/** New components by name, each with the path of one use (`[]` for list items). Outer parts must come first. */
const namedParts: Readonly<Record<string, string>> = {
  FilterToSave: 'UpdateAgentBody.webhook.filters.[]',
  RuleToSave: 'UpdateIcpBody.rules.[]',
  SettingChange: 'SettingChange',
  ExpressionWarnings: 'KeywordSearch.warnings',
  CountryWarnings: 'StartedDiscoverRun.warnings',
  NotStopped: 'AgentLaunch.notStopped',
  Mode: 'EditAnswer.mode',
  SourceHandle: 'EditAnswer.username',
  SourceKind: 'Icp.type',
  PostsPerSync: 'EditAnswer.postsPerSync',
  CreditCapPerSync: 'EditAnswer.creditCapPerSync',
  CaptureMode: 'SearchSettings.captureMode',
  CaptureReplies: 'EditAnswer.captureReplies',
  DatePosted: 'SearchSettings.datePosted',
  ContentType: 'FoundPost.contentType',
  OrganisationIds: 'EditKeywordBody.authorCompany',
  MemberIds: 'EditKeywordBody.fromPerson',
}

/** Objects with common fields, by the name of the component that will hold those fields. */
export const families: Readonly<Record<string, readonly string[]>> = {
  LeadFields: ['AgentLead', 'Engager', 'Lead'],
  PersonFields: ['EnrichProfileResult', 'Influencer', 'LeadFields'],
  SearchFields: ['EditKeywordBody', 'TrackKeywordBody'],
  SavedSearchFields: ['EditKeywordAnswer', 'KeywordSearch'],
  EnrichFields: ['EnrichBody', 'EnrichCompanyBody'],
  PostFields: ['FoundPost', 'NetworkPost', 'SourcePost'],
  EventFields: ['LeadDetectedEvent', 'PostDetectedEvent', 'SyncCompletedEvent', 'SyncFailedEvent'],
  OfSource: ['Icp', 'SourceOutreach', 'SyncStatus', 'TriedIcp', 'UpdateWebhookAnswer'],
  PageFields: ['AgentLeadPage', 'EngagerPage', 'FoundPostPage', 'LeadPage', 'RawLeadPage', 'SourcePostPage'],
  PushFields: ['Push', 'StartedPush'],
}

const propertiesOf = (schema: Json): Fields => (schema.properties ?? {}) as Fields
const requiredOf = (schema: Json): readonly string[] => (schema.required ?? []) as readonly string[]
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

function nodeAt(components: Components, path: string): Json {
  const [name, ...steps] = path.split('.')
  const node = steps.reduce<Json | undefined>(
    (at, step) => (step === '[]' ? at?.items : propertiesOf(at ?? {})[step]) as Json | undefined,
    components.get(name!),
  )
  if (!node) throw new Error(`the description has nothing at ${path}`)
  return node
}

function replaced(node: unknown, text: string, name: string): unknown {
  if (Array.isArray(node)) return node.map((item) => replaced(item, text, name))
  if (typeof node !== 'object' || node === null) return node
  if (JSON.stringify(node) === text) return refTo(name)
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, dataKeys.has(key) ? value : replaced(value, text, name)]),
  )
}

/** Names each part of the table and refers to it wherever the same schema occurs. */
export function shareParts(components: Components, table: Readonly<Record<string, string>> = namedParts): void {
  for (const [name, path] of Object.entries(table)) {
    const part = nodeAt(components, path)
    const text = JSON.stringify(part)
    for (const [other, schema] of components)
      if (other !== name) components.set(other, replaced(schema, text, name) as Json)
    components.set(name, part)
  }
}

/** Both objects must be open. */
function inherit(components: Components, name: string, [baseName, base]: readonly [string, Json]): void {
  const schema = components.get(name)!
  const { allOf = [], properties: _properties, required: _required, ...rest } = schema
  const required = requiredOf(schema).filter((field) => !requiredOf(base).includes(field))
  components.set(name, {
    ...rest,
    allOf: [...(allOf as Json[]), refTo(baseName)],
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(
      Object.entries(propertiesOf(schema)).filter(([field]) => !(field in propertiesOf(base))),
    ),
  })
}

const plainKeys = new Set(['type', 'properties', 'required', 'description'])

/** An open object without further constraints, so that others can extend it. */
const isPlain = (schema: Json): boolean =>
  schema.type === 'object' && schema.properties !== undefined && Object.keys(schema).every((key) => plainKeys.has(key))

/** `whole` has every field of `part`, described and required alike, and more. */
const holds = (whole: Json, part: Json): boolean => {
  const [all, some] = [propertiesOf(whole), Object.entries(propertiesOf(part))]
  return (
    some.length < Object.keys(all).length &&
    some.every(([name, schema]) => isSame(all[name], schema)) &&
    requiredOf(part).every((name) => requiredOf(whole).includes(name))
  )
}

/** In characters of JSON. */
const worthSharing = 300

const lengthOf = (schema: Json): number => JSON.stringify(schema.properties).length

/** Rewrites each object that has all fields of another as an extension of it. */
export function shareFields(components: Components): void {
  const plain = [...components].filter(([, schema]) => isPlain(schema))
  for (const [name, schema] of plain) {
    const [base] = plain
      .filter(([other, each]) => other !== name && lengthOf(each) > worthSharing && holds(schema, each))
      .sort(([, a], [, b]) => lengthOf(b) - lengthOf(a))
    if (base) inherit(components, name, base)
  }
}

function commonOf([first, ...others]: readonly Json[]): Json {
  const fields = Object.entries(propertiesOf(first!)).filter(([name, schema]) =>
    others.every(
      (other) =>
        isSame(propertiesOf(other)[name], schema) &&
        requiredOf(other).includes(name) === requiredOf(first!).includes(name),
    ),
  )
  const required = fields.map(([name]) => name).filter((name) => requiredOf(first!).includes(name))
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** Rewrites the objects of each family as their common fields plus the rest. */
export function shareFamilies(
  components: Components,
  table: Readonly<Record<string, readonly string[]>> = families,
): void {
  for (const [name, members] of Object.entries(table)) {
    const common = commonOf(members.map((member) => components.get(member)!))
    for (const member of members) inherit(components, member, [name, common])
    components.set(name, common)
  }
}

/** A part of a description that may equal others, and the stem of its shared name. */
export type Place = { readonly holder: Json; readonly key: string; readonly stem: string }

/** Replaces equal places by references; returns the shared parts by name. */
export function shareRepeated(kind: string, places: readonly Place[]): Json {
  const shared: Json = {}
  for (const alike of Map.groupBy(places, ({ holder, key }) => JSON.stringify(holder[key])).values()) {
    const { holder: first, key: at, stem } = alike[0]!
    if (alike.length === 1) continue
    let name = stem
    for (let nth = 2; name in shared; nth++) name = `${stem}${nth}`
    shared[name] = first[at]
    for (const { holder, key } of alike) holder[key] = { $ref: `#/components/${kind}/${name}` }
  }
  return shared
}
