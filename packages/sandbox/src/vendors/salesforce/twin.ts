/** The part of Salesforce's REST API that deliveries use. */
import { ok, type Reply } from '../exchange.ts'
import { createTwin, fieldsOf, lacksScope, route, TwinRefusal, type TwinInput } from '../twin.ts'
import {
  callsOfDay,
  changeOrg,
  newId,
  openOrg,
  type ObjectName,
  type Org,
  type SalesforceObject,
  type SalesforceRecord,
} from './org.ts'

type Input = TwinInput<Org>

const data = '/services/data/v68.0'
/** A session token contains its client, so no sessions are stored. */
const sessionPrefix = '00Dtwin!'

const codes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'INVALID_SESSION_ID',
  403: 'INSUFFICIENT_ACCESS',
  404: 'NOT_FOUND',
  429: 'REQUEST_LIMIT_EXCEEDED',
  500: 'UNKNOWN_EXCEPTION',
  503: 'SERVER_UNAVAILABLE',
}
const refuse = (status: number, errorCode: string, message: string): Reply => ({
  status,
  body: [{ message, errorCode }],
})
const failure = (status: number, message: string): Reply =>
  refuse(status, codes[status] ?? 'UNKNOWN_EXCEPTION', message)
const dayIsUsed = (): Reply => refuse(403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.')

type RecordError = { statusCode: string; message: string; fields: string[]; duplicateResult?: object }
const failed = (statusCode: string, message: string, ...fields: string[]): RecordError => ({
  statusCode,
  message,
  fields,
})

/** Why values cannot be written; an unknown field refuses the whole call. */
function wrongIn(
  org: Org,
  name: ObjectName,
  { values, isNew }: { readonly values: Record<string, unknown>; readonly isNew: boolean },
): RecordError | null {
  const { fields } = org[name]
  for (const [field, value] of Object.entries(values)) {
    const known = fields.find((one) => one.name === field)!
    const text = String(value ?? '')
    if (!known.writable)
      return failed(
        'INVALID_FIELD_FOR_INSERT_UPDATE',
        `Unable to create/update fields: ${field}. Please check the security settings of this field.`,
        field,
      )
    if (text.length > known.length)
      return failed('STRING_TOO_LONG', `${field}: data value too large: (max length=${known.length})`, field)
    if (known.picklist.length > 0 && !known.picklist.includes(text))
      return failed(
        'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
        `${field}: bad value for restricted picklist field: ${text}`,
        field,
      )
    if (known.type === 'email' && !/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text))
      return failed('INVALID_EMAIL_ADDRESS', `${field}: invalid email address: ${text}`, field)
  }
  const required = isNew ? fields.filter((one) => one.required && !values[one.name]).map((one) => one.name) : []
  if (required.length > 0)
    return failed('REQUIRED_FIELD_MISSING', `Required fields are missing: [${required.join(', ')}]`, ...required)
  const wanted = isNew ? [...org.wanted].filter((field) => !values[field]) : []
  return wanted.length > 0
    ? failed('FIELD_CUSTOM_VALIDATION_EXCEPTION', `${wanted[0]} must be filled`, ...wanted)
    : null
}

function duplicateOf(
  { records }: SalesforceObject,
  { record, values }: { readonly record: SalesforceRecord | undefined; readonly values: Record<string, unknown> },
): RecordError | null {
  const mail = values.Email
  const other = mail
    ? records.find((one) => one !== record && String(one.Email).toLowerCase() === String(mail).toLowerCase())
    : undefined
  if (!other) return null
  return {
    ...failed('DUPLICATES_DETECTED', 'Use one of these records?'),
    duplicateResult: {
      allowSave: false,
      duplicateRule: 'Standard_Rule',
      matchResults: [
        {
          size: 1,
          success: true,
          matchRecords: [{ matchConfidence: 100, record: { attributes: { type: 'Lead' }, Id: other.Id } }],
        },
      ],
    },
  }
}

function orgOf({ key, account: org }: Input): Org {
  if (!key.startsWith(sessionPrefix)) throw new TwinRefusal(failure(401, 'Session expired or invalid'))
  org.usedCalls += 1
  if (org.usedCalls > callsOfDay) throw new TwinRefusal(dayIsUsed())
  return org
}

function nameOf(name: unknown): ObjectName {
  if (name === 'Lead' || name === 'Contact') return name
  throw new TwinRefusal(refuse(404, 'NOT_FOUND', 'The requested resource does not exist'))
}

const answered = (org: Org, body: unknown): Reply => ({
  status: 200,
  body,
  headers: { 'sforce-limit-info': `api-usage=${org.usedCalls}/${callsOfDay}` },
})

const noColumn = (field: string, name: string) =>
  new TwinRefusal(
    refuse(
      400,
      'INVALID_FIELD',
      `No such column '${field}' on entity '${name}'. If you are attempting to use a custom field, be sure to append the '__c'.`,
    ),
  )

function token({ body }: Input): Reply {
  const [client, secret] = [String(body.client_id ?? ''), String(body.client_secret ?? '')]
  const isWellFormed = /^[\x21-\x7e]{8,}$/.test(client) && /^[\x21-\x7e]{8,}$/.test(secret)
  if (body.grant_type !== 'client_credentials')
    return { status: 400, body: { error: 'unsupported_grant_type', error_description: 'grant type not supported' } }
  if (!isWellFormed || client.includes('revoked'))
    return { status: 400, body: { error: 'invalid_client_id', error_description: 'client identifier invalid' } }
  const scope = ['api', 'id'].filter((each) => !lacksScope(client, each)).join(' ')
  return ok({
    access_token: `${sessionPrefix}${client}`,
    instance_url: 'https://twin.my.salesforce.com',
    token_type: 'Bearer',
    scope,
  })
}

function query(input: Input): Reply {
  const org = orgOf(input)
  const [, columns, from, where, list] =
    /^SELECT ([\w, ]+) FROM (\w+) WHERE (\w+) IN \(([^)]*)\)$/.exec(input.query.q ?? '') ?? []
  if (columns === undefined) return refuse(400, 'MALFORMED_QUERY', 'unexpected token')
  const name = nameOf(from)
  const wanted = columns.split(', ')
  for (const column of [...wanted, where!])
    if (!org[name].fields.some((field) => field.name === column)) throw noColumn(column, name)
  const values = list!.split(', ').map((value) => value.slice(1, -1))
  const records = org[name].records
    .filter((record) => values.includes(String(record[where!])))
    .map((record) => ({
      attributes: { type: name },
      ...Object.fromEntries(wanted.map((column) => [column, record[column] ?? null])),
    }))
  return answered(org, { totalSize: records.length, done: true, records })
}

/** Writes up to 200 records one by one, in order; answers 200 even if all fail. */
const write =
  (by: 'LES_Key__c' | 'id') =>
  (input: Input): Reply => {
    const org = orgOf(input)
    const given = Array.isArray(input.body.records) ? input.body.records.map(fieldsOf) : []
    if (given.length > 200)
      return refuse(400, 'LIMIT_EXCEEDED', 'record limit reached. cannot submit more than 200 records')
    const name = nameOf(by === 'id' ? fieldsOf(given[0]?.attributes).type : input.path[0])
    if (by === 'LES_Key__c') {
      const key = org[name].fields.find((field) => field.name === input.path[1])
      if (!key?.externalId)
        return refuse(
          400,
          'NOT_FOUND',
          `Provided external ID field does not exist or is not accessible: ${input.path[1]}`,
        )
    }
    for (const record of given)
      for (const field of Object.keys(record))
        if (field !== 'attributes' && field !== 'id' && !org[name].fields.some((one) => one.name === field))
          throw noColumn(field, name)
    const mayAlert = /allowSave=true/.test(input.headers['sforce-duplicate-rule-header'] ?? '')
    const results = given.map(({ attributes: _attributes, id, ...values }) => {
      const matches = org[name].records.filter((record) =>
        by === 'id' ? record.Id === id : record.LES_Key__c === values.LES_Key__c,
      )
      const [record] = matches
      const taken = org[name].records.some(
        (other) => other !== record && values.LES_Key__c !== undefined && other.LES_Key__c === values.LES_Key__c,
      )
      const why =
        by === 'id' && !record
          ? failed('ENTITY_IS_DELETED', 'entity is deleted')
          : taken
            ? failed('DUPLICATE_VALUE', 'duplicate value found: LES_Key__c duplicates value on record', 'LES_Key__c')
            : (wrongIn(org, name, { values, isNew: !record }) ??
              (mayAlert && !org.blocksDuplicates ? null : duplicateOf(org[name], { record, values })))
      if (why) return { success: false, created: false, errors: [why] }
      const written = record ?? { Id: newId(org, name) }
      if (!record) org[name].records.push(written)
      Object.assign(written, values)
      return { id: written.Id, success: true, created: !record, errors: [] }
    })
    return answered(org, results)
  }

function describe(input: Input): Reply {
  const org = orgOf(input)
  const fields = org[nameOf(input.path[0])].fields.map(
    ({ name, type, externalId, unique, required, writable, picklist }) => ({
      name,
      label: name,
      type,
      externalId,
      unique,
      createable: writable,
      updateable: writable,
      nillable: !required,
      defaultedOnCreate: false,
      picklistValues: picklist.map((value) => ({ value, label: value, active: true })),
    }),
  )
  return answered(org, { name: input.path[0], createable: true, updateable: true, fields })
}

const api = () => ['api']

/** Each client gets its own org. */
export const createSalesforce = () =>
  createTwin<Org>({
    name: 'salesforce',
    open: openOrg,
    accountOf: (token) => token.slice(sessionPrefix.length),
    routes: {
      'POST /services/oauth2/token': { name: 'Token', answer: token },
      [`GET ${data}/query`]: route('Query', api, query),
      [`GET ${data}/sobjects/*/describe`]: route('Describe', api, describe),
      [`PATCH ${data}/composite/sobjects/*/*`]: route('UpsertRecords', api, write('LES_Key__c')),
      [`PATCH ${data}/composite/sobjects`]: route('UpdateRecords', api, write('id')),
    },
    failure,
    missingScopes: () => refuse(403, 'INSUFFICIENT_ACCESS', 'This session is not valid for use with the REST API'),
    quota: dayIsUsed,
    // Calls are counted per day, in the org.
    window: { calls: callsOfDay, ms: 1_000, refuse: dayIsUsed },
    view: ({ Lead, Contact }) => ({ leads: Lead.records, contacts: Contact.records }),
    change: changeOrg,
  })
