/** Every bounded number of the API at and just beyond its bounds, read from the contract. */
import { describeSchema, registry, type Operation, type OperationId } from '@les/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { useLocalService, type TestTeam } from './local-service.ts'

const service = useLocalService()
let team: TestTeam
beforeAll(async () => {
  team = await service.team({ limits: { reads: 1_000_000, writes: 1_000_000, untrackedPosts: 1_000_000 } })
  for (const { id } of registry) service.stubs[id as OperationId] = () => Promise.reject(new Error('reached'))
})

type Field = {
  readonly operation: Operation
  readonly name: string
  readonly min: number
  readonly max: number
  readonly orNull: boolean
}
type Schema = { readonly [key: string]: any }

function numbersIn(operation: Operation, part: 'query' | 'body'): Field[] {
  if (operation[part] === null) return []
  const { properties = {} } = describeSchema(operation[part], 'input') as Schema
  return Object.entries(properties as Schema).flatMap(([name, schema]) => {
    const options = (schema.anyOf ?? schema.oneOf ?? [schema]) as Schema[]
    const number = options.find(({ type }) => [type].flat().includes('integer'))
    if (
      !number ||
      number.minimum === undefined ||
      Math.abs(number.minimum) >= Number.MAX_SAFE_INTEGER ||
      Math.abs(number.maximum) >= Number.MAX_SAFE_INTEGER
    )
      return []
    return [
      {
        operation,
        name,
        min: number.minimum,
        max: number.maximum,
        orNull: options.some(({ type }) => [type].flat().includes('null')),
      },
    ]
  })
}

const operations = registry as readonly Operation[]
const values: Readonly<Record<string, string>> = { username: 'jane-doe', urn: 'urn:li:activity:7395000000000000001' }
const pathOf = ({ path }: Operation) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? '0190a1b2-0000-7000-8000-000000000002'),
  )
const named = (fields: readonly Field[]) =>
  fields.map(
    (field) =>
      [`${field.operation.method} ${field.operation.path} ${field.name} ${field.min}..${field.max}`, field] as const,
  )

/** Whether an answer refuses the field for its own value rather than for a combination. */
const refusesIt = ({ status, body }: { status: number; body: Record<string, any> }, name: string) =>
  status === 400 && new RegExp(`^\`${name}\`.* must be (?:a |an )?(?:whole|integer)`).test(String(body.error))

describe('whole numbers in bodies', () => {
  const fields = operations.flatMap((operation) => numbersIn(operation, 'body'))
  it('there are some', () => expect(fields.length).toBeGreaterThan(15))

  it.each(named(fields))('%s [LIM-01, LIM-02, LIM-03]', async (_name, { operation, name, min, max, orNull }) => {
    const send = (value: unknown) =>
      service.api(operation.method, pathOf(operation), team.key, { ...operation.example, [name]: value })
    for (const value of [String(min), min + 0.5, true, [min], {}])
      expect([value, refusesIt(await send(value), name)]).toEqual([value, true])
    for (const value of [min, max]) expect([value, refusesIt(await send(value), name)]).toEqual([value, false])
    for (const value of [min - 1, max + 1]) expect([value, refusesIt(await send(value), name)]).toEqual([value, true])
    expect(refusesIt(await send(null), name)).toBe(!orNull)
  })
})

describe('the daily limit of an agent', () => {
  it.each(
    operations
      .filter(({ body }) => 'dailyCredits' in ((body as { shape?: object } | null)?.shape ?? {}))
      .map((operation) => [operation.id, operation] as const),
  )('%s takes it out of range too: it is brought into range, not refused [LIM-01, LIM-03]', async (_id, operation) => {
    const send = (dailyCredits: unknown) => service.api(operation.method, pathOf(operation), team.key, { dailyCredits })
    for (const value of [1, 49, 50, 20_000, 20_001, 1_000_000])
      expect([value, (await send(value)).status]).toEqual([value, 500])
    for (const value of ['50', 50.5, true]) expect([value, (await send(value)).status]).toEqual([value, 400])
  })
})

describe('whole numbers in queries', () => {
  const fields = operations.flatMap((operation) => numbersIn(operation, 'query'))
  it('there are some', () => expect(fields.length).toBeGreaterThan(8))

  it.each(named(fields))('%s [LIM-02, LIM-03]', async (_name, { operation, name, min, max }) => {
    const send = (value: string) =>
      service.api(operation.method, `${pathOf(operation)}?${name}=${encodeURIComponent(value)}`, team.key)
    for (const value of [String(min), String(max)])
      expect([value, refusesIt(await send(value), name)]).toEqual([value, false])
    for (const value of [String(min - 1), String(max + 1), `${min}.5`, '', 'x', `${min} `, '1e1', '0x1'])
      expect([value, refusesIt(await send(value), name)]).toEqual([value, true])
  })
})
