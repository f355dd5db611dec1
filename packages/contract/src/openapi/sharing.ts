/**
 * What a description says several times is said once under a name of its own: what is valid stays the same, and generated clients
 * get one type for it. Pure but for the components that are changed.
 */
import type { Components, Json } from './schema.ts'

type Fields = Readonly<Record<string, unknown>>

/** Where data stands instead of schemas. */
const dataKeys = new Set(['example', 'examples', 'enum', 'const', 'default', 'required', 'discriminator'])

/** Components by their name, each with where one of its uses stands: fields by name, items of lists as `[]`. Outer ones first. */
export const namedParts: Readonly<Record<string, string>> = {
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

/** Objects that have fields in common, by the name of what they share. */
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

/** Replaces every schema inside `node` that is written like `text`. */
function replaced(node: unknown, text: string, name: string): unknown {
  if (Array.isArray(node)) return node.map((item) => replaced(item, text, name))
  if (typeof node !== 'object' || node === null) return node
  if (JSON.stringify(node) === text) return refTo(name)
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, dataKeys.has(key) ? value : replaced(value, text, name)]),
  )
}

/** Gives each part of the table its name, and refers to it wherever the same stands. */
export function shareParts(components: Components, table: Readonly<Record<string, string>> = namedParts): void {
  for (const [name, path] of Object.entries(table)) {
    const part = nodeAt(components, path)
    const text = JSON.stringify(part)
    for (const [other, schema] of components)
      if (other !== name) components.set(other, replaced(schema, text, name) as Json)
    components.set(name, part)
  }
}

/** Writes an object as `allOf` another, whose fields it has, and the rest. Both have to be open. */
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

/** True for an object that others may be made of: open, and nothing but its fields. */
const isPlain = (schema: Json): boolean =>
  schema.type === 'object' && schema.properties !== undefined && Object.keys(schema).every((key) => plainKeys.has(key))

/** True when `whole` has every field of `part`, described in the same words and as surely there, and more. */
const holds = (whole: Json, part: Json): boolean => {
  const [all, some] = [propertiesOf(whole), Object.entries(propertiesOf(part))]
  return (
    some.length < Object.keys(all).length &&
    some.every(([name, schema]) => isSame(all[name], schema)) &&
    requiredOf(part).every((name) => requiredOf(whole).includes(name))
  )
}

/** The length that a reference has to be worth. */
const worthSharing = 300

const lengthOf = (schema: Json): number => JSON.stringify(schema.properties).length

/** Writes each object that holds all fields of another as that one and what it adds. */
export function shareFields(components: Components): void {
  const plain = [...components].filter(([, schema]) => isPlain(schema))
  for (const [name, schema] of plain) {
    const [base] = plain
      .filter(([other, each]) => other !== name && lengthOf(each) > worthSharing && holds(schema, each))
      .sort(([, a], [, b]) => lengthOf(b) - lengthOf(a))
    if (base) inherit(components, name, base)
  }
}

/** The fields that all have in the same words and as surely, as an object. */
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

/** Writes the objects of each family as what they share and the rest. */
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

/** A place of a description that may say the same as another, and what that would be called. */
export type Place = { readonly holder: Json; readonly key: string; readonly stem: string }

/** Replaces what several places say alike by references, and answers what they refer to by name. */
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
