/**
 * A team's settings as a file: tracked sources with settings, webhook, criteria and outreach, and the agent. Fields are those of
 * the interface, checked by the contract's schemas; whatever the file omits stays unchanged.
 */
import {
  contractVersions,
  describeSchema,
  findOperation,
  foldCase,
  initialSearch,
  spendScope,
  type OperationId,
} from '@les/contract'
import type { z } from 'zod'
import { listsSchema, readLists, type Lists } from './exclusions.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The key that names a source in a file determines its kind. */
export const sourceKeys = ['person', 'company', 'post', 'search', 'expression'] as const

export type SourceKey = (typeof sourceKeys)[number]

/** Parts of a source besides its settings, with the operation that sets each. */
export const sections = {
  webhook: 'updateSourceWebhook',
  icp: 'updateSourceIcp',
  outreach: 'updateSourceOutreach',
} as const satisfies Record<string, OperationId>

export type Section = keyof typeof sections

export const sectionNames = Object.keys(sections) as Section[]

/** A section that is undefined stays unchanged; null removes it. */
export type DeclaredSource = {
  readonly key: SourceKey
  /** Handle, slug, URN or expression; the terms of a search. */
  readonly name: string | readonly string[]
  readonly settings: Fields
} & { readonly [S in Section]?: Fields | null | undefined }

export type Declared = {
  readonly sources: readonly DeclaredSource[]
  readonly agent: Fields | undefined
  readonly exclusions?: Lists | undefined
}

/** A mistake in a file and its place: `sources[2].webhook.url`. */
export type Problem = { readonly where: string; readonly what: string }

type Tracking = {
  readonly operationId: 'enrichProfile' | 'enrichCompany' | 'trackPost' | 'trackKeyword'
  /** Null: its settings cannot be changed. */
  readonly edit: OperationId | null
  readonly untrack: OperationId
  body(source: DeclaredSource): Fields
}

const ofHandle: Tracking['body'] = ({ name, settings }) => ({ username: name, saveTrackedProfile: true, ...settings })

const ofSearches = { operationId: 'trackKeyword', edit: 'editKeyword', untrack: 'untrackKeyword' } as const

/** The operations that track, edit and untrack each kind of source, and the body that tracks it. */
export const tracking: Readonly<Record<SourceKey, Tracking>> = {
  person: { operationId: 'enrichProfile', edit: 'editProfile', untrack: 'untrackProfile', body: ofHandle },
  company: { operationId: 'enrichCompany', edit: 'editCompany', untrack: 'untrackCompany', body: ofHandle },
  post: {
    operationId: 'trackPost',
    edit: null,
    untrack: 'untrackPost',
    body: ({ name, settings }) => ({ postUrl: name, ...settings }),
  },
  search: { ...ofSearches, body: ({ name, settings }) => ({ keywords: name, ...searchDefaults, ...settings }) },
  expression: { ...ofSearches, body: ({ name, settings }) => ({ expression: name, ...searchDefaults, ...settings }) },
}

/** Fields the spend contract requires of a search; a file may omit them. */
const searchDefaults: Fields = {
  contractVersion: contractVersions.spend,
  ...Object.fromEntries(spendScope.map((name) => [name, initialSearch[name]])),
}

/** Body fields that a file cannot set: they name the source or confirm something. */
const notInFiles = new Set([
  'username',
  'saveTrackedProfile',
  'postUrl',
  'keywords',
  'keyword',
  'expression',
  'confirmSpend',
  'confirmChanges',
  'contractVersion',
  'postBudget',
  'agentId',
  'create',
  'dryRun',
  'pushHistoric',
])

const shapeOf = (id: OperationId): Record<string, z.ZodType> =>
  (findOperation(id).body as { shape?: Record<string, z.ZodType> } | null)?.shape ?? {}

/** The settings a file may set through an operation, with their schemas. */
export const settable = (id: OperationId): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(shapeOf(id)).filter(([name]) => !notInFiles.has(name)))

/** The fields of a section; `webhookUrl` is called `url` in files. */
const fieldsOf = (section: Section): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(settable(sections[section])).map(([name, schema]) => [name === 'webhookUrl' ? 'url' : name, schema]),
  )

export const bodyOfSection = (section: Section, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      section === 'webhook' && name === 'url' ? 'webhookUrl' : name,
      value,
    ]),
  )

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function unknownFields(given: Fields, known: readonly string[], where: string): Problem[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({ where: `${where}.${name}`, what: `is not known here: there are ${known.join(', ')}` }))
}

function judge(id: OperationId, body: Fields, where: string): Problem[] {
  const parsed = findOperation(id).body!.safeParse(body)
  if (parsed.success) return []
  return parsed.error.issues.map(({ path, message }) => ({
    where: [where, ...path.map(String)].join('.'),
    what: message,
  }))
}

/** Filter rows in the service's canonical form, so that they compare equal to its answers. */
function withReadRows(id: OperationId, fields: Fields): Fields {
  const parsed = findOperation(id).body!.safeParse(fields)
  return parsed.success ? rowsOf(fields, parsed.data as Fields) : fields
}

const rowsOf = (fields: Fields, read: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name === 'rules' || name === 'filters') return [name, read[name]]
      return [name, isFields(value) && isFields(read[name]) ? rowsOf(value, read[name]) : value]
    }),
  )

function readSource(raw: unknown, where: string, problems: Problem[]): DeclaredSource | null {
  if (!isFields(raw)) {
    problems.push({ where, what: `must be an entry such as {person: jane-doe}` })
    return null
  }
  const [key, ...others] = sourceKeys.filter((each) => each in raw)
  if (key === undefined || others.length > 0) {
    problems.push({ where, what: `must have exactly one of ${sourceKeys.join(', ')}` })
    return null
  }
  problems.push(...unknownFields(raw, [key, 'settings', ...sectionNames], where))
  const name = raw[key]
  const isNamed =
    key === 'search' ? Array.isArray(name) && name.every((term) => typeof term === 'string') : typeof name === 'string'
  if (!isNamed) {
    problems.push({ where: `${where}.${key}`, what: key === 'search' ? 'must be a list of terms' : 'must be text' })
    return null
  }
  for (const part of ['settings', ...sectionNames])
    if (raw[part] !== undefined && raw[part] !== null && !isFields(raw[part]))
      problems.push({ where: `${where}.${part}`, what: 'must be a list of fields' })
  const { operationId, body } = tracking[key]
  const settings = isFields(raw.settings) ? raw.settings : {}
  const source: DeclaredSource = { key, name: name as string | string[], settings }
  problems.push(...unknownFields(settings, Object.keys(settable(operationId)), `${where}.settings`))
  problems.push(...judge(operationId, body(source), `${where}.settings`))
  const read = sectionNames.map((section) => {
    const fields = raw[section]
    // Criteria cannot be removed, so null counts as undefined.
    if (!isFields(fields)) return [section, section === 'icp' ? (fields ?? undefined) : fields]
    const id = sections[section]
    problems.push(...unknownFields(fields, Object.keys(fieldsOf(section)), `${where}.${section}`))
    problems.push(...judge(id, bodyOfSection(section, fields), `${where}.${section}`))
    return [section, section === 'webhook' ? fields : withReadRows(id, fields)]
  })
  return { ...source, ...(Object.fromEntries(read) as Pick<DeclaredSource, Section>) }
}

/** Drops fields that the operation would refuse (disabled settings, nulls), so that a pulled file can be applied unchanged. */
export function withoutRefusedFields(id: OperationId, fields: Fields, bodyOf: (fields: Fields) => Fields): Fields {
  const parsed = findOperation(id).body!.safeParse(bodyOf(fields))
  if (parsed.success) return fields
  const refused = new Set(parsed.error.issues.map(({ path }) => String(path[0])))
  const left = Object.fromEntries(Object.entries(fields).filter(([name]) => !refused.has(name)))
  return Object.keys(left).length === Object.keys(fields).length ? fields : withoutRefusedFields(id, left, bodyOf)
}

const nameFields = { person: 'username', company: 'username', post: 'postUrl' } as const

/** Folds a term the way the service distinguishes searches (G60). */
const foldedTerm = (term: string): string =>
  foldCase(
    term
      .replace(/[“”„‟«»＂]/g, '"')
      .replace(/\s+/g, ' ')
      .trim(),
  )

/** Identifies a source in a file: the name as the interface reads it, whatever its spelling. */
export function identityOf({ key, name }: Pick<DeclaredSource, 'key' | 'name'>): string {
  if (key === 'search' || key === 'expression') return `${key} ${[name].flat().map(String).map(foldedTerm).join('\n')}`
  const read = shapeOf(tracking[key].operationId)[nameFields[key]]!.safeParse(name)
  const known = read.success ? (typeof read.data === 'string' ? read.data : (read.data as { urn: string }).urn) : name
  return `${key} ${String(known)}`
}

/** Reads a parsed file and collects all problems. */
export function readDeclared(raw: unknown): { readonly declared: Declared; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const none = { sources: [], agent: undefined }
  if (!isFields(raw))
    return {
      declared: none,
      problems: [{ where: 'the file', what: 'must hold version, sources, agent and exclusions' }],
    }
  problems.push(...unknownFields(raw, ['version', 'sources', 'agent', 'exclusions'], 'the file'))
  if (raw.version !== 1) problems.push({ where: 'version', what: 'must be 1' })
  const rows = raw.sources ?? []
  if (!Array.isArray(rows)) problems.push({ where: 'sources', what: 'must be a list' })
  const sources = (Array.isArray(rows) ? rows : []).map((row, at) => readSource(row, `sources[${at}]`, problems))
  const seen = new Set<string>()
  for (const [at, source] of sources.entries()) {
    if (source === null) continue
    const identity = identityOf(source)
    if (seen.has(identity)) problems.push({ where: `sources[${at}]`, what: 'is declared twice' })
    seen.add(identity)
  }
  const agent = isFields(raw.agent) ? raw.agent : undefined
  if (raw.agent !== undefined && raw.agent !== null && agent === undefined)
    problems.push({ where: 'agent', what: 'must be a list of fields' })
  if (agent) {
    problems.push(...unknownFields(agent, Object.keys(settable('updateAgent')), 'agent'))
    problems.push(...judge('updateAgent', agent, 'agent'))
  }
  const read = agent && withReadRows('updateAgent', agent)
  const exclusions = readLists(raw.exclusions, problems)
  return {
    declared: { sources: sources.filter((source) => source !== null), agent: read, exclusions },
    problems,
  }
}

const schemaOf = (fields: Record<string, z.ZodType>): Fields => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      // Definitions cannot be carried along, so a field that refers to one accepts anything.
      const { $schema: _schema, $defs: _defs, ...described } = describeSchema(schema, 'input')
      return [name, JSON.stringify(described).includes('"$ref"') ? {} : described]
    }),
  ),
})

const orNothing = (schema: Fields): Fields => ({ anyOf: [schema, { type: 'null' }] })

export function fileSchema(): Fields {
  const entry = (key: SourceKey): Fields => ({
    type: 'object',
    required: [key],
    additionalProperties: false,
    properties: {
      [key]: key === 'search' ? { type: 'array', items: { type: 'string' } } : { type: 'string' },
      settings: schemaOf(settable(tracking[key].operationId)),
      webhook: orNothing(schemaOf(fieldsOf('webhook'))),
      icp: schemaOf(fieldsOf('icp')),
      outreach: orNothing(schemaOf(fieldsOf('outreach'))),
    },
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What a team tracks, and where its leads go (les config)',
    type: 'object',
    required: ['version'],
    additionalProperties: false,
    properties: {
      version: { const: 1 },
      sources: { type: 'array', items: { oneOf: sourceKeys.map(entry) } },
      agent: orNothing(schemaOf(settable('updateAgent'))),
      exclusions: orNothing(listsSchema),
    },
  }
}
