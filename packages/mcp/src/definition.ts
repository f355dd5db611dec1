import { findOperation, takesIdempotencyKey, wholeSchema, type Operation, type OperationId } from '@les/contract'
import { briefRows } from './brief.ts'
import {
  compact,
  fieldsOf,
  finished,
  inputFields,
  relaxedOutput,
  mergeProperties,
  saidOnce,
  typesOnly,
  type Properties,
  type Schema,
} from './schema.ts'
import { toolsets, toolTable, type ToolEntry, type Toolset } from './table.ts'

/** The tools a caller wants; `toolsets` null: all. */
export type View = { readonly toolsets: readonly Toolset[] | null; readonly readOnly: boolean }

export type ViewOptions = {
  readonly toolsets?: string | null | undefined
  readonly readOnly?: string | null | undefined
}

/**
 * Reads `?toolsets=leads,sources&readonly=1` or the equivalent headers, or returns the unknown toolset. Several requests narrow
 * each other: a header never widens what an address allows.
 */
export function readView(...requestedViews: readonly ViewOptions[]): View | { readonly unknown: string } {
  let chosen: readonly Toolset[] | null = null
  let readOnly = false
  for (const requested of requestedViews) {
    if (!['0', 'false', ''].includes((requested.readOnly ?? '').trim().toLowerCase())) readOnly = true
    const named = (requested.toolsets ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '')
    if (named.length === 0 || named.includes('all')) continue
    const unknown = named.find((name) => !(toolsets as readonly string[]).includes(name))
    if (unknown !== undefined) return { unknown }
    chosen = (chosen ?? toolsets).filter((name) => named.includes(name))
  }
  return { toolsets: chosen, readOnly }
}

export type Choice = {
  readonly key: string
  readonly operation: Operation & { readonly id: OperationId }
  readonly fields: readonly string[]
  readonly schemas: Properties
  readonly required: readonly string[]
  /** Answers pages; without a limit, short ones. */
  readonly isList: boolean
  /** May answer with a quote first, and takes its token. */
  readonly spends: boolean
}

/** A tool, ready to be listed and called. */
export type Tool = {
  readonly entry: ToolEntry
  readonly choices: readonly Choice[]
  readonly description: string
  readonly inputSchema: Schema
  readonly outputSchema: Schema
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
  /** Answers may contain a signing secret (G46) or a new key, masked unless `showSecret` is set. */
  readonly hasSecret: boolean
  readonly isRead: boolean
}

/** Operations other than GET that change and charge nothing. */
const withoutEffect: readonly string[] = ['estimateKeyword']

/** True when an operation changes and charges nothing. */
export function isSafe(operation: Operation): boolean {
  return withoutEffect.includes(operation.id) || (operation.method === 'GET' && !operation.charges)
}

const outputDepth = 1
const inputDepth = 2

function choiceOf(entry: ToolEntry, key: string, id: OperationId): Choice {
  const operation = findOperation(id)
  const { properties, required } = inputFields(operation)
  // A model's word does not confirm spending (spend.ts), so `confirmSpend` is not offered.
  const hidden = [...Object.keys(entry.preset ?? {}), ...(entry.omit ?? []), 'confirmSpend']
  return {
    key,
    operation,
    fields: Object.keys(properties).filter((name) => !hidden.includes(name)),
    schemas: properties,
    required: required.filter((name) => !hidden.includes(name)),
    isList: 'limit' in properties && operation.method === 'GET',
    spends: 'confirmSpend' in properties && !entry.omit?.includes('confirmSpend'),
  }
}

function selectorSchemas(entry: ToolEntry, choices: readonly Choice[]): Properties {
  return Object.fromEntries(
    entry.selectors.map(({ name, default: fallback }, index) => {
      const values = [...new Set(choices.map(({ key }) => key.split(' ')[index]!))]
      return [
        name,
        {
          type: 'string',
          enum: values,
          ...(fallback !== undefined && values.includes(fallback) ? { description: `Default ${fallback}` } : {}),
        },
      ]
    }),
  )
}

/** Such as `person, company: username; source: id`. */
function needs(choices: readonly Choice[], common: readonly string[]): string {
  const groups = new Map<string, string[]>()
  for (const { key, required } of choices) {
    const own = required.filter((name) => !common.includes(name)).join('+')
    if (own !== '') groups.set(own, [...(groups.get(own) ?? []), key])
  }
  return groups.size === 0
    ? ''
    : ` Needs ${[...groups].map(([own, keys]) => `${own} (${keys.join(', ')})`).join('; ')}.`
}

const detailArguments: Properties = {
  detail: { type: 'string', enum: ['brief', 'full'] },
  fields: { type: 'array', description: 'Row fields to return', items: { type: 'string' } },
}

const annotationsOf = (entry: ToolEntry, isRead: boolean): Tool['annotations'] => ({
  title: entry.title,
  readOnlyHint: isRead,
  destructiveHint: !isRead && entry.effect === 'removes',
  idempotentHint: isRead || entry.repeatable === true,
  openWorldHint: entry.outside === true,
})

function buildTool(entry: ToolEntry, readOnly: boolean): Tool | null {
  const choices = Object.entries(entry.operations)
    .map(([key, id]) => choiceOf(entry, key, id))
    .filter(({ operation }) => !readOnly || isSafe(operation))
  if (choices.length === 0) return null
  const isRead = choices.every(({ operation }) => isSafe(operation))
  const inputs = choices.map((choice) => {
    const { fields, schemas } = choice
    return Object.fromEntries(fields.map((name) => [name, compact(schemas[name]!, 'input', inputDepth)]))
  })
  const outputs = choices.map(
    ({ operation }) => fieldsOf(compact(wholeSchema(operation.success, 'output'), 'output', outputDepth)).properties,
  )
  const merged = mergeProperties(outputs)
  // A read tool shows what can be read; for writes, types of the fields are enough.
  const output = relaxedOutput(isRead ? merged : typesOnly(merged))
  const hasSecret = 'signingSecret' in output || 'key' in output
  const common = choices[0]!.required.filter((name) => choices.every(({ required }) => required.includes(name)))
  const chosen = entry.selectors.filter(({ default: fallback }) => fallback === undefined).map(({ name }) => name)
  const required = [...chosen, ...common]
  return {
    entry,
    choices,
    description: `${entry.description}${needs(choices, common)}`,
    inputSchema: {
      type: 'object',
      properties: {
        ...selectorSchemas(entry, choices),
        ...saidOnce(finished(mergeProperties(inputs))),
        ...(choices.some(({ operation }) => briefRows[operation.id]) ? detailArguments : {}),
        ...(hasSecret ? { showSecret: { type: 'boolean' } } : {}),
        ...(choices.some(({ operation }) => takesIdempotencyKey(operation))
          ? { idempotencyKey: { type: 'string' } }
          : {}),
        ...(choices.some(({ spends }) => spends) ? { quoteToken: { type: 'string' } } : {}),
      },
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: output },
    annotations: annotationsOf(entry, isRead),
    hasSecret,
    isRead,
  }
}

const built = new Map<string, readonly Tool[]>()

/** The tools of a view in table order; cached, so the objects are always the same. */
export function toolsOf(view: View): readonly Tool[] {
  const key = `${view.readOnly} ${view.toolsets?.toSorted().join(',') ?? 'all'}`
  const known = built.get(key)
  if (known) return known
  const tools = toolTable
    .filter((entry) => view.toolsets === null || entry.toolsets.some((name) => view.toolsets!.includes(name)))
    .map((entry) => buildTool(entry, view.readOnly))
    .filter((tool) => tool !== null)
  built.set(key, tools)
  return tools
}

/** A tool as `tools/list` shows it. */
export function listed(tool: Tool): Record<string, unknown> {
  return {
    name: tool.entry.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    annotations: tool.annotations,
  }
}
