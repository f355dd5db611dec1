import { z } from 'zod'
import { FAULT_KINDS, faultSchema } from '../traffic/faults.ts'
import { holdSchema, releaseSchema } from '../traffic/holds.ts'
import { CAMPAIGN_STATUSES, campaignSeedSchema, keySchema } from '../vendors/heyreach/workspace.ts'
import { companySeedSchema, personSeedSchema, postSeedSchema, searchSeedSchema } from '../world/seed-schemas.ts'
import type { World } from '../world/world.ts'
import { summaryOf } from './summary.ts'

/** A control request that makes no sense: answered with its status and `{error}`. */
export class ControlError extends Error {
  readonly status: number
  /** Refuses with this status. */
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Route = (world: World, input: { name: string; body: unknown; query: Record<string, string> }) => unknown

const clockSchema = z
  .strictObject({ to: z.iso.datetime({ offset: true }).optional(), advanceSeconds: z.number().optional() })
  .refine(
    (body) => (body.to === undefined) !== (body.advanceSeconds === undefined),
    'give either "to" (ISO time) or "advanceSeconds"',
  )
const statusChangeSchema = z.strictObject({ key: z.string().min(1), status: z.enum(CAMPAIGN_STATUSES) })
const limitsSchema = z
  .strictObject({ harvestapiConcurrency: z.number().int().min(1), harvestapiQueue: z.number().int().min(0) })
  .partial()
const statusSchema = z
  .union([z.coerce.number().int(), z.enum(['open', 'waiting', 'hanging', 'reset', 'gone'])])
  .optional()

/** The control operations by method and path; `*` stands for one name. */
export const CONTROL_ROUTES: Readonly<Record<string, Route>> = {
  'POST people': (world, { body }) => world.seedPerson(personSeedSchema.parse(body)),
  'POST companies': (world, { body }) => world.seedCompany(companySeedSchema.parse(body)),
  'POST posts': (world, { body }) => summaryOf(world.seedPost(postSeedSchema.parse(body))),
  'POST search': (world, { body }) => ({ posts: world.seedSearch(searchSeedSchema.parse(body)).map(summaryOf) }),
  'GET people/*': (world, { name }) => found(world.person(name)),
  'GET companies/*': (world, { name }) => found(world.company(name)),
  'GET posts/*': (world, { name }) => summaryOf(found(world.post(name))),
  'GET people/*/posts': (world, { name }) => ({ posts: world.postsOf(name).map(summaryOf) }),
  'GET companies/*/posts': (world, { name }) => ({ posts: world.postsOf({ company: name }).map(summaryOf) }),
  'POST campaigns': (world, { body }) => world.outreach.seedCampaign(campaignSeedSchema.parse(body)),
  'GET campaigns': (world, { query }) => ({ campaigns: world.outreach.campaigns(query.key ?? '') }),
  'GET campaigns/*': (world, { name, query }) => found(world.outreach.campaign(query.key ?? '', Number(name))),
  'POST campaigns/*': (world, { name, body }) => {
    const { key, status } = statusChangeSchema.parse(body)
    world.outreach.setStatus(key, Number(name), status)
    return found(world.outreach.campaign(key, Number(name)))
  },
  'POST outreach-keys': (world, { body }) => {
    const { key, rejected } = keySchema.parse(body)
    return done(world.outreach.rejectKey(key, rejected))
  },
  'GET faults': (world) => ({ faults: world.faults(), kinds: FAULT_KINDS }),
  'POST faults': (world, { body }) => world.fault(faultSchema.parse(body)),
  'DELETE faults': (world) => done(world.clearFaults()),
  'DELETE faults/*': (world, { name }) => done(world.clearFaults(Number(name))),
  'POST hold': (world, { body }) => done(world.hold(holdSchema.parse(body))),
  'POST release': (world, { body }) => done(world.release(releaseSchema.parse(body))),
  'GET calls': (world, { query }) => ({
    calls: world.calls({ vendor: query.vendor, operation: query.operation, status: statusSchema.parse(query.status) }),
  }),
  'DELETE calls': (world) => done(world.clearCalls()),
  'GET clock': (world) => ({ now: world.now().toISOString() }),
  'POST clock': (world, { body }) => {
    const { to, advanceSeconds } = clockSchema.parse(body)
    const moved = world.moveClock(
      to === undefined ? new Date(world.now().getTime() + (advanceSeconds ?? 0) * 1000) : new Date(to),
    )
    if (!moved) throw new ControlError(400, 'this sandbox follows the clock of the process it runs in')
    return { now: world.now().toISOString() }
  },
  'GET limits': (world) => world.limits(),
  'POST limits': (world, { body }) => {
    const { harvestapiConcurrency, harvestapiQueue } = limitsSchema.parse(body)
    return world.limits({
      ...(harvestapiConcurrency === undefined ? {} : { harvestapiConcurrency }),
      ...(harvestapiQueue === undefined ? {} : { harvestapiQueue }),
    })
  },
  'POST reset': (world) => done(world.reset()),
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ControlError(404, 'there is no such thing in the world')
  return value
}

function done(_nothing: unknown): { ok: true } {
  return { ok: true }
}
