import { readFileSync } from 'node:fs'
import { basePath, registry, wordsOf, type Operation } from '@les/contract'
import type { z } from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kebabCase, type Field } from '../src/catalogue/entry.ts'
import { fieldsOf, positionalsOf } from '../src/catalogue/fields.ts'
import { catalogue } from '../src/catalogue/load.ts'
import { catalogueText } from '../src/catalogue/make.ts'
import { listOf } from '../src/output/rows.ts'
import { les, startStub, type Stub } from './shell.ts'

const operations = registry as readonly Operation[]
const globalFlags = [
  'json',
  'jq',
  'csv',
  'all',
  'profile',
  'base-url',
  'idempotency-key',
  'version',
  'help',
  'wait',
  'timeout',
  'yes',
  'input',
  'color',
  'quiet',
  'debug',
  'show-secret',
]

let stub: Stub
beforeAll(async () => {
  stub = await startStub(() => ({ body: { ok: true } }))
})
afterAll(() => stub.close())

const shapeOf = (schema: z.ZodType | null): string[] => Object.keys((schema as z.ZodObject | null)?.shape ?? {})

/** Arguments that set a field, and the value that the service should receive. */
function sample(field: Field): { args: string[]; value: unknown } {
  const flag = `--${field.flag}`
  if (field.kind === 'boolean') return { args: [flag], value: true }
  if (field.kind === 'number') return { args: [flag, '7'], value: 7 }
  if (field.kind === 'any') return { args: [flag, '7'], value: 7 }
  if (field.kind === 'json') return { args: [flag, '{"a":[1]}'], value: { a: [1] } }
  if (field.kind === 'list')
    return field.itemKind === 'number'
      ? { args: [flag, '1,2'], value: [1, 2] }
      : field.byCommas
        ? { args: [flag, 'one,two', flag, 'three'], value: ['one', 'two', 'three'] }
        : { args: [flag, 'one, two', flag, 'three'], value: ['one, two', 'three'] }
  const text = field.choices?.[0] ?? 'some text'
  return { args: [flag, text], value: text }
}

describe('every operation of the registry', () => {
  it('is in the catalogue just as the registry has it: npm run generate writes it', () => {
    expect(catalogueText() === readFileSync(new URL('../src/catalogue/operations.json', import.meta.url), 'utf8')).toBe(
      true,
    )
  })

  it('has words of its own, and none is a group of others', () => {
    const all = operations.map((operation) => wordsOf(operation).join(' '))
    expect(new Set(all).size).toBe(all.length)
    for (const words of all) expect(all.filter((other) => other.startsWith(`${words} `))).toEqual([])
    for (const words of all) expect(words).toMatch(/^[a-z][a-z-]*( [a-z][a-z-]*)*$/)
  })

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s: a flag for each query and body field, named in kebab case [CLI-02]',
    (_, operation) => {
      const flags = fieldsOf(operation).map((field) => field.flag)
      const names = [...new Set([...shapeOf(operation.query), ...shapeOf(operation.body)])]
      expect(flags).toEqual(names.map(kebabCase))
      expect(flags.filter((flag) => globalFlags.includes(flag))).toEqual([])
    },
  )

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s: its command sends every field the way REST does [CLI-01, CLI-02]',
    async (_, operation) => {
      const positionals = positionalsOf(operation)
      const fields = fieldsOf(operation)
      const samples = fields.map((field) => ({ field, ...sample(field) }))
      const outcome = await les(
        [
          ...wordsOf(operation),
          ...positionals.map((name) => `${name}/ü`),
          ...samples.flatMap(({ args }) => args),
          '--json',
        ],
        { url: stub.url },
      )
      expect(outcome).toMatchObject({ code: 0, stdout: '{"ok":true}\n', stderr: '' })
      const received = stub.received.at(-1)!
      expect(received.method).toBe(operation.method)
      expect(received.path).toBe(
        basePath + operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(`${name}/ü`)),
      )
      expect(received.headers['x-api-key']).toBe('test-key')
      const inQuery = shapeOf(operation.query)
      expect(received.query).toEqual(
        Object.fromEntries(
          samples
            .filter(({ field }) => inQuery.includes(field.name))
            .map(({ field, value }) => [field.name, String(value)]),
        ),
      )
      const inBody = samples
        .filter(({ field }) => !inQuery.includes(field.name))
        .map(({ field, value }) => [field.name, value])
      expect(received.body).toEqual(operation.body === null ? undefined : Object.fromEntries(inBody))
    },
  )

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s: its help starts with examples and names every flag [CLI-02]',
    async (_, operation) => {
      const { code, stdout } = await les([...wordsOf(operation), '--help'])
      expect(code).toBe(0)
      expect(stdout).toMatch(new RegExp(`^Examples:\n  \\$ les ${wordsOf(operation).join(' ')}`))
      for (const field of fieldsOf(operation))
        expect(stdout).toMatch(new RegExp(`^  --(\\[no-\\])?${field.flag}\\b`, 'm'))
    },
  )
})

describe('columns', () => {
  it('of every list are fields of its rows', async () => {
    for (const entry of catalogue.entries.filter(({ answer }) => answer.list)) {
      const row = Object.fromEntries(entry.answer.list!.fields.map((name) => [name, 'x']))
      const { columns } = listOf({ [entry.answer.list!.name]: [row] }, entry)!
      expect([entry.id, columns.length > 1, columns.filter((column) => !(column in row))]).toEqual([entry.id, true, []])
    }
  })
})
