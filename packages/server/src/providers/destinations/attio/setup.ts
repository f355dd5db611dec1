import { z } from 'zod'
import { cleanTextOrNull } from '../../../platform/text.ts'
import { field, listOf, text } from '../../network/normal/lenient.ts'
import { platformFailure, platformWords } from '../http.ts'
import type { Check, PlatformField } from '../port.ts'
import { ask, personKey, wholeFailure, type Workspace } from './client.ts'
import { ownAttributes, type AttioSettings } from './mapping.ts'

const selfBody = z.looseObject({ active: field, scope: text, workspace_name: text })

const scopesOf = ({ notes }: AttioSettings): readonly string[] => [
  'record_permission:read-write',
  'object_configuration:read-write',
  ...(notes ? ['note:read-write'] : []),
]

/** Checks the token and its scopes. */
export async function check(workspace: Workspace, settings: AttioSettings): Promise<Check> {
  const answer = await ask(workspace, { method: 'GET', path: '/v2/self' })
  if (answer.status >= 300) throw wholeFailure(workspace, answer)
  const self = selfBody.safeParse(answer.json).data
  // A revoked token is still answered here, as inactive.
  if (self?.active === false)
    throw platformFailure(workspace.platform, {
      trouble: 'auth_revoked',
      what: 'says that the token is not active any more',
    })
  const scopes = (self?.scope ?? '')
    .slice(0, 5_000)
    .split(/\s+/)
    .filter((scope) => scope !== '')
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

async function listAttributes(workspace: Workspace) {
  const answer = await ask(workspace, { method: 'GET', path: '/v2/objects/people/attributes?limit=500' })
  if (answer.status >= 300) throw wholeFailure(workspace, answer)
  return (attributesBody.safeParse(answer.json).data?.data ?? []).slice(0, mostAttributes)
}

/** Creates missing attributes. */
export async function prepare(workspace: Workspace): Promise<void> {
  const there = new Map((await listAttributes(workspace)).map((one) => [one.api_slug, one]))
  const key = there.get(personKey)
  if (key && (key.is_unique !== true || key.is_archived === true))
    throw platformFailure(workspace.platform, {
      trouble: 'setup_missing',
      what: `has an attribute ${personKey} that is archived or not unique: restore or delete it, then check again`,
      missing: [personKey],
    })
  for (const wanted of ownAttributes) {
    if (there.has(wanted.api_slug)) continue
    const answer = await ask(workspace, {
      method: 'POST',
      path: '/v2/objects/people/attributes',
      json: {
        data: {
          ...wanted,
          description: 'Made by the Lead Engagement Service',
          is_required: false,
          is_multiselect: false,
          config: {},
        },
      },
    })
    // 409: somebody else has just created it.
    if (answer.status < 300 || answer.status === 409) continue
    if (wanted.api_slug !== personKey) throw wholeFailure(workspace, answer)
    throw platformFailure(workspace.platform, {
      trouble: 'setup_missing',
      what: `did not make the attribute ${personKey}`,
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
export async function fields(workspace: Workspace): Promise<readonly PlatformField[]> {
  const found: PlatformField[] = []
  let asked = 0
  for (const {
    api_slug: name,
    title,
    type,
    is_writable,
    is_required,
    is_archived,
    is_multiselect,
  } of await listAttributes(workspace)) {
    if (name === null || !/^\w{1,100}$/.test(name) || is_archived === true) continue
    const kind = types[type ?? ''] ?? 'other'
    if (kind === 'select') asked += 1
    found.push({
      name,
      label: platformWords(title, workspace.platform) ?? name,
      type: kind === 'select' && is_multiselect === true ? 'multiselect' : kind,
      options:
        kind === 'select' && asked <= mostChoices
          ? await optionsOf(workspace, { name, isStatus: type === 'status' })
          : [],
      writable: is_writable !== false && name !== personKey,
      required: is_required === true,
    })
  }
  return found
}

async function optionsOf(
  workspace: Workspace,
  { name, isStatus }: { readonly name: string; readonly isStatus: boolean },
): Promise<string[]> {
  const path = `/v2/objects/people/attributes/${name}/${isStatus ? 'statuses' : 'options'}`
  const answer = await ask(workspace, { method: 'GET', path })
  const options = answer.status < 300 ? (optionsBody.safeParse(answer.json).data?.data ?? []) : []
  return options
    .filter((option) => option.is_archived !== true)
    .flatMap(({ title }) => cleanTextOrNull(title, 300) ?? [])
    .slice(0, 500)
}
