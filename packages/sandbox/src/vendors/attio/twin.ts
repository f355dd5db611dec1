/** The part of Attio's API v2 that deliveries use. */
import { ok, type Reply } from '../exchange.ts'
import { createTwin, fieldsOf, lacksScope, route, TwinRefusal, type TwinInput } from '../twin.ts'
import {
  attribute,
  changeWorkspace,
  newId,
  openWorkspace,
  plainValues,
  type AttioObject,
  type AttioRecord,
  type Workspace,
} from './workspace.ts'

type Input = TwinInput<Workspace>

const scopes = [
  'record_permission:read-write',
  'object_configuration:read-write',
  'note:read-write',
  'user_management:read',
]
const codes: Readonly<Record<number, readonly [type: string, code: string]>> = {
  401: ['auth_error', 'unauthorized'],
  403: ['auth_error', 'insufficient_scopes'],
  404: ['invalid_request_error', 'not_found'],
  429: ['rate_limit_error', 'rate_limit_exceeded'],
  500: ['api_error', 'internal_error'],
  503: ['api_error', 'service_unavailable'],
}
const refuse = (status: number, code: string, message: string, more: object = {}): Reply => ({
  status,
  body: { status_code: status, type: codes[status]?.[0] ?? 'invalid_request_error', code, message, ...more },
})
const failure = (status: number, message: string): Reply =>
  refuse(status, codes[status]?.[1] ?? 'validation_type', message)

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

const wireValue = (type: string, value: unknown): object =>
  type === 'email-address'
    ? { email_address: value, attribute_type: type }
    : type === 'domain'
      ? { domain: value, attribute_type: type }
      : typeof value === 'object'
        ? { ...value, attribute_type: type }
        : { value, attribute_type: type }

function wire(object: AttioObject, { id, values }: AttioRecord, name: string): object {
  const typeOf = (slug: string) => object.attributes.find(({ api_slug }) => api_slug === slug)?.type ?? 'text'
  return {
    id: { workspace_id: 'w', object_id: name, record_id: id },
    created_at: '2026-11-28T00:00:00.000000000Z',
    web_url: `https://app.attio.com/twin/${name}/record/${id}`,
    values: Object.fromEntries(
      Object.entries(values).map(([slug, list]) => [slug, list.map((value) => wireValue(typeOf(slug), value))]),
    ),
  }
}

/** The writable values, each a list; the first that is not writable refuses the record. */
function valuesIn(object: AttioObject, given: unknown): Record<string, unknown[]> {
  const values: Record<string, unknown[]> = {}
  for (const [slug, value] of Object.entries(fieldsOf(given))) {
    const attribute = object.attributes.find(({ api_slug, is_archived }) => api_slug === slug && !is_archived)
    const path = ['data', 'values', slug]
    if (!attribute)
      throw new TwinRefusal(refuse(400, 'value_not_found', `Cannot find attribute with slug/ID "${slug}".`, { path }))
    const list = listOf(value)
    const wrong = (message: string) => new TwinRefusal(refuse(400, 'validation_type', message, { path }))
    if (!attribute.is_writable) throw wrong(`Attribute "${slug}" is not writable.`)
    if (attribute.type === 'number' && list.some((one) => typeof one !== 'number'))
      throw wrong(`Invalid number for "${slug}".`)
    if (attribute.type === 'checkbox' && list.some((one) => typeof one !== 'boolean'))
      throw wrong(`Invalid checkbox for "${slug}".`)
    if (attribute.type === 'email-address' && list.some((one) => !/^[^\s@]+@[^\s@]+$/.test(String(one))))
      throw wrong(`An invalid value was passed to attribute with slug "${slug}".`)
    if (attribute.type === 'select' && list.some((one) => !attribute.options.includes(String(one))))
      throw new TwinRefusal(
        refuse(400, 'value_not_found', `Cannot find select option with title "${String(list[0])}".`, { path }),
      )
    values[slug] = list
  }
  return values
}

function refuseTaken(object: AttioObject, values: Record<string, unknown[]>, record: AttioRecord | undefined): void {
  for (const { api_slug } of object.attributes.filter(({ is_unique }) => is_unique))
    for (const value of values[api_slug] ?? [])
      if (object.records.some((other) => other !== record && plainValues(other, api_slug).includes(String(value))))
        throw new TwinRefusal(
          refuse(
            400,
            'uniqueness_conflict',
            `The value "${String(value)}" of "${api_slug}" is already in use by another record.`,
          ),
        )
}

const objectOf = ({ account: workspace, path: [name] }: Input) => {
  if (name !== 'people' && name !== 'companies')
    throw new TwinRefusal(failure(404, `Object "${String(name)}" was not found.`))
  return { workspace, name, object: workspace[name] }
}

const dataOf = ({ body }: Input) => fieldsOf(body.data)

function assert(input: Input): Reply {
  const { workspace, name, object } = objectOf(input)
  const slug = input.query.matching_attribute ?? ''
  const by = object.attributes.find(
    ({ api_slug, is_unique, is_archived }) => api_slug === slug && is_unique && !is_archived,
  )
  if (!by) return refuse(400, 'validation_type', `Attribute "${slug}" is not unique or does not exist.`)
  const values = valuesIn(object, dataOf(input).values)
  const matches = object.records.filter((record) =>
    (values[slug] ?? []).some((value) => plainValues(record, slug).includes(String(value))),
  )
  if (matches.length > 1) return refuse(400, 'multiple_match_results', `Several records match "${slug}".`)
  const [found] = matches
  refuseTaken(object, values, found)
  const record: AttioRecord = found ?? { id: newId(workspace), values: {} }
  if (!found) object.records.push(record)
  Object.assign(record.values, values)
  return ok({ data: wire(object, record, name) })
}

function patch(input: Input): Reply {
  const { name, object } = objectOf(input)
  const record = object.records.find(({ id }) => id === input.path[1])
  if (!record) return failure(404, `Record with ID "${input.path[1]}" was not found.`)
  const values = valuesIn(object, dataOf(input).values)
  refuseTaken(object, values, record)
  for (const [slug, list] of Object.entries(values)) {
    const isList = object.attributes.find(({ api_slug }) => api_slug === slug)?.is_multiselect
    record.values[slug] = isList ? [...new Set([...list, ...(record.values[slug] ?? [])])] : list
  }
  return ok({ data: wire(object, record, name) })
}

function query(input: Input): Reply {
  const { name, object } = objectOf(input)
  const [[slug, wanted] = ['', '']] = Object.entries(fieldsOf(input.body.filter))
  if (!object.attributes.some(({ api_slug, is_archived }) => api_slug === slug && !is_archived))
    return refuse(400, 'unknown_filter_attribute_slug', `Cannot find attribute with slug/ID "${slug}" to filter by.`)
  const values = listOf(fieldsOf(wanted).$in ?? wanted).map(String)
  const found = object.records.filter((record) => plainValues(record, slug).some((value) => values.includes(value)))
  return ok({ data: found.slice(0, Number(input.body.limit ?? 500)).map((record) => wire(object, record, name)) })
}

function createAttribute(input: Input): Reply {
  const { object } = objectOf(input)
  const made = dataOf(input)
  if (object.attributes.some(({ api_slug }) => api_slug === made.api_slug))
    return refuse(409, 'slug_conflict', `An attribute with slug "${String(made.api_slug)}" exists.`)
  object.attributes.push(
    attribute(String(made.api_slug), String(made.type), {
      title: String(made.title),
      is_unique: made.is_unique === true,
    }),
  )
  return ok({ data: made })
}

function createNote(input: Input): Reply {
  const { account: workspace } = input
  const { parent_object, parent_record_id, title, format, content, created_at } = dataOf(input)
  if (parent_object !== 'people' || !workspace.people.records.some(({ id }) => id === parent_record_id))
    return failure(404, `Record with ID "${String(parent_record_id)}" was not found.`)
  if (format !== 'plaintext' && format !== 'markdown') return failure(400, 'format must be plaintext or markdown')
  const note = {
    id: newId(workspace),
    parent: String(parent_record_id),
    title: String(title),
    content: String(content),
    created_at: String(created_at),
  }
  workspace.notes.push(note)
  return ok({ data: { id: { note_id: note.id }, content_plaintext: note.content } })
}

const listOptions = (input: Input): Reply => {
  const found = objectOf(input).object.attributes.find(({ api_slug }) => api_slug === input.path[1])
  return ok({ data: (found?.options ?? []).map((title) => ({ title, is_archived: false })) })
}

const listNotes = ({ account, query: { parent_record_id, limit = '10', offset = '0' } }: Input): Reply => {
  const of = account.notes.filter(({ parent }) => parent === parent_record_id)
  const page = of.slice(Number(offset), Number(offset) + Math.min(50, Number(limit)))
  return ok({
    data: page.map(({ id, title, content }) => ({ id: { note_id: id }, title, content_plaintext: content })),
  })
}

const self = ({ key }: Input): Reply =>
  ok({
    active: true,
    scope: scopes.filter((scope) => !lacksScope(key, scope)).join(' '),
    workspace_id: 'w',
    workspace_name: 'Twin workspace',
  })

const needs = (scope: string) => () => [scope]
const [reads, writes] = [needs('record_permission:read'), needs('record_permission:read-write')]
const [designs, redesigns] = [needs('object_configuration:read'), needs('object_configuration:read-write')]

const limited = (now: Date): Reply => ({
  ...refuse(429, 'rate_limit_exceeded', 'Rate limit exceeded, please try again later'),
  headers: { 'retry-after': new Date(now.getTime() + 1_000).toUTCString() },
})

/** Each token gets its own workspace. */
export const createAttio = () =>
  createTwin<Workspace>({
    name: 'attio',
    open: openWorkspace,
    routes: {
      'GET /v2/self': route('Self', () => [], self),
      'GET /v2/objects/*/attributes': route('ListAttributes', designs, (input) =>
        ok({ data: objectOf(input).object.attributes.map(({ options: _options, ...shown }) => shown) }),
      ),
      'GET /v2/objects/*/attributes/*/options': route('ListOptions', designs, listOptions),
      'POST /v2/objects/*/attributes': route('CreateAttribute', redesigns, createAttribute),
      'POST /v2/objects/*/records/query': { ...route('QueryRecords', reads, query), isRead: true },
      'PUT /v2/objects/*/records': route('AssertRecord', writes, assert),
      'PATCH /v2/objects/*/records/*': route('UpdateRecord', writes, patch),
      'GET /v2/notes': route('ListNotes', needs('note:read'), listNotes),
      'POST /v2/notes': route('CreateNote', needs('note:read-write'), createNote),
    },
    failure,
    missingScopes: (missing) =>
      refuse(403, 'insufficient_scopes', `The access token does not have the required scopes: ${missing.join(', ')}.`),
    quota: limited,
    window: { calls: 100, writes: 25, ms: 1_000, refuse: limited },
    view: ({ people, companies, notes }) => ({ people: people.records, companies: companies.records, notes }),
    change: changeWorkspace,
  })
