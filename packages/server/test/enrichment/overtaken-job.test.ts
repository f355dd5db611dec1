/** A requested enrichment whose worker sleeps past its lease: another takes the job, and the first writes nothing. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { enrichJobWork } from '../../src/modules/enrichment/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { ProviderFailure, type CompanyRecord } from '../../src/providers/ports.ts'
import { jobOf, leadsOf, track } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'

// Without workers: only this file's steps work on the job.
const world = useWorld({ config: { roles: ['http'] } })

type Step = ReturnType<typeof enrichJobWork.step>
type Deps = Parameters<typeof enrichJobWork.step>[0]

/** A process that looks a team's companies up with `company`, its system clock `laterMs` ahead. */
const stepOf = (team: Team, company: () => Promise<CompanyRecord>, laterMs = 0): Step => {
  const step = enrichJobWork.step({
    unitOfWork: world.service.unitOfWork,
    network: { company },
    system: { ...systemClock, nowMs: () => systemClock.nowMs() + laterMs },
    faultPoint: async () => {},
    processId: randomUUID(),
  } as unknown as Deps)
  return () => world.inShardOf(team, () => step())
}

async function staged() {
  const team = await world.team()
  const [author, fan, slug] = [world.handle('author'), world.handle('fan'), world.handle('acme')]
  world.network.seedCompany({ slug, name: 'Acme', industry: 'Robotics Engineering', employees: 10 })
  world.network.seedPerson({ handle: fan, title: 'Engineer', company: slug })
  world.network.seedPost({ author, reactions: [{ person: fan }] })
  await track(team, author)
  await world.drain()
  const { rows } = await world.database.pool.query('select urn from company where slug = $1', [slug])
  const { jobId } = (await team.post('/enrich/company', { username: slug })).body
  const record = (industry: string) => ({ ...emptyRecord, urn: rows[0].urn, slug, name: 'Acme', industry })
  const seen = async () => [(await jobOf(team, jobId)).status, (await leadsOf(team, author))[0].companyIndustry]
  return { team, record, seen }
}

const emptyRecord: CompanyRecord = {
  urn: '',
  slug: '',
  name: '',
  linkedinUrl: 'https://www.linkedin.com/company/x',
  website: null,
  industry: null,
  industryId: null,
  employeeCount: null,
  staffRange: null,
  headquarters: null,
  description: null,
  foundedYear: null,
  followerCount: null,
  specialties: [],
  logoUrl: null,
  coverUrl: null,
}

it.each([
  ['is answered late', (late: CompanyRecord) => Promise.resolve(late)],
  [
    'is refused late',
    () =>
      Promise.reject(
        new ProviderFailure({ provider: 'harvestapi', operation: 'company', kind: 'not_found', message: 'gone' }),
      ),
  ],
])('who %s changes nothing of what the other has written [CRD-12, JOB-05]', async (_how, answer) => {
  const { team, record, seen } = await staged()
  const [begun, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = stepOf(team, async () => {
    begun.resolve()
    await late.promise
    return answer(record('Old'))
  })()
  await begun.promise
  const before = await seen()
  expect(await stepOf(team, async () => record('New'))()).toBe('idle')
  expect(await stepOf(team, async () => record('New'), 120_000)()).toBe('worked')
  late.resolve()
  expect(await first).toBe('worked')
  expect([before, await seen()]).toEqual([
    ['running', 'Robotics Engineering'],
    ['completed', 'New'],
  ])
})
