/** `/control/...`: how tests and people change the world over HTTP. */
import { z } from 'zod'
import { FAULT_KINDS, type FaultRule } from './traffic.ts'
import { jsonIn, readBody, send, type Exchange } from './vendors/exchange.ts'
import { CAMPAIGN_STATUSES, LEAD_EVENT_NAMES, type CampaignSeed } from './vendors/heyreach/workspace.ts'
import type { TwinName } from './vendors/twins.ts'
import type { Post } from './world/engagement.ts'
import type { CompanySeed, PersonSeed, PostSeed, SearchSeed } from './world/seed-schemas.ts'
import type { World } from './world/world.ts'

const MAX_BODY = 64 * 1024 * 1024

class ControlError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const clockSchema = z
  .strictObject({ to: z.iso.datetime({ offset: true }).optional(), advanceSeconds: z.number().optional() })
  .refine(
    (body) => (body.to === undefined) !== (body.advanceSeconds === undefined),
    'give either "to" (ISO time) or "advanceSeconds"',
  )
const statusChangeSchema = z.strictObject({ key: z.string().min(1), status: z.enum(CAMPAIGN_STATUSES) })
const leadEventSchema = z.strictObject({
  key: z.string().min(1),
  profileUrl: z.string().min(1),
  event: z.enum(LEAD_EVENT_NAMES),
})
const keySchema = z.strictObject({ key: z.string().min(1), rejected: z.boolean().optional() })
const callStatusSchema = z
  .union([z.coerce.number().int(), z.enum(['open', 'waiting', 'hanging', 'reset', 'gone'])])
  .optional()

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ControlError(404, 'there is no such thing in the world')
  return value
}

const done = (_nothing: unknown): { ok: true } => ({ ok: true })

type Route = (world: World, input: { name: string; body: unknown; query: Record<string, string> }) => unknown

/** `*` stands for one name. The world validates seeds and rules. */
const ROUTES: Readonly<Record<string, Route>> = {
  'POST people': (world, { body }) => world.seedPerson(body as PersonSeed),
  'POST companies': (world, { body }) => world.seedCompany(body as CompanySeed),
  'POST posts': (world, { body }) => summaryOf(world.seedPost(body as PostSeed)),
  'POST search': (world, { body }) => ({ posts: world.seedSearch(body as SearchSeed).map(summaryOf) }),
  'GET people/*': (world, { name }) => found(world.person(name)),
  'GET companies/*': (world, { name }) => found(world.company(name)),
  'GET posts/*': (world, { name }) => summaryOf(found(world.post(name))),
  'GET people/*/posts': (world, { name }) => ({ posts: world.postsOf(name).map(summaryOf) }),
  'GET companies/*/posts': (world, { name }) => ({ posts: world.postsOf({ company: name }).map(summaryOf) }),
  'POST campaigns': (world, { body }) => world.outreach.seedCampaign(body as CampaignSeed),
  'GET campaigns': (world, { query }) => ({ campaigns: world.outreach.campaigns(query.key ?? '') }),
  'GET campaigns/*': (world, { name, query }) => found(world.outreach.campaign(query.key ?? '', Number(name))),
  'POST campaigns/*': (world, { name, body }) => {
    const { key, status } = statusChangeSchema.parse(body)
    world.outreach.setStatus(key, Number(name), status)
    return found(world.outreach.campaign(key, Number(name)))
  },
  'POST campaigns/*/events': (world, { name, body }) => {
    const { key, profileUrl, event } = leadEventSchema.parse(body)
    return found(world.outreach.advanceLead(key, Number(name), profileUrl, event))
  },
  'POST outreach-keys': (world, { body }) => {
    const { key, rejected } = keySchema.parse(body)
    return done(world.outreach.rejectKey(key, rejected))
  },
  'GET destinations/*': (world, { name, query }) => found(world.twins[name as TwinName]).view(query.key ?? ''),
  'POST destinations/*': (world, { name, body, query }) =>
    done(found(world.twins[name as TwinName]).change(query.key ?? '', body)),
  'GET faults': (world) => ({ faults: world.faults(), kinds: FAULT_KINDS }),
  'POST faults': (world, { body }) => world.fault(body as FaultRule),
  'DELETE faults': (world) => done(world.clearFaults()),
  'DELETE faults/*': (world, { name }) => done(world.clearFaults(Number(name))),
  'POST hold': (world, { body }) => done(world.hold(body as Parameters<World['hold']>[0])),
  'POST release': (world, { body }) => done(world.release(body as Parameters<World['release']>[0])),
  'GET calls': (world, { query }) => ({
    calls: world.calls({
      vendor: query.vendor,
      operation: query.operation,
      status: callStatusSchema.parse(query.status),
    }),
  }),
  'DELETE calls': (world) => done(world.clearCalls()),
  'GET clock': (world) => ({ now: world.now().toISOString() }),
  'POST clock': (world, { body }) => {
    const { to, advanceSeconds = 0 } = clockSchema.parse(body)
    const moved = world.moveClock(new Date(to ?? world.now().getTime() + advanceSeconds * 1000))
    if (!moved) throw new ControlError(400, 'this sandbox follows the clock of the process it runs in')
    return { now: world.now().toISOString() }
  },
  'GET limits': (world) => world.limits(),
  'POST limits': (world, { body }) => world.limits(body as Parameters<World['limits']>[0]),
  'POST reset': (world) => done(world.reset()),
}

/** Answers one `/control/...` request; an invalid one gets 400, 404 or 405 and `{error}`. */
export async function serveControl(exchange: Exchange): Promise<void> {
  const { response } = exchange
  try {
    send(response, { status: 200, body: await run(exchange) })
  } catch (error) {
    const message = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message
    send(response, { status: error instanceof ControlError ? error.status : 400, body: { error: message } })
  }
}

async function run({ inside, request, path, query }: Exchange): Promise<unknown> {
  const [group = '', name, ...rest] = path
    .replace(/^\/control\/?/, '')
    .replace(/\/+$/, '')
    .split('/')
  const pattern = [group, ...(name === undefined ? [] : ['*']), ...rest].join('/')
  const route = ROUTES[`${request.method} ${pattern}`]
  if (!route)
    throw new ControlError(
      Object.keys(ROUTES).some((key) => key.endsWith(` ${pattern}`)) ? 405 : 404,
      `no ${request.method} ${path}; there are: ${Object.keys(ROUTES).join(', ')}`,
    )
  const text = await readBody(request, MAX_BODY)
  if (text === undefined) throw new ControlError(400, 'the body is too large')
  const body = text.trim() === '' ? {} : jsonIn(text)
  if (body === undefined) throw new ControlError(400, 'the body is not JSON')
  return route(inside.world, { name: decodeURIComponent(name ?? ''), body, query })
}

function summaryOf({ author: { kind, ...shown }, ...post }: Post) {
  const author =
    'person' in shown
      ? { kind, id: shown.person.id, name: shown.person.name, slug: shown.person.handle }
      : { kind, id: shown.company.id, name: shown.company.name, slug: shown.company.slug }
  return {
    id: post.id,
    urn: `urn:li:activity:${post.id}`,
    author,
    postedAt: post.postedAtMs === null ? null : new Date(post.postedAtMs).toISOString(),
    text: post.text,
    contentType: post.contentType,
    repostOf: post.repostOf,
    reactions: post.reactions.length,
    comments: post.comments.length,
    replies: post.comments.reduce((sum, comment) => sum + comment.replies.length, 0),
    declared: post.declared,
  }
}
