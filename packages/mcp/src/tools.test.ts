/** The tools as a client is shown them. */
import { registry, type Operation } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { isSafe, listed, toolsOf } from './definition.ts'
import { toolTable } from './table.ts'
import { toolsets } from './tool-entry.ts'
import { readView } from './view.ts'

const all = toolsOf({ toolsets: null, readOnly: false })
const operations = registry as readonly Operation[]

describe('the tools', () => {
  it('reach every operation of the interface and nothing else: add the missing ones to table.ts [CON-27, MCP-01]', () => {
    const reached = new Set<string>(toolTable.flatMap(({ operations: carried }) => Object.values(carried)))
    expect(operations.map(({ id }) => id).filter((id) => !reached.has(id))).toEqual([])
    expect([...reached].filter((id) => !operations.some((operation) => operation.id === id))).toEqual([])
  })

  it('are at most 25, in at most 12,000 tokens of definitions', () => {
    expect(all.length).toBeLessThanOrEqual(25)
    // Four characters a token is what English takes; names and braces take less, hence the margin.
    const tokens = JSON.stringify({ tools: all.map(listed) }).length / 3.5
    expect(Math.round(tokens)).toBeLessThanOrEqual(12_000)
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
