/** The recipes in `examples/` for n8n and Make can be imported and use only operations and fields of the contract. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { basePath, eventExamples, registry } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const folder = join(import.meta.dirname, '../../../../examples')
const recipes = (of: string) =>
  readdirSync(join(folder, of)).map((name) => [name, JSON.parse(readFileSync(join(folder, of, name), 'utf8'))] as const)

/** The operation of a request; fails if none matches or if it would refuse the body. */
function operationOf(method: string, url: string, body?: unknown) {
  const path = new URL(url).pathname
  expect(path.startsWith(`${basePath}/`), url).toBe(true)
  const found = registry.find(
    (operation) =>
      operation.method === method.toUpperCase() &&
      new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.slice(basePath.length)),
  )
  expect(found, `${method} ${path}`).toBeDefined()
  if (body !== undefined) expect(found!.body!.safeParse(body), `${method} ${path}`).toMatchObject({ success: true })
  return found!
}

/** n8n and Make repeat writes, so each needs an idempotency key. */
const guarded = (headers: readonly { readonly name: string; readonly value: string }[]) =>
  expect(headers.map(({ name }) => name)).toEqual(expect.arrayContaining(['X-API-Key', 'Idempotency-Key']))

const inEvent = (path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], eventExamples['lead.detected'])

describe('a recipe for n8n', () => {
  const node = z.strictObject({
    id: z.string(),
    name: z.string(),
    type: z.string().regex(/^n8n-nodes-base\.\w+$/),
    typeVersion: z.number(),
    webhookId: z.uuid().optional(),
    position: z.tuple([z.number(), z.number()]),
    parameters: z.record(z.string(), z.unknown()),
  })
  const workflow = z.strictObject({
    name: z.string(),
    nodes: z.array(node),
    connections: z.record(
      z.string(),
      z.strictObject({
        main: z.array(z.array(z.strictObject({ node: z.string(), type: z.literal('main'), index: z.int() }))),
      }),
    ),
    settings: z.record(z.string(), z.unknown()),
  })
  it.each(recipes('n8n'))(
    '%s: connects nodes that exist from one webhook on, compiles, reads fields of events and calls operations of the contract',
    (file, given) => {
      const { nodes, connections } = workflow.parse(given)
      const names = nodes.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      const led = Object.values(connections).flatMap(({ main }) => main.flat().map((to) => to.node))
      expect([...Object.keys(connections), ...led].filter((name) => !names.includes(name))).toEqual([])
      const begins = nodes.filter(({ name }) => !led.includes(name))
      expect(begins.map(({ type }) => type)).toEqual(['n8n-nodes-base.webhook'])
      // Without its own id, n8n serves the webhook under another path than the node shows.
      expect(begins[0]!.webhookId).toBeDefined()
      for (const { parameters, type } of nodes) {
        if (typeof parameters.jsCode === 'string') expect(() => new Function(parameters.jsCode as string)).not.toThrow()
        if (type === 'n8n-nodes-base.httpRequest') {
          const { method, url, headerParameters, jsonBody } = parameters as any
          const expression = /^=\{\{(.+)\}\}$/.exec(jsonBody)![1]!
          operationOf(method, url, new Function('$json', `return (${expression})`)({ body: { username: 'jane-doe' } }))
          guarded(headerParameters.parameters)
        } else
          for (const [, path] of JSON.stringify(parameters).matchAll(/\$json\.([\w.]+)/g))
            expect(inEvent(path!), `${file}: $json.${path}`).toBeDefined()
      }
    },
  )
})

describe('a blueprint for Make', () => {
  const pairs = (one: string) => z.array(z.strictObject({ [one]: z.string(), value: z.string() }))
  const part = z.strictObject({
    id: z.int(),
    module: z.enum(['gateway:CustomWebHook', 'json:ParseJSON', 'http:ActionSendData']),
    version: z.int(),
    parameters: z.record(z.string(), z.unknown()),
    filter: z
      .strictObject({
        name: z.string(),
        conditions: z.array(
          z.array(z.strictObject({ a: z.string(), o: z.enum(['text:contain', 'text:equal']), b: z.string() })),
        ),
      })
      .optional(),
    mapper: z.looseObject({
      url: z.url().optional(),
      method: z.enum(['post']).optional(),
      headers: pairs('name').optional(),
      formFields: pairs('key').optional(),
    }),
    metadata: z.strictObject({ designer: z.strictObject({ x: z.number(), y: z.number(), name: z.string() }) }),
  })
  const blueprint = z.strictObject({
    name: z.string(),
    flow: z.array(part),
    metadata: z.record(z.string(), z.unknown()),
  })
  it.each(recipes('make'))(
    '%s: begins with a webhook, refers to modules before, reads fields that an event has and asks what the contract has',
    (file, given) => {
      const { flow } = blueprint.parse(given)
      expect(flow.map(({ id }) => id)).toEqual(flow.map((_, at) => at + 1))
      expect(flow[0]!.module).toBe('gateway:CustomWebHook')
      const parsed = flow.find(({ module }) => module === 'json:ParseJSON')?.id
      for (const { id, module, mapper, filter } of flow) {
        const text = JSON.stringify([mapper, filter])
        for (const [, of, path] of text.matchAll(/(?<![\w.])(\d)\.([a-z][\w.]*)/g)) {
          expect(Number(of), `${file}: module ${id}`).toBeLessThan(id)
          if (Number(of) === parsed) expect(inEvent(path!), `${file}: ${of}.${path}`).toBeDefined()
        }
        if (module !== 'http:ActionSendData' || !mapper.url!.includes(basePath)) continue
        const body = JSON.parse(String(mapper.data).replace('{{1.username}}', 'jane-doe'))
        operationOf(mapper.method!, mapper.url!, body)
        guarded(mapper.headers as any)
      }
      // Incoming data is verified before it is used.
      if (parsed !== undefined)
        expect(JSON.stringify(flow[1]!.filter)).toMatch(
          /x-service-signature.*text:contain.*v1=\{\{sha256\(.*x-service-timestamp.*1\.value.*base64/,
        )
    },
  )
})
