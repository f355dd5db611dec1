/** The part of Attio's API v2 that deliveries use. */
import { ok, type Reply } from '../exchange.ts'
import { lacksScope, openTwinServer, TwinRefusal, type TwinInput, type TwinRoute } from '../twin-serve.ts'
import type { Twin } from '../twins.ts'
import {
  changeWorkspace,
  newId,
  openWorkspace,
  plainValues,
  type AttioObject,
  type AttioObjectName,
  type AttioRecord,
  type Workspace,
} from './workspace.ts'

const prefix = '/attio'
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

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
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

/** An empty twin; each token gets its own workspace. */
export function createAttio(): Twin {
  const workspaces = new Map<string, Workspace>()
  const workspaceOf = (key: string): Workspace => {
    const workspace = workspaces.get(key) ?? openWorkspace()
    workspaces.set(key, workspace)
    return workspace
  }
  const objectOf = ({ key, path }: TwinInput) => {
    const name = path[0] as AttioObjectName
    const workspace = workspaceOf(key)
    if (name !== 'people' && name !== 'companies')
      throw new TwinRefusal(failure(404, `Object "${String(name)}" was not found.`))
    return { workspace, name, object: workspace[name] }
  }
  const dataOf = ({ body }: TwinInput) => fieldsOf(body.data)
  const assert = (input: TwinInput): Reply => {
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
  const patch = (input: TwinInput): Reply => {
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
  const query = (input: TwinInput): Reply => {
    const { name, object } = objectOf(input)
    const [[slug, wanted] = ['', '']] = Object.entries(fieldsOf(input.body.filter))
    if (!object.attributes.some(({ api_slug, is_archived }) => api_slug === slug && !is_archived))
      return refuse(400, 'unknown_filter_attribute_slug', `Cannot find attribute with slug/ID "${slug}" to filter by.`)
    const values = listOf(fieldsOf(wanted).$in ?? wanted).map(String)
    const found = object.records.filter((record) => plainValues(record, slug).some((value) => values.includes(value)))
    return ok({ data: found.slice(0, Number(input.body.limit ?? 500)).map((record) => wire(object, record, name)) })
  }
  const createAttribute = (input: TwinInput): Reply => {
    const { object } = objectOf(input)
    const made = dataOf(input)
    if (object.attributes.some(({ api_slug }) => api_slug === made.api_slug))
      return refuse(409, 'slug_conflict', `An attribute with slug "${String(made.api_slug)}" exists.`)
    object.attributes.push({
      api_slug: String(made.api_slug),
      title: String(made.title),
      type: String(made.type),
      is_unique: made.is_unique === true,
      is_archived: false,
      is_writable: true,
      is_required: false,
      is_multiselect: false,
      options: [],
    })
    return ok({ data: made })
  }
  const createNote = (input: TwinInput): Reply => {
    const workspace = workspaceOf(input.key)
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
  const needs = (scope: string) => () => [scope]
  const routes: Readonly<Record<string, TwinRoute>> = {
    'GET /v2/self': {
      name: 'Self',
      scopes: () => [],
      answer: ({ key }) =>
        ok({
          active: true,
          scope: scopes.filter((scope) => !lacksScope(key, scope)).join(' '),
          workspace_id: 'w',
          workspace_name: 'Twin workspace',
        }),
    },
    'GET /v2/objects/*/attributes': {
      name: 'ListAttributes',
      scopes: needs('object_configuration:read'),
      answer: (input) =>
        ok({ data: objectOf(input).object.attributes.map(({ options: _options, ...shown }) => shown) }),
    },
    'GET /v2/objects/*/attributes/*/options': {
      name: 'ListOptions',
      scopes: needs('object_configuration:read'),
      answer: (input) => {
        const found = objectOf(input).object.attributes.find(({ api_slug }) => api_slug === input.path[1])
        return ok({ data: (found?.options ?? []).map((title) => ({ title, is_archived: false })) })
      },
    },
    'POST /v2/objects/*/attributes': {
      name: 'CreateAttribute',
      scopes: needs('object_configuration:read-write'),
      answer: createAttribute,
    },
    'POST /v2/objects/*/records/query': {
      name: 'QueryRecords',
      isRead: true,
      scopes: needs('record_permission:read'),
      answer: query,
    },
    'PUT /v2/objects/*/records': {
      name: 'AssertRecord',
      scopes: needs('record_permission:read-write'),
      answer: assert,
    },
    'PATCH /v2/objects/*/records/*': {
      name: 'UpdateRecord',
      scopes: needs('record_permission:read-write'),
      answer: patch,
    },
    'GET /v2/notes': {
      name: 'ListNotes',
      scopes: needs('note:read'),
      answer: ({ key, query: { parent_record_id, limit = '10', offset = '0' } }) => {
        const of = workspaceOf(key).notes.filter(({ parent }) => parent === parent_record_id)
        const page = of.slice(Number(offset), Number(offset) + Math.min(50, Number(limit)))
        return ok({
          data: page.map(({ id, title, content }) => ({ id: { note_id: id }, title, content_plaintext: content })),
        })
      },
    },
    'POST /v2/notes': { name: 'CreateNote', scopes: needs('note:read-write'), answer: createNote },
  }
  const limited = (now: Date): Reply => ({
    ...refuse(429, 'rate_limit_exceeded', 'Rate limit exceeded, please try again later'),
    headers: { 'retry-after': new Date(now.getTime() + 1_000).toUTCString() },
  })
  const server = openTwinServer({
    name: 'attio',
    prefix,
    routes,
    failure,
    missingScopes: (missing) =>
      refuse(403, 'insufficient_scopes', `The access token does not have the required scopes: ${missing.join(', ')}.`),
    quota: limited,
    window: { calls: 100, writes: 25, ms: 1_000, refuse: limited },
  })
  return {
    prefix,
    serve: server.serve,
    view: (key) => {
      const { people, companies, notes } = workspaceOf(key)
      return { people: people.records, companies: companies.records, notes }
    },
    change: (key, change) => changeWorkspace(workspaceOf(key), change),
    clear: () => {
      workspaces.clear()
      server.forget()
    },
  }
}
