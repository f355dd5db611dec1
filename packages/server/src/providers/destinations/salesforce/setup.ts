import { z } from 'zod'
import { cleanTextOrNull } from '../../../platform/text.ts'
import { field, listOf, text } from '../../network/normal/lenient.ts'
import { platformFailure, platformWords } from '../http.ts'
import type { Check, PlatformField } from '../port.ts'
import { ask, keyField, usedShare, wholeFailure, type Org } from './client.ts'
import type { SalesforceSettings } from './mapping.ts'

const describeBody = z.looseObject({
  createable: field,
  updateable: field,
  fields: listOf(
    z.looseObject({
      name: text,
      label: text,
      type: text,
      externalId: field,
      unique: field,
      createable: field,
      updateable: field,
      nillable: field,
      defaultedOnCreate: field,
      picklistValues: listOf(z.looseObject({ value: text, active: field })),
    }),
  ),
})
const mostFields = 2_000

async function describe(org: Org, { object }: SalesforceSettings) {
  const answer = await ask(org, { method: 'GET', path: `/sobjects/${object}/describe` })
  if (answer.status >= 300 && answer.status !== 404) throw wholeFailure(org, answer)
  const read = answer.status === 404 ? undefined : describeBody.safeParse(answer.json).data
  return { answer, object: read, fields: (read?.fields ?? []).slice(0, mostFields) }
}

const recipe = (object: string): string =>
  `make it in Setup, Object Manager, ${object}, Fields: Text of 255 characters named LES_Key, marked Unique and External ID, visible to the user of the client`

const isKey = (one: { name: string | null; externalId?: unknown; unique?: unknown }): boolean =>
  one.name === keyField && one.externalId === true && one.unique === true

/** Checks the session, the object's permissions and the key field. */
export async function check(org: Org, settings: SalesforceSettings): Promise<Check> {
  if (org.scopes.length > 0 && !org.scopes.some((scope) => scope === 'api' || scope === 'full'))
    return { account: accountOf(settings), scopes: org.scopes, missing: ['api'], findings: [] }
  const { answer, object, fields: found } = await describe(org, settings)
  const isWritable = object?.createable !== false && object?.updateable !== false && object !== undefined
  const used = usedShare(answer)
  return {
    account: accountOf(settings),
    scopes: org.scopes,
    missing: isWritable ? [] : [`${settings.object}: read, create and edit`],
    findings: [
      ...(isWritable && !found.some(isKey)
        ? [`${settings.object} has no field ${keyField}: ${recipe(settings.object)}.`]
        : []),
      ...(used !== null && used >= 0.8 ? [`${Math.floor(used * 100)} % of the calls of the day are used.`] : []),
    ],
  }
}

const accountOf = ({ instanceUrl }: SalesforceSettings): string =>
  `Salesforce at ${URL.parse(instanceUrl)?.hostname ?? instanceUrl}`

/** Only checks the key field: this API cannot create it. */
export async function prepare(org: Org, settings: SalesforceSettings): Promise<void> {
  const { fields: found } = await describe(org, settings)
  if (found.some(isKey)) return
  const what = `has no field ${keyField} of ${settings.object}: ${recipe(settings.object)}`
  throw platformFailure(org.platform, 'setup_missing', what, { missing: [keyField] })
}

const types: Readonly<Record<string, PlatformField['type']>> = {
  string: 'text',
  textarea: 'text',
  email: 'text',
  phone: 'text',
  url: 'text',
  int: 'number',
  double: 'number',
  currency: 'number',
  percent: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'date',
  picklist: 'select',
  combobox: 'select',
  multipicklist: 'multiselect',
}

/** The fields of the object, for mapping. */
export async function fields(org: Org, settings: SalesforceSettings): Promise<readonly PlatformField[]> {
  const { fields: found } = await describe(org, settings)
  return found.flatMap(({ name, label, type, createable, updateable, nillable, defaultedOnCreate, picklistValues }) => {
    if (name === null || !/^\w{1,100}$/.test(name)) return []
    const options = picklistValues
      .filter(({ active }) => active !== false)
      .flatMap(({ value }) => cleanTextOrNull(value, 300) ?? [])
    return [
      {
        name,
        label: platformWords(label, org.platform) ?? name,
        type: types[type ?? ''] ?? 'other',
        options: options.slice(0, 1_000),
        writable: createable === true && updateable === true && name !== keyField,
        required: nillable === false && defaultedOnCreate !== true && createable === true,
      },
    ]
  })
}
