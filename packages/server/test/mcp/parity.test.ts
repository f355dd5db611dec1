/** Every operation answers the same through a tool as over HTTP, for reads and refused writes. */
import type { Operation } from '@les/contract'
import { listed, toolsOf } from '@les/mcp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guarded, masked } from '../../../mcp/src/untrusted.ts'
import {
  fill,
  neverExisted,
  operations,
  parametersOf,
  requiredQuery,
  setStage,
  type Owned,
  type Stage,
} from '../contract/stage.ts'
import { useWorld } from '../world/world.ts'
import { connect, type McpClient } from './client.ts'

const world = useWorld()
let stage: Stage
let mcp: McpClient
beforeAll(async () => {
  stage = await setStage(world)
  mcp = await connect(`${world.url}/mcp`, { headers: { 'x-api-key': stage.team.apiKey } })
  // Once it has listed the tools, the client validates every answer against the output schema.
  expect((await mcp.client.listTools()).tools.map(({ name, annotations }) => [name, annotations])).toEqual(
    toolsOf({ toolsets: null, readOnly: false })
      .map(listed)
      .map(({ name, annotations }) => [name, annotations]),
  )
})
afterAll(() => mcp?.close())

/** The tool for an operation, the arguments that select it, and the preset arguments. */
function toolFor({ id }: Operation): { name: string; chosen: Record<string, string>; preset: Record<string, unknown> } {
  for (const { entry, choices } of toolsOf({ toolsets: null, readOnly: false })) {
    const choice = choices.find(({ operation }) => operation.id === id)
    if (choice)
      return {
        name: entry.name,
        chosen: Object.fromEntries(entry.selectors.map(({ name }, at) => [name, choice.key.split(' ')[at]!])),
        preset: { ...entry.preset },
      }
  }
  throw new Error(`no tool carries ${id}`)
}

const pathArguments = (operation: Operation, owned: Owned) =>
  Object.fromEntries(parametersOf(operation.path).map((name) => [name.slice(name.indexOf('{') + 1, -1), owned[name]!]))

describe('reads', () => {
  it.each(operations.filter(({ method }) => method === 'GET').map((operation) => [operation.id, operation] as const))(
    '%s answers the same [MCP-01, CON-27]',
    async (_id, operation) => {
      const { name, chosen } = toolFor(operation)
      const isList = 'limit' in ((operation.query as { shape?: object }).shape ?? {})
      const query = requiredQuery[operation.id] ?? (isList ? '?limit=50' : '')
      const over = await stage.team.get(fill(operation.path, stage.owned) + query)
      const { text, isError, data } = await mcp.call(name, {
        ...chosen,
        ...pathArguments(operation, stage.owned),
        ...Object.fromEntries(new URLSearchParams(query)),
        detail: 'full',
      })
      if (over.status >= 300) expect([isError, text]).toEqual([true, expect.stringContaining(`Error ${over.status}`)])
      // A tool's answer must be an object, so a list is wrapped in `items`.
      else
        expect([isError, data]).toEqual([
          false,
          guarded(masked(Array.isArray(over.body) ? { items: over.body } : over.body)),
        ])
    },
  )
})

describe('writes', () => {
  it.each(operations.filter(({ method }) => method !== 'GET').map((operation) => [operation.id, operation] as const))(
    '%s refuses the same about what never existed [MCP-01, CON-27]',
    async (_id, operation) => {
      const nothing = neverExisted(world)
      const { name, chosen, preset } = toolFor(operation)
      const takes = Object.keys((operation.body as { shape?: object } | null)?.shape ?? {})
      const filledIn = Object.fromEntries(Object.entries(preset).filter(([field]) => takes.includes(field)))
      const over = await stage.team.call(
        operation.method,
        fill(operation.path, nothing),
        operation.body === null ? undefined : filledIn,
      )
      const { text, isError } = await mcp.call(name, { ...chosen, ...pathArguments(operation, nothing) })
      if (over.status >= 300)
        expect([isError, text]).toEqual([
          true,
          expect.stringContaining(
            `Error ${over.status}${over.body.code ? ` ${over.body.code}` : ''}: ${over.body.error}`,
          ),
        ])
      else expect(isError).toBe(false)
    },
  )
})
