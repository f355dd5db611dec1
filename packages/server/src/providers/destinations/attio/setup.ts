import { z } from 'zod'
import { cleanTextOrNull } from '../../../platform/text.ts'
import { field, listOf, text } from '../../network/normal/lenient.ts'
import { platformFailure, platformWords, type PlatformAccount } from '../http.ts'
import type { Check, PlatformField } from '../port.ts'
import type { CrmSettings } from '../settings.ts'
import { ask, personKey, wholeFailure } from './client.ts'
import { ownAttributes } from './mapping.ts'

const selfBody = z.looseObject({ active: field, scope: text, workspace_name: text })

const scopesOf = ({ notes }: CrmSettings): readonly string[] => [
  'record_permission:read-write',
  'object_configuration:read-write',
  ...(notes ? ['note:read-write'] : []),
]

/** Checks the token and its scopes. */
export async function check(workspace: PlatformAccount, settings: CrmSettings): Promise<Check> {
  const answer = await ask(workspace, { method: 'GET', path: '/v2/self' })
  if (answer.status >= 300) throw wholeFailure(workspace, answer)
  const self = selfBody.safeParse(answer.json).data
  // A revoked token is still answered here, as inactive.
  if (self?.active === false)
    throw platformFailure(workspace.platform, 'auth_revoked', 'says that the token is not active any more')
  const scopes: readonly string[] = self?.scope?.slice(0, 5_000).match(/\S+/g) ?? []
  return {
    account: platformWords(self?.workspace_name, workspace.platform) ?? 'Attio',
    scopes: scopes.map((scope) => platformWords(scope, workspace.platform) ?? ''),
    missing: scopes.length === 0 ? [] : scopesOf(settings).filter((scope) => !scopes.includes(scope)),
    findings:
      scopes.length === 0
        ? ['Attio does not tell the scopes of this token: they are seen with the first delivery.']
        : [],
  }
}

const attributesBody = z.looseObject({
  data: listOf(
    z.looseObject({
      api_slug: text,
      title: text,
      type: text,
      is_unique: field,
      is_writable: field,
      is_required: field,
      is_archived: field,
      is_multiselect: field,
    }),
  ),
})
const mostAttributes = 1_000

async function listAttributes(workspace: PlatformAccount) {
  const answer = await ask(workspace, { method: 'GET', path: '/v2/objects/people/attributes?limit=500' })
  if (answer.status >= 300) throw wholeFailure(workspace, answer)
  return (attributesBody.safeParse(answer.json).data?.data ?? []).slice(0, mostAttributes)
}

/** Creates missing attributes. */
export async function prepare(workspace: PlatformAccount): Promise<void> {
  const there = new Map((await listAttributes(workspace)).map((one) => [one.api_slug, one]))
  const key = there.get(personKey)
  if (key && (key.is_unique !== true || key.is_archived === true))
    throw platformFailure(
      workspace.platform,
      'setup_missing',
      `has an attribute ${personKey} that is archived or not unique: restore or delete it, then check again`,
      { missing: [personKey] },
    )
  const description = 'Made by the Lead Engagement Service'
  for (const wanted of ownAttributes) {
    if (there.has(wanted.api_slug)) continue
    const data = { ...wanted, description, is_required: false, is_multiselect: false, config: {} }
    const answer = await ask(workspace, { method: 'POST', path: '/v2/objects/people/attributes', json: { data } })
    // 409: somebody else has just created it.
    if (answer.status < 300 || answer.status === 409) continue
    if (wanted.api_slug !== personKey) throw wholeFailure(workspace, answer)
    throw platformFailure(workspace.platform, 'setup_missing', `did not make the attribute ${personKey}`, {
      missing: [personKey],
    })
  }
}

const types: Readonly<Record<string, PlatformField['type']>> = {
  text: 'text',
  number: 'number',
  currency: 'number',
  rating: 'number',
  checkbox: 'boolean',
  date: 'date',
  timestamp: 'date',
  select: 'select',
  status: 'select',
}
const optionsBody = z.looseObject({ data: listOf(z.looseObject({ title: text, is_archived: field })) })
/** At most this many select fields are read, each with its own call. */
const mostChoices = 20

/** The attributes of people, for mapping. */
export async function fields(workspace: PlatformAccount): Promise<readonly PlatformField[]> {
  const found: PlatformField[] = []
  let asked = 0
  for (const { api_slug: name, title, type, ...is } of await listAttributes(workspace)) {
    if (name === null || !/^\w{1,100}$/.test(name) || is.is_archived === true) continue
    const kind = types[type ?? ''] ?? 'other'
    if (kind === 'select') asked += 1
    const lists = type === 'status' ? 'statuses' : 'options'
    found.push({
      name,
      label: platformWords(title, workspace.platform) ?? name,
      type: kind === 'select' && is.is_multiselect === true ? 'multiselect' : kind,
      options: kind === 'select' && asked <= mostChoices ? await optionsOf(workspace, `${name}/${lists}`) : [],
      writable: is.is_writable !== false && name !== personKey,
      required: is.is_required === true,
    })
  }
  return found
}

async function optionsOf(workspace: PlatformAccount, list: string): Promise<string[]> {
  const path = `/v2/objects/people/attributes/${list}`
  const answer = await ask(workspace, { method: 'GET', path })
  const options = answer.status < 300 ? (optionsBody.safeParse(answer.json).data?.data ?? []) : []
  return options
    .filter((option) => option.is_archived !== true)
    .flatMap(({ title }) => cleanTextOrNull(title, 300) ?? [])
    .slice(0, 500)
}
