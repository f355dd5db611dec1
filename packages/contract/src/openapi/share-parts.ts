/**
 * Schemas that stand in several places of the description, said once under a name of their own: what is valid stays the same.
 * Pure but for the components they change.
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

/** The names of the fields that all have in the same words and as surely. */
function commonOf(members: readonly Json[]): readonly string[] {
  const [first, ...others] = members as [Json, ...Json[]]
  return Object.entries(propertiesOf(first))
    .filter(([name, schema]) =>
      others.every(
        (other) =>
          JSON.stringify(propertiesOf(other)[name]) === JSON.stringify(schema) &&
          requiredOf(other).includes(name) === requiredOf(first).includes(name),
      ),
    )
    .map(([name]) => name)
}

/** Writes the objects of each family as `allOf` what they share and the rest. They have to be open. */
export function shareFamilies(
  components: Components,
  table: Readonly<Record<string, readonly string[]>> = families,
): void {
  for (const [name, members] of Object.entries(table)) {
    const schemas = members.map((member) => components.get(member)!)
    const common = commonOf(schemas)
    const [first] = schemas as [Json]
    for (const [at, schema] of schemas.entries()) {
      const { allOf, properties, required: _all, ...rest } = schema
      const required = requiredOf(schema).filter((field) => !common.includes(field))
      components.set(members[at]!, {
        ...rest,
        allOf: [...((allOf ?? []) as Json[]), refTo(name)],
        ...(required.length > 0 ? { required } : {}),
        properties: Object.fromEntries(
          Object.entries(properties as Fields).filter(([field]) => !common.includes(field)),
        ),
      })
    }
    const required = common.filter((field) => requiredOf(first).includes(field))
    components.set(name, {
      type: 'object',
      properties: Object.fromEntries(common.map((field) => [field, propertiesOf(first)[field]])),
      ...(required.length > 0 ? { required } : {}),
    })
  }
}

/** Collects what is referred to instead of repeated: what is written alike twice or more becomes a component. */
export function makeShared(kind: string): {
  /** Counts a use; the reference is known when all were counted. */
  add(value: Json, stem: string): void
  /** A reference where it is shared, else the value itself. */
  of(value: Json): Json
  all(): Json
} {
  const known = new Map<string, { readonly value: Json; readonly stem: string; uses: number; name?: string }>()
  const names = new Set<string>()
  return {
    add: (value, stem) => {
      const text = JSON.stringify(value)
      const entry = known.get(text) ?? { value, stem, uses: 0 }
      entry.uses += 1
      known.set(text, entry)
    },
    of: (value) => {
      const entry = known.get(JSON.stringify(value))
      if (!entry || entry.uses < 2) return value
      for (let nth = 1; entry.name === undefined; nth++) {
        const name = nth === 1 ? entry.stem : `${entry.stem}${nth}`
        if (names.has(name)) continue
        names.add(name)
        entry.name = name
      }
      return { $ref: `#/components/${kind}/${entry.name}` }
    },
    all: () =>
      Object.fromEntries([...known.values()].filter(({ name }) => name).map(({ name, value }) => [name, value])),
  }
}
