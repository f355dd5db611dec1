import { registry, type Operation } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { isSafe, listed, readView, toolsOf } from './definition.ts'
import { kindsOf } from './schema.ts'
import { toolsets, toolTable } from './table.ts'

const all = toolsOf({ toolsets: null, readOnly: false })
const operations = registry as readonly Operation[]

describe('the tools', () => {
  it('reach every operation of the interface and nothing else: add the missing ones to table.ts [CON-27, MCP-01]', () => {
    const reached = new Set<string>(toolTable.flatMap(({ operations: carried }) => Object.values(carried)))
    expect(operations.map(({ id }) => id).filter((id) => !reached.has(id))).toEqual([])
    expect([...reached].filter((id) => !operations.some((operation) => operation.id === id))).toEqual([])
  })

  it('are at most 34, in at most 20,000 tokens of definitions', () => {
    expect(all.length).toBeLessThanOrEqual(34)
    // English has about four characters per token; names and braces have fewer, hence 3.5.
    const tokens = JSON.stringify({ tools: all.map(listed) }).length / 3.5
    expect(Math.round(tokens)).toBeLessThanOrEqual(20_000)
  })

  it.each(all.map((tool) => [tool.entry.name, tool] as const))(
    '%s says all four annotations, both schemas, and takes every field of its operations',
    (_name, tool) => {
      const { annotations, inputSchema, outputSchema, entry } = tool
      expect(Object.keys(annotations).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
        'title',
      ])
      expect([inputSchema.type, inputSchema.additionalProperties, outputSchema.type]).toEqual([
        'object',
        false,
        'object',
      ])
      const properties = Object.keys(inputSchema.properties as object)
      for (const choice of tool.choices) {
        const taken = [choice.operation.params, choice.operation.query, choice.operation.body].flatMap((part) =>
          Object.keys((part as { shape?: object } | null)?.shape ?? {}),
        )
        expect(
          taken.filter(
            (name) =>
              name !== 'confirmSpend' &&
              !properties.includes(name) &&
              !(name in (entry.preset ?? {})) &&
              !entry.omit?.includes(name),
          ),
        ).toEqual([])
      }
      expect(properties).not.toContain('confirmSpend')
      expect(properties.includes('quoteToken')).toBe(tool.choices.some(({ spends }) => spends))
      const selectors = entry.selectors.map(({ name }) => name)
      expect(selectors.filter((name) => tool.choices.some(({ fields }) => fields.includes(name)))).toEqual([])
    },
  )

  it('show no schema that refers to another place', () =>
    expect(JSON.stringify(all.map(listed))).not.toMatch(/\$ref|\$defs/))
})

type Node = Readonly<Record<string, any>>

/** Every schema within a tool's input, with its path and depth. */
function* schemasIn(
  node: Node,
  path: string,
  depth = 1,
): Generator<readonly [path: string, node: Node, depth: number]> {
  yield [path, node, depth]
  for (const [name, inner] of Object.entries((node.properties ?? {}) as Record<string, Node>))
    yield* schemasIn(inner, `${path}.${name}`, depth + 1)
  if (node.items !== undefined) yield* schemasIn(node.items as Node, `${path}[]`, depth + 1)
}

describe.each([
  ['all tools', { toolsets: null, readOnly: false }],
  ['the tools that only read', { toolsets: null, readOnly: true }],
] as const)('the arguments of %s', (_name, view) => {
  const tools = toolsOf(view)
  const nodes = tools.flatMap(({ entry, inputSchema }) => [...schemasIn(inputSchema, entry.name)])

  it('hold nothing that one of the common clients refuses, at any depth [WLD-06, WLD-22, G165]', () => {
    // What all of them understand: the strict modes of several vendors' models, and editors.
    const understood = [
      'type',
      'description',
      'enum',
      'items',
      'properties',
      'required',
      'minimum',
      'maximum',
      'maxItems',
    ]
    const kinds = ['string', 'integer', 'number', 'boolean', 'array', 'object']
    const faults = nodes.flatMap(([path, node, depth]) => {
      const isTop = depth === 1
      const names = Object.keys((node.properties ?? {}) as object)
      return [
        ...Object.keys(node)
          .filter((key) => !understood.includes(key) && !(isTop && key === 'additionalProperties'))
          .map((key) => `says ${key}`),
        ...(kinds.includes(node.type as string) ? [] : ['has not exactly one type']),
        ...((node.type === 'array') === (node.items !== undefined) ? [] : ['is a list that does not say of what']),
        ...(node.type === 'object' && names.length === 0 ? ['is an object without fields'] : []),
        ...(Object.hasOwn(node, 'default') ? ['has a default'] : []),
        ...(node.enum === undefined ||
        (node.type === 'string' &&
          node.enum.length > 0 &&
          node.enum.every((one: unknown) => typeof one === 'string' && one !== ''))
          ? []
          : ['has choices that are no texts']),
        ...(new Set(node.enum ?? []).size === (node.enum ?? []).length ? [] : ['has a choice twice']),
        ...((node.required ?? []) as string[]).filter((name) => !names.includes(name)).map((name) => `needs ${name}`),
        ...(String(node.description ?? '').length > 1_024 ? ['is described at length'] : []),
        ...names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name)),
        ...(depth > 5 ? ['stands too deep'] : []),
      ].map((fault) => `${path} ${fault}`)
    })
    expect(faults).toEqual([])
    for (const { entry, description, inputSchema } of tools) {
      expect(entry.name).toMatch(/^[a-zA-Z0-9_-]{1,40}$/)
      expect([entry.name, description.length <= 1_024]).toEqual([entry.name, true])
      const count = [...schemasIn(inputSchema, '')].length
      expect([entry.name, count <= 100]).toEqual([entry.name, true])
    }
  })

  it('say in words where null has a meaning [WLD-22, G165]', () => {
    for (const tool of tools)
      for (const { fields, schemas } of tool.choices)
        for (const name of fields.filter((field) => kindsOf(schemas[field]!).includes('null'))) {
          const shown = (tool.inputSchema.properties as Record<string, Node>)[name]!
          expect([tool.entry.name, name, /\bnull\b/i.test(String(shown.description))]).toEqual([
            tool.entry.name,
            name,
            true,
          ])
        }
  })
})

describe('what the tools answer', () => {
  it('is described with at most one type a field, and lists say that they hold something [WLD-06, WLD-22]', () => {
    const odd = all.flatMap(({ entry, outputSchema }) =>
      [...schemasIn(outputSchema, entry.name)].flatMap(([path, node]) =>
        (node.type === undefined || typeof node.type === 'string') &&
        (node.type === 'array') === (node.items !== undefined)
          ? []
          : [path],
      ),
    )
    expect(odd).toEqual([])
  })
})

describe('a view', () => {
  it('read-only leaves what neither changes nor charges, and says so of each tool', () => {
    const tools = toolsOf({ toolsets: null, readOnly: true })
    expect(tools.length).toBeGreaterThan(5)
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(tool.choices.every(({ operation }) => isSafe(operation))).toBe(true)
    }
    expect(
      operations.filter((operation) => operation.method === 'GET' && !isSafe(operation)).map(({ id }) => id),
    ).toEqual(expect.arrayContaining(['readProfilePosts', 'readCompanyPosts']))
  })

  it('every toolset has tools, and together they are all of them', () => {
    const names = toolsets.flatMap((toolset) =>
      toolsOf({ toolsets: [toolset], readOnly: false }).map(({ entry }) => entry.name),
    )
    expect([...new Set(names)].sort()).toEqual(all.map(({ entry }) => entry.name).sort())
    for (const toolset of toolsets)
      expect([toolset, toolTable.some((entry) => entry.toolsets[0] === toolset)]).toEqual([toolset, true])
  })

  it.each([
    [[{}], { toolsets: null, readOnly: false }],
    [[{ toolsets: 'leads, Sources', readOnly: '1' }], { toolsets: ['leads', 'sources'], readOnly: true }],
    [
      [{ toolsets: 'leads,sources' }, { toolsets: 'sources,agent', readOnly: 'true' }],
      { toolsets: ['sources'], readOnly: true },
    ],
    [[{ readOnly: '1' }, { readOnly: '0' }], { toolsets: null, readOnly: true }],
    [[{ toolsets: 'all', readOnly: 'false' }], { toolsets: null, readOnly: false }],
    [[{ toolsets: 'leads,nonsense' }], { unknown: 'nonsense' }],
  ])('%j', (requestedViews, view) => expect(readView(...requestedViews)).toEqual(view))
})
