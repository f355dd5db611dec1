/** The reference as pages: one for each group of operations, one for each stable error code that says what to do about it. */
import {
  adviceFor,
  basePath,
  contractErrors,
  errorTable,
  openApi,
  registry,
  tagDescriptions,
  type Operation,
  type Tag,
} from '../../packages/contract/src/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: a description is JSON of many shapes, read by name.
type Json = { readonly [key: string]: any }

const description = openApi() as Json
const operations = registry as readonly Operation[]

/** A schema with its reference followed, and the fields of all it is composed of. */
function follow(schema: Json): Json {
  const found = (
    typeof schema.$ref === 'string' ? (description.components.schemas as Json)[schema.$ref.split('/').at(-1)!] : schema
  ) as Json
  if (!found.allOf) return found
  const parts = [...(found.allOf as Json[]).map(follow), found]
  return {
    ...found,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})) as Json,
    required: parts.flatMap(({ required }) => (required ?? []) as string[]),
  }
}
/** A parameter, a body or an answer with its reference followed. */
const resolved = (node: Json): Json => {
  const [kind, name] = typeof node.$ref === 'string' ? node.$ref.split('/').slice(-2) : []
  return kind === undefined ? node : (description.components[kind][name!] as Json)
}
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A schema's type in few words. */
function typeOf(raw: Json): string {
  const schema = follow(raw)
  const options = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (options) return [...new Set(options.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (Array.isArray(schema.enum)) return schema.enum.map((value: unknown) => `\`${String(value)}\``).join(', ')
  const bounds =
    schema.minimum !== undefined || schema.maximum !== undefined
      ? ` ${schema.minimum ?? ''}..${schema.maximum ?? ''}`
      : ''
  const type = ([schema.type ?? 'any'].flat() as string[]).join(' or ')
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as Json)}`
  return `${schema.format ?? type}${bounds}`
}

/** An object's fields as rows of a table. */
function fieldRows(raw: Json): string[] {
  const schema = follow(raw)
  const options = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (options) return [...new Set(options.flatMap(fieldRows))]
  const required = (schema.required ?? []) as string[]
  return Object.entries((schema.properties ?? {}) as Json).map(
    ([name, field]) =>
      `| \`${name}\` | ${cell(typeOf(field as Json))} | ${required.includes(name) ? 'yes' : ''} ` +
      `| ${cell(((field as Json).description ?? follow(field as Json).description ?? '') as string)} |`,
  )
}

const table = (heading: string, rows: readonly string[]) =>
  rows.length === 0
    ? []
    : [`**${heading}**`, '', '| name | type | always | meaning |', '|---|---|---|---|', ...rows, '']

/** `{username}` and the like with something to look at. */
const sample = (path: string) =>
  path.replaceAll('{username}', 'jane-doe').replaceAll(/\{\w+\}/g, '01a19b45-b800-7008-b7e0-bfe5130950f9')

function example(operation: Operation): string[] {
  const body =
    operation.example === undefined
      ? ''
      : ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(operation.example).replaceAll("'", "'\\''")}'`
  return [
    '```sh',
    `curl -X ${operation.method} "$LES_BASE_URL${basePath}${sample(operation.path)}" -H "X-API-Key: $LES_API_KEY"${body}`,
    '```',
    '',
  ]
}

function refusals(operation: Operation): string[] {
  const rows = operation.errors
    .map((key) => errorTable[key])
    .map(
      ({ status, code, message }) =>
        `- ${status}${code === null ? '' : ` [\`${code}\`](errors/${code}.md)`}: ${message}`,
    )
  return rows.length === 0 ? [] : ['**Refusals of its own**', '', ...new Set(rows), '']
}

function section(operation: Operation): string[] {
  const described = description.paths[`${basePath}${operation.path}`][operation.method.toLowerCase()] as Json
  const parameters = (described.parameters as Json[])
    .map(resolved)
    .filter((parameter) => parameter.in !== 'header')
    .map(
      (parameter) =>
        `| \`${parameter.name}\` (${parameter.in}) | ${cell(typeOf(parameter.schema as Json))} ` +
        `| ${parameter.required ? 'yes' : ''} | ${cell((parameter.description ?? '') as string)} |`,
    )
  const body =
    described.requestBody && (resolved(described.requestBody as Json).content['application/json'].schema as Json)
  const answer = resolved(described.responses[operation.status] as Json).content['application/json'].schema as Json
  return [
    `## ${operation.summary}`,
    '',
    `\`${operation.method} ${basePath}${operation.path}\` (\`${operation.id}\`)`,
    '',
    operation.description,
    '',
    ...table('Parameters', parameters),
    ...table('Body', body ? fieldRows(body) : []),
    ...table(`Answer, ${operation.status}`, fieldRows(answer)),
    ...refusals(operation),
    ...example(operation),
  ]
}

const lines = (all: readonly string[]) => `${all.join('\n').trimEnd()}\n`

function tagPage(tag: Tag): string {
  return lines([
    `# ${tag[0]!.toUpperCase()}${tag.slice(1)}`,
    '',
    tagDescriptions[tag],
    '',
    'Every operation also has the refusals in [errors](../errors.md) that all share. Generated from the contract.',
    '',
    ...operations.filter((operation) => operation.tag === tag).flatMap(section),
  ])
}

function errorPage(code: string): string {
  const rows = Object.entries(contractErrors).filter(([, row]) => row.code === code)
  const keys = rows.map(([key]) => key)
  const status = rows[0]![1].status
  const raisedBy = operations.filter((operation) => operation.errors.some((key) => keys.includes(key)))
  const details = [...new Set(rows.flatMap(([, row]) => Object.keys(row.details.shape)))]
  return lines([
    `# ${code}`,
    '',
    `Status ${[...new Set(rows.map(([, row]) => row.status))].join(', ')}. ${[...new Set(rows.map(([, row]) => row.message))].join('. ')}.`,
    '',
    '## What to do',
    '',
    adviceFor(status, code),
    '',
    ...(details.length === 0 ? [] : ['## What rides along', '', ...details.map((name) => `- \`${name}\``), '']),
    '## Where it comes from',
    '',
    ...(raisedBy.length === 0
      ? ['Any operation.']
      : raisedBy.map(
          ({ method, path, tag, summary }) => `- \`${method} ${basePath}${path}\`: ${summary} ([${tag}](../${tag}.md))`,
        )),
  ])
}

/** Every page by its path below docs/generated. */
export function referencePages(): Record<string, () => string> {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const codes = [
    ...new Set(Object.values(contractErrors).flatMap(({ code }) => (code === null ? [] : [code as string]))),
  ]
  return {
    'reference/README.md': () =>
      lines([
        '# Reference',
        '',
        ...tags.map((tag) => `- [${tag}](${tag}.md): ${tagDescriptions[tag]}`),
        '',
        '## Error codes',
        '',
        ...codes.toSorted().map((code) => `- [\`${code}\`](errors/${code}.md)`),
      ]),
    ...Object.fromEntries(tags.map((tag) => [`reference/${tag}.md`, () => tagPage(tag)])),
    ...Object.fromEntries(codes.map((code) => [`reference/errors/${code}.md`, () => errorPage(code)])),
  }
}
