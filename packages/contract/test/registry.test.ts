/** The registry as a whole. */
import { describe, expect, it } from 'vitest'
import { errorTable, operationsById, registry, type Operation } from '../src/index.ts'

const operations = registry as readonly Operation[]
const repeated = (keys: readonly string[]) => keys.filter((key, index) => keys.indexOf(key) !== index)

describe('registry', () => {
  it('no two operations share an id', () => {
    expect(repeated(operations.map(({ id }) => id))).toEqual([])
    expect(Object.keys(operationsById)).toHaveLength(operations.length)
  })
  it('no two operations share a method and a path, whatever their parameters are called', () => {
    expect(repeated(operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`))).toEqual([])
  })
})

describe.each(operations)('$id', (operation) => {
  it('has a body exactly when its method carries one', () =>
    expect(operation.body !== null).toBe(['POST', 'PUT', 'PATCH'].includes(operation.method)))
  it('names an error at most once, and its example is a body it accepts', () => {
    expect(repeated(operation.errors)).toEqual([])
    expect(operation.errors.every((key) => key in errorTable)).toBe(true)
    if (operation.example) expect(operation.body?.safeParse(operation.example).success).toBe(true)
  })
  it('names no field twice over path, query and body', () => {
    const shape = (schema: unknown) => Object.keys((schema as { shape?: object } | null)?.shape ?? {})
    expect(repeated([...shape(operation.params), ...shape(operation.query), ...shape(operation.body)])).toEqual([])
  })
})
