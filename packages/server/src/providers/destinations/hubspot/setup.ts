import { z } from 'zod'
import { cleanTextOrNull } from '../../../platform/text.ts'
import { field, listOf, maybe, text } from '../../network/normal/lenient.ts'
import { failureIn, platformFailure, platformWords, type PlatformAccount } from '../http.ts'
import type { Check, PlatformField } from '../port.ts'
import type { CrmSettings } from '../settings.ts'
import { ask, keys, version, wholeFailure, type HubspotObject } from './client.ts'
import { group, ownProperties } from './mapping.ts'

const objectsOf = ({ createCompanies, notes }: CrmSettings): readonly HubspotObject[] => [
  'contacts',
  ...(createCompanies ? (['companies'] as const) : []),
  ...(notes ? (['notes'] as const) : []),
]

const scopesOf = (settings: CrmSettings): readonly string[] =>
  ['contacts', ...(settings.createCompanies ? ['companies'] : [])].flatMap((object) => [
    `crm.objects.${object}.read`,
    `crm.objects.${object}.write`,
    `crm.schemas.${object}.write`,
  ])

const accountBody = z.looseObject({ portalId: text, uiDomain: text })
const tokenBody = z.looseObject({ hubId: text, scopes: listOf(z.string().max(200)) })

/** Checks token and scopes. HubSpot lists the scopes of private apps; for service keys the reads are tried. */
export async function check(portal: PlatformAccount, settings: CrmSettings): Promise<Check> {
  const answer = await ask(portal, { method: 'GET', path: `/account-info/${version}/details` })
  const account = accountBody.safeParse(answer.json).data
  const info = await ask(portal, {
    method: 'POST',
    path: '/oauth/v2/private-apps/get/access-token-info',
    isRead: true,
    json: { tokenKey: portal.token },
  }).catch((error: unknown) => {
    const { trouble } = failureIn(error)
    if (trouble === 'auth_revoked' || trouble === 'rate') throw error
    // Service keys may not ask this.
    return null
  })
  const token = info && info.status < 300 ? tokenBody.safeParse(info.json).data : undefined
  const scopes = token?.scopes ?? []
  const missing =
    scopes.length > 0
      ? scopesOf(settings).filter((scope) => !scopes.includes(scope))
      : await refusedReads(portal, settings)
  const id = account?.portalId ?? token?.hubId ?? null
  return {
    account: id === null ? 'HubSpot' : `HubSpot account ${cleanTextOrNull(id, 40) ?? ''}`,
    scopes,
    missing,
    findings:
      scopes.length > 0
        ? []
        : ['HubSpot does not tell the scopes of this key: those that write are seen with the first delivery.'],
  }
}

async function refusedReads(portal: PlatformAccount, settings: CrmSettings): Promise<readonly string[]> {
  const missing: string[] = []
  for (const object of objectsOf(settings))
    try {
      await listProperties(portal, object)
    } catch (error) {
      const failure = failureIn(error)
      if (failure.trouble !== 'scope_missing') throw error
      missing.push(...(failure.missing.length > 0 ? failure.missing : [`crm.objects.${object}.read`]))
    }
  return [...new Set(missing)]
}

const optionRow = z.looseObject({ value: text, hidden: field })
const propertyRow = z.looseObject({
  name: text,
  label: text,
  type: text,
  fieldType: text,
  options: listOf(optionRow),
  hasUniqueValue: field,
  calculated: field,
  hidden: field,
  modificationMetadata: maybe(z.looseObject({ readOnlyValue: field })),
})
const propertiesBody = z.looseObject({ results: listOf(propertyRow) })
const mostProperties = 5_000

async function listProperties(portal: PlatformAccount, object: HubspotObject) {
  const answer = await ask(portal, { method: 'GET', path: `/crm/properties/${version}/${object}` })
  if (answer.status >= 300) throw wholeFailure(portal, answer)
  return (propertiesBody.safeParse(answer.json).data?.results ?? []).slice(0, mostProperties)
}

/** Creates the missing group and properties; existing ones stay as they are. */
export async function prepare(portal: PlatformAccount, settings: CrmSettings): Promise<void> {
  for (const object of objectsOf(settings)) {
    const there = await listProperties(portal, object)
    const key = there.find(({ name }) => name === keys[object])
    if (key && key.hasUniqueValue !== true)
      throw platformFailure(
        portal.platform,
        'setup_missing',
        `has a property ${keys[object]} of ${object} that is not unique: delete it, then check again`,
        { missing: [keys[object]] },
      )
    const names = new Set(there.map(({ name }) => name))
    const wanted = ownProperties[object].filter(({ name }) => !names.has(name))
    if (wanted.length === 0) continue
    // 409: the group exists.
    const path = `/crm/properties/${version}/${object}/groups`
    const grouped = await ask(portal, { method: 'POST', path, json: group })
    if (grouped.status >= 300 && grouped.status !== 409) throw wholeFailure(portal, grouped)
    await createProperties(portal, object, wanted)
  }
}

const createdBody = z.looseObject({
  errors: listOf(z.looseObject({ message: text, context: maybe(z.record(z.string(), z.unknown())) })),
})

async function createProperties(
  portal: PlatformAccount,
  object: HubspotObject,
  wanted: (typeof ownProperties)[HubspotObject],
): Promise<void> {
  const path = `/crm/properties/${version}/${object}/batch/create`
  const answer = await ask(portal, { method: 'POST', path, json: { inputs: wanted } })
  const { errors } = createdBody.safeParse(answer.json).data ?? { errors: [] }
  if (answer.status < 300 && errors.length === 0) return
  const after = new Set((await listProperties(portal, object)).map(({ name }) => name))
  const missing = wanted.map(({ name }) => name).filter((name) => !after.has(name))
  // Somebody else may have created them at the same time.
  if (missing.length === 0) return
  const what = `did not make ${missing.join(', ')} of ${object}: if it is archived there, restore it, then check again`
  throw platformFailure(portal.platform, 'setup_missing', what, { words: errors[0]?.message, missing })
}

const types: Readonly<Record<string, PlatformField['type']>> = {
  string: 'text',
  phone_number: 'text',
  number: 'number',
  bool: 'boolean',
  date: 'date',
  datetime: 'date',
  enumeration: 'select',
}

/** The properties of contacts, for mapping. */
export async function fields(portal: PlatformAccount): Promise<readonly PlatformField[]> {
  const rows = await listProperties(portal, 'contacts')
  return rows.flatMap(({ name, label, type, fieldType, options, calculated, hidden, modificationMetadata }) => {
    if (name === null || !/^\w{1,100}$/.test(name) || hidden === true) return []
    return [
      {
        name,
        label: platformWords(label, portal.platform) ?? name,
        type: fieldType === 'checkbox' ? 'multiselect' : (types[type ?? ''] ?? 'other'),
        options: options
          .filter((option) => option.hidden !== true)
          .flatMap(({ value }) => cleanTextOrNull(value, 300) ?? [])
          .slice(0, 1_000),
        writable: calculated !== true && modificationMetadata?.readOnlyValue !== true && name !== keys.contacts,
        required: false,
      },
    ]
  })
}
