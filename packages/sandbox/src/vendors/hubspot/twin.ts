/** The part of HubSpot's dated CRM API (2026-09) that deliveries use. */
import { ok } from '../exchange.ts'
import { lacksScope, openTwinServer, type TwinInput, type TwinRoute } from '../twin-serve.ts'
import type { Twin } from '../twins.ts'
import { associate, createProperties, objectAt, readAll, readAssociated, search, writeAll } from './batches.ts'
import { changePortal, openPortal, type CrmRecord, type Portal } from './portal.ts'
import { error, failure, limited, missingScopes } from './wire.ts'

const prefix = '/hubspot'
const version = '2026-09'
const scopes = ['objects', 'schemas'].flatMap((what) =>
  ['contacts', 'companies', 'deals'].flatMap((of) => ['read', 'write'].map((may) => `crm.${what}.${of}.${may}`)),
)

/** Notes use the scopes of contacts. */
const scopeOf =
  (what: 'objects' | 'schemas', may: 'read' | 'write') =>
  ({ path }: TwinInput): string[] => [
    `crm.${what}.${path[0] === 'companies' || path[0] === 'deals' ? path[0] : 'contacts'}.${may}`,
  ]

/** An empty twin; each token gets its own portal. */
export function createHubspot(): Twin {
  const portals = new Map<string, Portal>()
  const portalOf = (key: string): Portal => {
    const portal = portals.get(key) ?? openPortal(4_400_001 + portals.size)
    portals.set(key, portal)
    return portal
  }
  const at = (input: TwinInput) => objectAt(portalOf(input.key), input)
  const routes: Readonly<Record<string, TwinRoute>> = {
    [`GET /account-info/${version}/details`]: {
      name: 'AccountDetails',
      scopes: () => [],
      answer: ({ key }) =>
        ok({
          portalId: portalOf(key).id,
          uiDomain: 'app.hubspot.com',
        }),
    },
    'POST /oauth/v2/private-apps/get/access-token-info': {
      name: 'TokenInfo',
      scopes: () => [],
      answer: ({ key }) =>
        ok({
          hubId: portalOf(key).id,
          scopes: scopes.filter((scope) => !lacksScope(key, scope)),
        }),
    },
    [`GET /crm/properties/${version}/*`]: {
      name: 'ListProperties',
      scopes: scopeOf('objects', 'read'),
      answer: (input) => {
        const { portal, name } = at(input)
        const shown = portal[name].properties.filter(({ archived }) => !archived)
        const results = shown.map(({ readOnly, ...property }) => ({
          ...property,
          modificationMetadata: { readOnlyValue: readOnly },
        }))
        return ok({ results })
      },
    },
    [`POST /crm/properties/${version}/*/groups`]: {
      name: 'CreateGroup',
      scopes: scopeOf('schemas', 'write'),
      answer: (input) => {
        const { portal, name } = at(input)
        const group = String(input.body.name)
        if (portal[name].groups.has(group))
          return error(409, 'OBJECT_ALREADY_EXISTS', `Property group ${group} already exists`)
        portal[name].groups.add(group)
        return { status: 201, body: { name: group, label: input.body.label, archived: false } }
      },
    },
    [`POST /crm/properties/${version}/*/batch/create`]: {
      name: 'CreateProperties',
      scopes: scopeOf('schemas', 'write'),
      answer: (input) => createProperties(at(input), input),
    },
    [`POST /crm/objects/${version}/*/batch/read`]: {
      name: 'BatchRead',
      scopes: scopeOf('objects', 'read'),
      answer: (input) => readAll(at(input), input),
    },
    [`POST /crm/objects/${version}/*/batch/upsert`]: {
      name: 'BatchUpsert',
      scopes: scopeOf('objects', 'write'),
      answer: (input) => writeAll(at(input), input, 'upsert'),
    },
    [`POST /crm/objects/${version}/*/batch/update`]: {
      name: 'BatchUpdate',
      scopes: scopeOf('objects', 'write'),
      answer: (input) => writeAll(at(input), input, 'update'),
    },
    [`POST /crm/objects/${version}/*/search`]: {
      name: 'Search',
      scopes: scopeOf('objects', 'read'),
      answer: (input) => search(at(input), input),
    },
    [`POST /crm/associations/${version}/*/*/batch/read`]: {
      name: 'ReadAssociated',
      scopes: scopeOf('objects', 'read'),
      answer: (input) => readAssociated(portalOf(input.key), input),
    },
    [`POST /crm/associations/${version}/*/*/batch/associate/default`]: {
      name: 'Associate',
      scopes: scopeOf('objects', 'write'),
      answer: (input) => associate(portalOf(input.key), input),
    },
  }
  const server = openTwinServer({
    name: 'hubspot',
    prefix,
    routes,
    failure,
    missingScopes,
    quota: () => limited('DAILY'),
    window: { calls: 190, ms: 10_000, refuse: () => limited('TEN_SECONDLY_ROLLING') },
  })
  return {
    prefix,
    serve: server.serve,
    view: (key) => {
      const { contacts, companies, notes } = portalOf(key)
      return { contacts: listed(contacts), companies: listed(companies), notes: listed(notes) }
    },
    change: (key, change) => changePortal(portalOf(key), change),
    clear: () => {
      portals.clear()
      server.forget()
    },
  }
}

const listed = ({ records }: { readonly records: readonly CrmRecord[] }) =>
  records.filter(({ archived }) => !archived).map(({ archived: _archived, ...record }) => record)
