/** The part of HubSpot's dated CRM API (2026-09) that deliveries use. */
import { ok, type Reply } from '../exchange.ts'
import { createTwin, fieldsOf, lacksScope, route, TwinRefusal, type TwinInput } from '../twin.ts'
import {
  changePortal,
  invalidIn,
  isObjectName,
  newRecord,
  openPortal,
  recordBy,
  type CrmRecord,
  type ObjectName,
  type Portal,
  type Property,
} from './portal.ts'
import {
  batchAnswer,
  error,
  failure,
  invalid,
  limited,
  missingScopes,
  wireRecord,
  type At,
  type Refused,
} from './wire.ts'

const batchSize = 100
const uniqueProperties = 10

type Input = TwinInput<Portal>

function objectName(name = ''): ObjectName {
  if (!isObjectName(name)) throw new TwinRefusal(failure(404, `Unable to infer object type from: ${name}`))
  return name
}

/** The object type in a path. */
const objectAt = ({ account, path, now }: Input): At => ({ portal: account, name: objectName(path[0]), now })

/** The inputs of a batch, at most a hundred. */
function inputsOf({ body }: Input) {
  const { inputs } = body
  if (!Array.isArray(inputs))
    throw new TwinRefusal(error(400, 'VALIDATION_ERROR', 'Some required fields were not set: [inputs]'))
  if (inputs.length > batchSize)
    throw new TwinRefusal(error(400, 'VALIDATION_ERROR', `The number of inputs exceeds the limit of ${batchSize}`))
  return inputs.map(fieldsOf)
}

const textsOf = (properties: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsOf(properties)).map(([name, value]) => [name, value === null ? '' : String(value)]),
  )

const isUnique = ({ portal, name }: At, property: unknown): boolean =>
  portal[name].properties.some((one) => one.name === property && one.hasUniqueValue && !one.archived)

function write(
  { portal, name }: At,
  record: CrmRecord | undefined,
  values: Record<string, string>,
): { record: CrmRecord; isNew: boolean } | Refused {
  const object = portal[name]
  const wrong = invalidIn(object, values)
  if (wrong.length > 0) return invalid(wrong)
  const lacking = record ? [] : [...object.required].filter((property) => !values[property])
  if (lacking.length > 0)
    return invalid(
      lacking.map((property) => ({
        name: property,
        error: 'REQUIRED_PROPERTY_MISSING',
        message: `${property} is required by a rule of this account`,
      })),
    )
  for (const { name: unique } of object.properties.filter(({ hasUniqueValue }) => hasUniqueValue)) {
    const holder = values[unique] ? recordBy(object, unique, values[unique]) : undefined
    if (!holder || holder === record) continue
    const message = `${name === 'contacts' ? 'Contact' : 'Object'} already exists. Existing ID: ${holder.id}`
    return { status: 409, category: 'CONFLICT', message }
  }
  const written = record ?? newRecord(portal, {})
  if (!record) object.records.push(written)
  // The lifecycle stage only moves forward.
  const stages = object.properties.find((property) => property.name === 'lifecyclestage')?.options ?? []
  const rank = (stage: string | undefined) => stages.findIndex(({ value }) => value === stage)
  const kept =
    rank(values.lifecyclestage) < rank(written.properties.lifecyclestage)
      ? written.properties.lifecyclestage
      : undefined
  Object.assign(written.properties, values, kept === undefined ? {} : { lifecyclestage: kept })
  return { record: written, isNew: !record }
}

/** Writes a batch. One bad input refuses it whole, unless every input has its own trace id (then 207). */
const writeAll =
  (mode: 'upsert' | 'update') =>
  (input: Input): Reply => {
    const at = objectAt(input)
    const object = at.portal[at.name]
    const inputs = inputsOf(input)
    const traces = inputs.flatMap(({ objectWriteTraceId }) =>
      typeof objectWriteTraceId === 'string' ? [objectWriteTraceId] : [],
    )
    const isTraced = new Set(traces).size === inputs.length
    if (new Set(inputs.map(({ id, idProperty }) => `${String(idProperty)}=${String(id)}`)).size < inputs.length)
      return error(400, 'VALIDATION_ERROR', 'Duplicate IDs found in batch input')
    const foreign = inputs.find(
      ({ idProperty }) => (mode === 'upsert' || idProperty !== undefined) && !isUnique(at, idProperty),
    )
    if (foreign)
      return error(
        400,
        'VALIDATION_ERROR',
        `Unable to perform update/upsert by non-unique or unknown property '${String(foreign.idProperty)}'`,
      )
    const bad = isTraced
      ? undefined
      : inputs.map(({ properties }) => invalidIn(object, textsOf(properties))).find((one) => one.length > 0)
    if (bad) {
      const { status, category, message, errors } = invalid(bad)
      return error(status, category, message, { errors })
    }
    const results: object[] = []
    const errors: object[] = []
    for (const { id, idProperty, objectWriteTraceId, properties } of inputs) {
      const by = typeof idProperty === 'string' ? idProperty : 'hs_object_id'
      const record = recordBy(object, by, String(id))
      const values = { ...textsOf(properties), ...(by === 'hs_object_id' ? {} : { [by]: String(id) }) }
      const outcome = mode === 'update' && !record ? notFound([String(id)]) : write(at, record, values)
      if ('record' in outcome) {
        const isNew = mode === 'upsert' ? { new: outcome.isNew } : {}
        results.push({
          ...wireRecord(outcome.record, at),
          ...isNew,
          ...(objectWriteTraceId ? { objectWriteTraceId } : {}),
        })
        continue
      }
      const { status, category, message, errors: parts = [], context = {} } = outcome
      if (!isTraced) return error(status, category, message, { errors: parts, context })
      errors.push({
        status: 'error',
        category,
        message,
        errors: parts,
        context: { ...context, objectWriteTraceId: [objectWriteTraceId] },
      })
    }
    return batchAnswer(results, errors)
  }

const notFound = (ids: readonly string[]): Refused => ({
  status: 404,
  category: 'OBJECT_NOT_FOUND',
  message: 'Could not get some objects',
  context: { ids },
})

/** Reads records by id or unique property; missing ones are listed as errors. */
function readAll(input: Input): Reply {
  const at = objectAt(input)
  const by = typeof input.body.idProperty === 'string' ? input.body.idProperty : 'hs_object_id'
  if (by !== 'hs_object_id' && !isUnique(at, by))
    return error(400, 'VALIDATION_ERROR', `Property '${by}' does not exist or is not unique`)
  const asked = inputsOf(input).map(({ id }) => String(id))
  const recordOf = (id: string) => recordBy(at.portal[at.name], by, id)
  const missing = asked.filter((id) => !recordOf(id))
  const results = asked.flatMap((id) => recordOf(id) ?? []).map((record) => wireRecord(record, at))
  return batchAnswer(results, missing.length === 0 ? [] : [{ ...notFound(missing), status: 'error' }])
}

function search(input: Input): Reply {
  const at = objectAt(input)
  const { body } = input
  const [group] = (body.filterGroups ?? []) as { filters: { propertyName: string; values: string[] }[] }[]
  const found = at.portal[at.name].records.filter(
    (record) =>
      !record.archived &&
      (group?.filters ?? []).every(({ propertyName, values }) =>
        values.includes(record.properties[propertyName] ?? ''),
      ),
  )
  const results = found.slice(0, Math.min(200, Number(body.limit ?? 10))).map((record) => wireRecord(record, at))
  return ok({ total: found.length, results })
}

/** Creates properties; the name of an archived one stays taken. */
function createProperties(input: Input): Reply {
  const { portal, name } = objectAt(input)
  const object = portal[name]
  const results: object[] = []
  const errors: object[] = []
  for (const made of inputsOf(input) as unknown as (Partial<Property> &
    Pick<Property, 'name' | 'label' | 'type' | 'fieldType' | 'groupName'>)[]) {
    const unique = object.properties.filter(({ hasUniqueValue, archived }) => hasUniqueValue && !archived).length
    const why: readonly [string, string] | null = object.properties.some((one) => one.name === made.name)
      ? ['CONFLICT', `A property named '${made.name}' already exists.`]
      : !object.groups.has(made.groupName)
        ? ['VALIDATION_ERROR', `Property group ${made.groupName} does not exist`]
        : made.hasUniqueValue && unique >= uniqueProperties
          ? ['VALIDATION_ERROR', 'The limit of unique properties is reached']
          : null
    if (why) {
      errors.push({ status: 'error', category: why[0], message: why[1], context: { name: [made.name] } })
      continue
    }
    object.properties.push({ options: [], hasUniqueValue: false, archived: false, readOnly: false, ...made })
    results.push(made)
  }
  return batchAnswer(results, errors, 201)
}

function readAssociated(input: Input): Reply {
  const { account: portal, path } = input
  const [from, to] = [objectName(path[0]), objectName(path[1])]
  const results = inputsOf(input).flatMap(({ id }) => {
    const ids = portal[from].records.find((record) => record.id === id)?.associated[to] ?? []
    return ids.length === 0 ? [] : [{ from: { id }, to: ids.map((toObjectId) => ({ toObjectId: Number(toObjectId) })) }]
  })
  return batchAnswer(results, [])
}

/** Creates default associations between two objects, in both directions. */
function associate(input: Input): Reply {
  const { account: portal, path } = input
  const [from, to] = [objectName(path[0]), objectName(path[1])]
  for (const one of inputsOf(input)) {
    const left = recordBy(portal[from], 'hs_object_id', String(fieldsOf(one.from).id))
    const right = recordBy(portal[to], 'hs_object_id', String(fieldsOf(one.to).id))
    if (!left || !right) return failure(404, 'No object with that id to associate')
    left.associated[to] = [...new Set([...(left.associated[to] ?? []), right.id])]
    right.associated[from] = [...new Set([...(right.associated[from] ?? []), left.id])]
  }
  return batchAnswer([], [])
}

function listProperties(input: Input): Reply {
  const { portal, name } = objectAt(input)
  const shown = portal[name].properties.filter(({ archived }) => !archived)
  return ok({
    results: shown.map(({ readOnly, ...property }) => ({
      ...property,
      modificationMetadata: { readOnlyValue: readOnly },
    })),
  })
}

function createGroup(input: Input): Reply {
  const { portal, name } = objectAt(input)
  const group = String(input.body.name)
  if (portal[name].groups.has(group))
    return error(409, 'OBJECT_ALREADY_EXISTS', `Property group ${group} already exists`)
  portal[name].groups.add(group)
  return { status: 201, body: { name: group, label: input.body.label, archived: false } }
}

const scopes = ['objects', 'schemas'].flatMap((what) =>
  ['contacts', 'companies', 'deals'].flatMap((of) => ['read', 'write'].map((may) => `crm.${what}.${of}.${may}`)),
)

/** Notes use the scopes of contacts. */
const scopeOf =
  (what: 'objects' | 'schemas', may: 'read' | 'write') =>
  ([name]: readonly string[]): string[] => [
    `crm.${what}.${name === 'companies' || name === 'deals' ? name : 'contacts'}.${may}`,
  ]
const [reads, writes, designs] = [scopeOf('objects', 'read'), scopeOf('objects', 'write'), scopeOf('schemas', 'write')]
const anyone = () => []

const grantedTo = ({ key, account }: Input): Reply =>
  ok({ hubId: account.id, scopes: scopes.filter((scope) => !lacksScope(key, scope)) })

const listed = ({ records }: { readonly records: readonly CrmRecord[] }) =>
  records.filter(({ archived }) => !archived).map(({ archived: _archived, ...record }) => record)

/** Each token gets its own portal. */
export const createHubspot = () =>
  createTwin<Portal>({
    name: 'hubspot',
    open: (nth) => openPortal(4_400_001 + nth),
    routes: {
      'GET /account-info/2026-09/details': route('AccountDetails', anyone, ({ account }) =>
        ok({ portalId: account.id, uiDomain: 'app.hubspot.com' }),
      ),
      'POST /oauth/v2/private-apps/get/access-token-info': route('TokenInfo', anyone, grantedTo),
      'GET /crm/properties/2026-09/*': route('ListProperties', reads, listProperties),
      'POST /crm/properties/2026-09/*/groups': route('CreateGroup', designs, createGroup),
      'POST /crm/properties/2026-09/*/batch/create': route('CreateProperties', designs, createProperties),
      'POST /crm/objects/2026-09/*/batch/read': route('BatchRead', reads, readAll),
      'POST /crm/objects/2026-09/*/batch/upsert': route('BatchUpsert', writes, writeAll('upsert')),
      'POST /crm/objects/2026-09/*/batch/update': route('BatchUpdate', writes, writeAll('update')),
      'POST /crm/objects/2026-09/*/search': route('Search', reads, search),
      'POST /crm/associations/2026-09/*/*/batch/read': route('ReadAssociated', reads, readAssociated),
      'POST /crm/associations/2026-09/*/*/batch/associate/default': route('Associate', writes, associate),
    },
    failure,
    missingScopes,
    quota: () => limited('DAILY'),
    window: { calls: 190, ms: 10_000, refuse: () => limited('TEN_SECONDLY_ROLLING') },
    view: ({ contacts, companies, notes }) => ({
      contacts: listed(contacts),
      companies: listed(companies),
      notes: listed(notes),
    }),
    change: changePortal,
  })
