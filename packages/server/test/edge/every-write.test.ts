/** What holds for every write of the API, read from the registry so that new operations are covered. */
import { registry, type Operation, type OperationId } from '@les/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { useLocalService, type TestTeam } from './local-service.ts'
import { sampleOf } from './sample.ts'

const service = useLocalService()
let team: TestTeam
let runs = 0
beforeAll(async () => {
  team = await service.team({ limits: { reads: 100_000, writes: 100_000 } })
})

const writes = (registry as readonly Operation[]).filter(({ method }) => method !== 'GET')
const values: Readonly<Record<string, string>> = { username: 'jane-doe', urn: 'urn:li:activity:7395000000000000001' }
const pathOf = ({ path }: Operation) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? '0190a1b2-0000-7000-8000-000000000002'),
  )

describe('Idempotency-Key', () => {
  it.each(writes.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s: a twin with the same key is replayed, and the effect happens once',
    async (_name, operation) => {
      runs = 0
      const answer = sampleOf(operation.success)
      service.stubs[operation.id as OperationId] = (_input, { unitOfWork }) => unitOfWork(async () => (runs++, answer))
      const send = (body: unknown) =>
        service.api(operation.method, pathOf(operation), team.key, operation.body === null ? undefined : body, {
          'idempotency-key': operation.id,
        })
      const first = await send(operation.example ?? {})
      // A create that finds an existing object answers 200.
      expect([200, operation.status].includes(first.status) ? first.status : first.text).toBe(first.status)
      const again = await send(operation.example ?? {})
      expect([again.status, again.headers['idempotency-replayed'], runs]).toEqual([first.status, 'true', 1])
      if (operation.id !== 'createKey') expect(again.text).toBe(first.text)
    },
  )
})
