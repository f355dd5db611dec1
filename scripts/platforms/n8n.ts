/** The selection as properties of a declarative n8n node: data that n8n turns into requests. */
import { labelOf, readActions, type Action, type Field } from './read.ts'
import { beginnings } from './selection.ts'

type Json = Readonly<Record<string, unknown>>

function describe({ name, kind, description }: Field): string | undefined {
  const label = labelOf(name)
  const text =
    kind === 'boolean' ? `Whether "${label}" is on${description === '' ? '' : `. ${description}`}` : description
  const plain = text
    .replaceAll('`', '"')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\b([Ii])d(s?)\b/g, 'ID$2')
    .replace(/\burl(s?)\b/gi, 'URL$1')
    .replace(/^(\w+):/, '"$1":')
    .replace(/^[a-z]/, (first) => first.toUpperCase())
  if (plain === '' || plain === label) return undefined
  return /[.!?] [A-Z]/.test(plain) ? `${plain}.` : plain
}

const types: Readonly<Record<Field['kind'], Json>> = {
  text: { type: 'string', default: '' },
  texts: { type: 'string', typeOptions: { multipleValues: true }, default: [] },
  integer: { type: 'number', default: 0 },
  number: { type: 'number', default: 0 },
  boolean: { type: 'boolean', default: false },
  instant: { type: 'dateTime', default: '' },
  json: { type: 'json', default: '' },
}

const sentAs: Partial<Record<Field['kind'], string>> = {
  instant: '={{ new Date($value).toISOString() }}',
  json: '={{ typeof $value === "string" ? JSON.parse($value) : $value }}',
}

function property(field: Field, show?: Json): Json {
  const { name, kind, choices, required, at, minimum, maximum } = field
  const options = choices.map((value) => ({ name: labelOf(value), value })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const bounds = {
    ...(minimum === undefined ? {} : { minValue: minimum }),
    ...(maximum === undefined ? {} : { maxValue: maximum }),
  }
  const send = { type: at, property: field.property, ...(sentAs[kind] ? { value: sentAs[kind] } : {}) }
  const description = describe(field)
  return {
    displayName: labelOf(name),
    name,
    ...(options.length > 0 ? { type: 'options', options, default: options[0]!.value } : types[kind]),
    ...(Object.keys(bounds).length > 0 ? { typeOptions: bounds, default: minimum ?? 0 } : {}),
    ...(required ? { required: true } : {}),
    ...(show ? { displayOptions: { show } } : {}),
    ...(description === undefined ? {} : { description }),
    ...(at === 'path' ? {} : { routing: { send } }),
  }
}

const pagination = {
  type: 'offset',
  properties: { limitParameter: 'limit', offsetParameter: 'offset', pageSize: 100, type: 'query' },
}

const paging = (show: Json): Json[] => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    displayOptions: { show },
    description: 'Whether to return all results or only up to a given limit',
    routing: { send: { paginate: '={{ $value }}' }, operations: { pagination } },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 50,
    displayOptions: { show: { ...show, returnAll: [false] } },
    description: 'Max number of results to return',
    routing: { send: { type: 'query', property: 'limit' } },
  },
]

function fieldsOf({ key, resource, method, fields, paged }: Action): Json[] {
  const show = { resource: [resource], operation: [key] }
  const asked = fields.filter(({ name }) => !(paged && (name === 'limit' || name === 'offset')))
  const optional = asked.filter(({ required }) => !required)
  const collection = {
    displayName: method === 'GET' ? 'Filters' : 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: method === 'GET' ? 'Add Filter' : 'Add Field',
    default: {},
    displayOptions: { show },
    options: optional
      .map((field) => property(field))
      .sort((a, b) => ((a.displayName as string) < (b.displayName as string) ? -1 : 1)),
  }
  return [
    ...asked.filter(({ required }) => required).map((field) => property(field, show)),
    ...(paged ? paging(show) : []),
    ...(optional.length > 0 ? [collection] : []),
  ]
}

/** Stable when a node is retried within one execution, so that nothing is charged twice. */
const idempotencyKey = '={{ $execution.id }}-{{ $nodeId }}-{{ $runIndex }}-{{ $itemIndex }}'

function operationOf({ key, name, summary, method, path, charges, preset, list, resource }: Action): Json {
  const filled = path.replace(/\{(\w+)\}/g, '{{ encodeURIComponent($parameter["$1"]) }}')
  const many = key === 'getMany'
  return {
    name: key === 'get' ? 'Get' : name,
    value: key,
    action: many ? `Get many ${resource}s` : `${name[0]}${name.slice(1).toLowerCase()} of a ${resource}`,
    description: many ? `Get many ${resource}s` : summary,
    routing: {
      request: {
        method,
        url: filled === path ? path : `=${filled}`,
        ...(preset ? { body: preset } : {}),
        ...(charges ? { headers: { 'Idempotency-Key': idempotencyKey } } : {}),
      },
      ...(list === null ? {} : { output: { postReceive: [{ type: 'rootProperty', properties: { property: list } }] } }),
    },
  }
}

function properties(): Json[] {
  const actions = readActions()
  const resources = [...new Set(actions.map(({ resource }) => resource))].sort()
  return [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: resources.map((value) => ({ name: labelOf(value), value })),
      default: 'lead',
    },
    ...resources.flatMap((resource) => {
      const own = actions.filter((action) => action.resource === resource)
      return [
        {
          displayName: 'Operation',
          name: 'operation',
          type: 'options',
          noDataExpression: true,
          displayOptions: { show: { resource: [resource] } },
          options: own.map(operationOf).sort((a, b) => ((a.name as string) < (b.name as string) ? -1 : 1)),
          default: own[0]!.key,
        },
        ...own.flatMap(fieldsOf),
      ]
    }),
  ]
}

const events = Object.entries(beginnings).map(([value, { name }]) => ({ name, value }))

/** Data as TypeScript; n8n's linter requires keys without quotes. */
const asText = (data: unknown): string => JSON.stringify(data, null, 2).replace(/^( *)"(\w+)":/gm, '$1$2:')

export const n8nProperties = (): string =>
  [
    '// Generated from the contract; `npm run generate` writes it.',
    "import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'",
    '',
    `export const events: INodePropertyOptions[] = ${asText(events)}`,
    '',
    `export const properties: INodeProperties[] = ${asText(properties())}`,
    '',
  ].join('\n')
