/** Companies needed at the same time: claimed and written together, each looked up once, and one failure alone. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { makeUnitOfWork } from '../../src/platform/db/unit-of-work.ts'
import { machineIds } from '../../src/platform/random.ts'
import { companyResolver } from '../../src/modules/enrichment/company-lookup.ts'
import { ProviderFailure, type CompanyRecord, type Network } from '../../src/providers/ports.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

let database: TestDatabase
let asked: string[]
let units: number
let answers: (urn: string) => CompanyRecord
const now = new Date('2026-11-02T08:00:00.000Z')

const record = (urn: string): CompanyRecord => ({
  urn,
  slug: urn.slice(-3),
  name: `Company ${urn.slice(-3)}`,
  linkedinUrl: 'https://www.linkedin.com/company/x',
  website: 'https://www.acme.example/about',
  industry: 'Robotics Engineering',
  industryId: '3242',
  employeeCount: 120,
  staffRange: '51-200',
  headquarters: 'Berlin',
  description: 'Robots',
  foundedYear: 1999,
  followerCount: 7,
  specialties: ['robots', 'arms'],
  logoUrl: 'https://example.com/logo.png',
  coverUrl: null,
})
const urn = (n: number) => `urn:li:company:${100 + n}`

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  asked = []
  units = 0
  answers = record
  await sql`truncate company, company_lookup`.execute(database.bare)
})

function resolver(processId = randomUUID()) {
  const unitOfWork = makeUnitOfWork({
    db: database.bare,
    ids: machineIds(),
    serviceNow: async () => now,
    wake: () => {},
    onEffectError: (error) => {
      throw error
    },
  })
  return companyResolver({
    db: database.root,
    unitOfWork: (work) => {
      units += 1
      return unitOfWork(work)
    },
    network: {
      company: async (which: { urn: string }) => {
        asked.push(which.urn)
        return answers(which.urn)
      },
    } as unknown as Network,
    system: systemClock,
    serviceNow: async () => now,
    faultPoint: async () => {},
    processId,
  })
}

const stored = async () =>
  (
    await sql<Record<string, unknown>>`select urn, found, slug, name, domain, industry_id, employee_count, staff_range,
      specialties, fetched_at from company order by urn`.execute(database.bare)
  ).rows
const claimed = async () => (await sql`select urn from company_lookup`.execute(database.bare)).rows.length

it('asks once for each, in two units of work for all of them, and leaves no claim', async () => {
  const resolve = resolver()
  const wanted = [...Array.from({ length: 20 }, (_, n) => urn(n)), urn(3), urn(4)]
  expect(new Set(await Promise.all(wanted.map(resolve)))).toEqual(new Set(['known']))
  expect(asked).toHaveLength(20)
  expect(units).toBe(2)
  expect(await claimed()).toBe(0)
  const rows = await stored()
  expect(rows).toHaveLength(20)
  expect(rows[3]).toEqual({
    urn: urn(3),
    found: true,
    slug: '103',
    name: 'Company 103',
    domain: 'acme.example',
    industry_id: '3242',
    employee_count: 120,
    staff_range: '51-200',
    specialties: ['robots', 'arms'],
    fetched_at: now,
  })
  expect(new Set(await Promise.all(wanted.map(resolver())))).toEqual(new Set(['known']))
  expect([asked.length, units]).toEqual([20, 2])
})

it('one whose record cannot be written fails alone, and one that there is none of is remembered', async () => {
  answers = (which) => {
    if (which === urn(7))
      throw new ProviderFailure({ provider: 'x', operation: 'company', kind: 'not_found', message: '' })
    if (which === urn(8))
      throw new ProviderFailure({ provider: 'x', operation: 'company', kind: 'unavailable', message: '' })
    return which === urn(5) ? { ...record(which), employeeCount: 3_000_000_000 } : record(which)
  }
  const resolve = resolver()
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => resolve(urn(n))))
  expect(outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([5, 8])
  const rows = await stored()
  expect(rows.map((row) => row.urn)).toEqual([0, 1, 2, 3, 4, 6, 7, 9].map(urn))
  expect(rows.find((row) => row.urn === urn(7))).toMatchObject({ found: false })
  expect(await claimed()).toBe(0)
})

it('those that another process is looking up are busy, and the others are not kept waiting', async () => {
  const [one, other] = [resolver(), resolver()]
  const held = Promise.withResolvers<CompanyRecord>()
  answers = (which) => (which === urn(1) ? (held.promise as unknown as CompanyRecord) : record(which))
  const first = one(urn(1))
  await expect.poll(() => asked).toEqual([urn(1)])
  expect(await Promise.all([urn(0), urn(1), urn(2)].map(other))).toEqual(['known', 'busy', 'known'])
  held.resolve(record(urn(1)))
  expect(await first).toBe('known')
  expect(await other(urn(1))).toBe('known')
  expect(asked).toEqual([urn(1), urn(0), urn(2)])
})

it('the right to look one up that ran out and was taken over stays with who has it now', async () => {
  const [slow, quick, third] = [resolver(), resolver(), resolver()]
  const [late, soon] = [Promise.withResolvers<CompanyRecord>(), Promise.withResolvers<CompanyRecord>()]
  answers = () => (asked.length === 1 ? late : soon).promise as unknown as CompanyRecord
  const overtaken = slow(urn(1)).catch((failure: unknown) => failure)
  await expect.poll(() => asked).toHaveLength(1)
  await sql`update company_lookup set until_ms = 0`.execute(database.bare)
  const taken = quick(urn(1))
  await expect.poll(() => asked).toHaveLength(2)
  late.reject(new ProviderFailure({ provider: 'x', operation: 'company', kind: 'unavailable', message: '' }))
  expect(await overtaken).toBeInstanceOf(ProviderFailure)
  expect([await third(urn(1)), asked.length]).toEqual(['busy', 2])
  soon.resolve(record(urn(1)))
  expect([await taken, await claimed()]).toEqual(['known', 0])
})
