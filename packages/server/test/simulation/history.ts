/**
 * A history: everything that happens to the service's core from one seed. Commands, work in every order, crashes, sleepers, races
 * and jumps of both clocks; then the faults stop, time goes on, and all work must end.
 */
import { createHash } from 'node:crypto'
import { makeDice, type Dice } from './chance.ts'
import { compareBilling, compareDeliveries, findBroken, findLost, fingerprint } from './checks.ts'
import { compareCampaigns, compareChanges, compareSearches } from './feature-checks.ts'
import { drawFeature, featureWeights, themes, type FeatureKind } from './feature-commands.ts'
import { commandWeights, drawCommand, type CommandKind, type SimSource, type SimTeam } from './commands.ts'
import type { Infrastructure } from './infrastructure.ts'
import { Crash, currentTask, makeTask, Race, type Claim, type Task } from './machine.ts'
import { canaryTexts, invent, type Invented } from './network.ts'
import { findCanary, listenFor, teamsThatErased } from './privacy-checks.ts'
import { openLog } from '../../src/platform/log.ts'
import { openPlatform, type InventedPlatform } from './platform.ts'
import { openReceivers, type Receivers } from './receiver.ts'
import {
  isBlocked,
  openCore,
  type Core,
  type ClockTimes,
  type SimPerson,
  type Worker,
  type WorkKind,
} from './service.ts'

/** The result of a seed. */
export type Outcome = {
  readonly seed: number
  readonly steps: number | undefined
  readonly about: keyof typeof themes | undefined
  readonly hash: string
  readonly trace: readonly string[]
  readonly failure: string | null
  readonly counts: Counts
}

export type Counts = {
  steps: number
  worked: number
  crashes: number
  sleepers: number
  overtaken: number
  races: number
  lockWaits: number
  deadlocks: number
  vendorCalls: number
  vendorFailures: number
  received: number
  leads: number
  charges: number
  deliveries: number
  searches: number
  sends: number
  /** Teams that erased a person whose leads they held. */
  erasures: number
}

export type HistoryOptions = {
  readonly steps?: number
  /** Overrides the theme that the seed decides. */
  readonly theme?: keyof typeof themes
}

type Sleeper = { readonly task: Task; readonly done: Promise<void>; readonly worker: Worker | undefined }

class Broken extends Error {}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const start = Date.UTC(2026, 10, 21, 9)
const leaseOver = 91 * second
type Kind = WorkKind | CommandKind | FeatureKind
const stepWeights = { capture: 46, enrichment: 20, enrich_job: 8, delivery: 20, due: 5, renewals: 2, holds: 1 } as const
/** The steps of work that a theme's commands cause, with their weights. */
const featureSteps = { keyword: 26, discover: 22, agent: 8, outreach: 20, export: 8, destination: 14 } as const
const stepsOf: Readonly<Record<keyof typeof themes, readonly (keyof typeof featureSteps)[]>> = {
  tracking: [],
  searches: ['keyword'],
  discover: ['discover'],
  agents: ['keyword', 'discover', 'agent'],
  campaigns: ['keyword', 'outreach'],
  people: [],
  privacy: ['keyword', 'discover', 'outreach', 'export', 'destination'],
  everything: ['keyword', 'discover', 'agent', 'outreach'],
}
const times = (count: number, ...kinds: readonly Kind[]): readonly Kind[] =>
  Array.from({ length: count }, () => kinds).flat()
/** The first steps of a history, which give its theme something to work on. */
const openings: Readonly<Record<keyof typeof themes, readonly Kind[]>> = {
  tracking: [],
  searches: ['search', ...times(4, 'keyword'), 'search', ...times(4, 'keyword', 'capture')],
  discover: ['findPeople', ...times(6, 'discover'), 'findPeople'],
  agents: ['agentSet', 'agentStart', ...times(6, 'discover'), 'agent'],
  campaigns: [...times(8, 'capture'), 'rule', ...times(8, 'enrichment'), 'send', 'outreach', 'send'],
  people: times(3, 'person'),
  privacy: [
    'addDestination',
    ...times(6, 'capture'),
    ...times(4, 'enrichment'),
    'send',
    'makeExport',
    ...times(2, 'export'),
  ],
  everything: ['search', 'findPeople', 'agentSet', 'rule', ...times(3, 'keyword', 'discover')],
}
const racing: readonly (readonly Kind[])[] = [
  ['capture', 'capture'],
  ['capture', 'enrichment'],
  ['capture', 'enrichment'],
  ['capture', 'untrack'],
  ['capture', 'enrich_job'],
  ['capture', 'topup'],
  ['capture', 'standing'],
  ['capture', 'webhook'],
  ['enrichment', 'enrichment'],
  ['enrichment', 'untrack'],
  ['enrichment', 'enrich_job'],
  ['enrichment', 'webhook'],
  ['delivery', 'webhook'],
  ['delivery', 'delivery'],
  ['delivery', 'untrack'],
  ['enrich_job', 'enrich_job'],
  ['track', 'track'],
  ['sync', 'due'],
  ['track', 'due'],
  ['due', 'due'],
  ['renewals', 'capture'],
  ['buy', 'renewals'],
  ['buy', 'capture'],
  ['buy', 'buy'],
  ['buy', 'holds'],
  ['buy', 'topup'],
  ['capture', 'enrichment', 'delivery'],
  ['capture', 'capture', 'enrichment'],
  ['keyword', 'keyword'],
  ['keyword', 'capture'],
  ['keyword', 'untrack'],
  ['keyword', 'editSearch'],
  ['keyword', 'key'],
  ['keyword', 'topup'],
  ['search', 'search'],
  ['search', 'due'],
  ['discover', 'discover'],
  ['discover', 'capture'],
  ['discover', 'forget'],
  ['discover', 'enrichment'],
  ['discover', 'topup'],
  ['agentStart', 'agentStart'],
  ['agentStart', 'agentStop'],
  ['agentStart', 'standing'],
  ['agent', 'agentStop'],
  ['agent', 'agent'],
  ['agent', 'track'],
  ['outreach', 'outreach'],
  ['outreach', 'send'],
  ['outreach', 'rule'],
  ['outreach', 'key'],
  ['outreach', 'untrack'],
  ['send', 'send'],
  ['rule', 'enrichment'],
  ['person', 'person'],
  ['person', 'person', 'person'],
  ['erase', 'erase'],
  ['erase', 'capture'],
  ['erase', 'enrichment'],
  ['erase', 'delivery'],
  ['erase', 'keyword'],
  ['erase', 'discover'],
  ['erase', 'outreach'],
  ['erase', 'send'],
  ['erase', 'sendByName'],
  ['erase', 'export'],
  ['erase', 'destination'],
  ['erase', 'makeExport'],
  ['erase', 'exclude'],
  ['erase', 'result'],
  ['erase', 'track'],
  ['erase', 'enrich'],
  ['erase', 'enrich_job'],
  ['erase', 'searchAbout'],
  ['erase', 'untrack'],
  ['erase', 'rule'],
]

class History {
  readonly trace: string[] = []
  readonly counts: Counts = {
    steps: 0,
    worked: 0,
    crashes: 0,
    sleepers: 0,
    overtaken: 0,
    races: 0,
    lockWaits: 0,
    deadlocks: 0,
    vendorCalls: 0,
    vendorFailures: 0,
    received: 0,
    leads: 0,
    charges: 0,
    deliveries: 0,
    searches: 0,
    sends: 0,
    erasures: 0,
  }
  private readonly infrastructure: Infrastructure
  private readonly dice: Dice
  private readonly bounds: Dice
  private readonly clockTimes: ClockTimes = { serviceMs: start, systemMs: start }
  private readonly invented: Invented
  private readonly receivers: Receivers
  private readonly outreach: InventedPlatform
  private readonly theme: keyof typeof themes
  private readonly steps: Readonly<Record<string, number>>
  private readonly commands: Readonly<Record<string, number>>
  private readonly people: SimPerson[] = []
  private readonly accepted = new Set<string>()
  private readonly logged = listenFor(canaryTexts)
  private readonly untracked = new Set<string>()
  private readonly core: Core
  private readonly teams: SimTeam[] = []
  private readonly workers: Worker[] = []
  private looker!: Worker
  private readonly sleepers: Sleeper[] = []
  private readonly lastClaims = new Map<string, Task>()
  private readonly judged = new Set<string>()
  private readonly mood: { crash: number; park: number; race: number }
  private failure: string | null = null
  private tasks = 0
  private quiet = false
  private lastTasks: Task[] = []

  constructor(infrastructure: Infrastructure, seed: number, options: HistoryOptions) {
    this.infrastructure = infrastructure
    this.dice = makeDice(seed)
    // A separate stream, so that drawing a history's bounds does not change the rest of it.
    this.bounds = makeDice(seed + 2 ** 33)
    const { dice, clockTimes } = this
    this.invented = invent(dice.fork(), start, () => clockTimes.serviceMs)
    this.receivers = openReceivers(dice.fork())
    this.outreach = openPlatform(dice.fork())
    this.theme =
      options.theme ??
      dice.weighted({
        tracking: 7,
        searches: 3,
        discover: 2,
        agents: 2,
        campaigns: 3,
        people: 2,
        everything: 3,
        privacy: 3,
      })
    const often = this.theme === 'everything' ? 1 : 4
    this.steps = { ...stepWeights, ...chosen(featureSteps, stepsOf[this.theme], 1) }
    this.commands = { ...commandWeights, ...chosen(featureWeights, themes[this.theme], often) }
    this.core = openCore({
      pool: infrastructure.pool,
      dice: dice.fork(),
      clockTimes,
      invented: this.invented,
      receivers: this.receivers,
      outreach: this.outreach,
      log: openLog('debug', this.logged.stream),
      ample: this.bounds.pick([null, 1, 4, 12]),
    })
    this.mood = { crash: dice.pick([0, 0.1, 0.2]), park: dice.pick([0, 0.08, 0.15]), race: dice.pick([0, 0.2, 0.45]) }
    this.invented.failing = dice.pick([0, 0.05, 0.2])
    this.receivers.failing = dice.pick([0, 0.2, 0.6])
    this.outreach.failing = dice.pick([0, 0.2, 0.5])
  }

  private note(line: string): void {
    this.trace.push(
      `${String(this.trace.length).padStart(3)} ${new Date(this.clockTimes.serviceMs).toISOString().slice(5, 19)} ${line}`,
    )
  }

  private broken(what: string): never {
    throw new Broken(what)
  }

  async open(): Promise<void> {
    await this.infrastructure.empty()
    for (const name of ['w1', 'w2', 'w3']) this.workers.push(this.core.worker(name))
    this.looker = this.core.worker('looker')
    for (let n = this.dice.pick([1, 1, 2, 3]); n > 0; n--) {
      const trial = this.dice.random(0.25)
      const allowance = this.dice.pick([0, 3, 10, 25, 60, 1_000])
      const name = `team${n}`
      const bound = {
        keywordDailyCeiling: this.bounds.random(0.4) ? this.bounds.int(1, 12) : undefined,
        leadCap: this.bounds.random(0.2) ? this.bounds.int(0, 25) : undefined,
      }
      const id = await this.core.openTeam({
        name,
        allowance,
        status: trial ? 'trial' : 'active',
        ...(trial ? { trialEndsAt: new Date(start + this.dice.int(2, 20) * day) } : {}),
        ...bound,
      })
      this.teams.push({ id, name, hooks: 2 })
      if (this.theme !== 'tracking')
        for (const kind of ['openai', 'outreach'] as const) await this.core.setKey(id, kind, `key-${name}-${kind}`)
      this.note(`${name} ${trial ? 'trial' : 'active'} with ${allowance} ${JSON.stringify(bound)}`)
    }
    this.note(`about ${this.theme}`)
    if (!('person' in this.commands)) return
    // The second address is the first one in another spelling.
    for (const [at, email] of ['ann@example.com', 'ann+two@example.com', 'bob@example.com'].entries()) {
      const person = { id: `person-${at}`, email }
      this.people.push(person)
      const roles = ['owner', null, 'member'] as const
      const role = roles[at] ?? null
      await this.core.openPerson(person, role && { teamId: this.teams[0]!.id, role })
    }
  }

  /** Runs work as a task; the promise settles with the task and never rejects. */
  private begin(task: Task, work: () => Promise<string>): Promise<void> {
    this.lastTasks = [...this.lastTasks.slice(-5), task]
    task.onClaim = (claim) => this.lastClaims.set(keyOf(claim), task)
    return currentTask.run(task, async () => {
      try {
        const outcome = await work()
        if (outcome === 'worked') this.counts.worked += 1
        this.note(`${task.name} -> ${task.dead ? 'died and did not notice' : outcome}`)
      } catch (error) {
        if (task.dead || error instanceof Crash) {
          this.note(`${task.name} -> ${error instanceof Crash ? error.message.replace(`${task.name} `, '') : 'died'}`)
        } else {
          this.note(`${task.name} -> threw ${error instanceof Error ? error.message : String(error)}`)
          const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
          this.failure ??= `${task.name} threw: ${told.split('\n').slice(0, 9).join('\n')}`
        }
      }
    })
  }

  /** Replaces the worker of a dead task by one with a new id: everything that ran in the process is gone. */
  private bury(task: Task, worker: Worker | undefined): void {
    if (!task.dead) return
    this.counts.crashes += 1
    const at = worker ? this.workers.indexOf(worker) : -1
    if (at >= 0) this.workers[at] = this.core.worker(worker!.name)
  }

  private fate(task: Task): void {
    if (this.quiet) return
    const { dice, mood } = this
    if (dice.random(mood.crash))
      task.crash = dice.random(0.4) ? { at: 'fault', left: dice.int(1, 6) } : { at: 'any', left: dice.int(1, 45) }
    else if (this.sleepers.length < 2 && dice.random(mood.park)) task.park = { left: dice.int(1, 9) }
  }

  private free(): Worker[] {
    return this.workers.filter((worker) => !this.sleepers.some((sleeper) => sleeper.worker === worker))
  }

  private async sources(team: SimTeam): Promise<SimSource[]> {
    const { rows } = await this.infrastructure.pool.query<SimSource>(
      'select id, type, username, status from source where team_id = $1 order by id',
      [team.id],
    )
    return rows
  }

  private async ids(table: 'discover_run' | 'lead', team: SimTeam): Promise<string[]> {
    const { rows } = await this.infrastructure.pool.query<{ id: string }>(
      `select id from ${table} where team_id = $1 ${table === 'lead' ? "and enrichment = 'completed'" : ''} order by id limit 20`,
      [team.id],
    )
    return rows.map(({ id }) => id)
  }

  private async draw(
    kind: Kind,
    team: SimTeam,
    free: Worker[],
  ): Promise<{ task: Task; worker: Worker | undefined; work: () => Promise<string> }> {
    const number = ++this.tasks
    if (isStep(kind)) {
      const worker = free.shift()!
      return { task: makeTask(`${kind}@${worker.name}#${number}`), worker, work: worker.steps[kind] }
    }
    const sources = await this.sources(team)
    const feature =
      kind in featureWeights
        ? drawFeature(kind as FeatureKind, {
            core: this.core,
            dice: this.dice,
            invented: this.invented,
            team: kind === 'person' ? this.teams[0]! : team,
            sources,
            people: this.people,
            campaigns: this.outreach.campaigns,
            runs: kind === 'forget' ? await this.ids('discover_run', team) : [],
            leads: kind === 'send' ? await this.ids('lead', team) : [],
            accepted: this.accepted,
          })
        : null
    const command =
      feature ??
      drawCommand({
        core: this.core,
        dice: this.dice,
        clockTimes: this.clockTimes,
        invented: this.invented,
        team,
        sources,
        kind: kind in featureWeights ? 'read' : (kind as CommandKind),
        serial: number,
      })
    if (['untrack', 'agentStart', 'agentStop', 'standing', 'erase'].includes(kind))
      for (const { id } of sources) this.untracked.add(id)
    return { task: makeTask(`${command.name}#${number}`), worker: undefined, work: command.run }
  }

  private async alone(kind: Kind, worker?: Worker, park?: number): Promise<'worked' | 'idle'> {
    while (!worker && this.free().length === 0) await this.wake(this.sleepers[0]!)
    const {
      task,
      worker: by,
      work,
    } = await this.draw(kind, this.dice.pick(this.teams), worker ? [worker] : [this.dice.pick(this.free())])
    if (park === undefined) this.fate(task)
    else task.park = { left: park }
    let result = ''
    const asleep = new Promise<'asleep'>((resolve) => {
      task.onParked = () => resolve('asleep')
    })
    const done = this.begin(task, async () => (result = await work()))
    if ((await Promise.race([done, asleep])) === 'asleep') this.putToBed({ task, done, worker: by })
    else this.bury(task, by)
    return result === 'idle' ? 'idle' : 'worked'
  }

  private putToBed(sleeper: Sleeper): void {
    this.note(`${sleeper.task.name} -> asleep after ${sleeper.task.places.at(-2) ?? ''}`)
    this.counts.sleepers += 1
    this.sleepers.push(sleeper)
  }

  /** Wakes a sleeper; if another worker has taken its lease, it must write nothing. */
  private async wake(sleeper: Sleeper): Promise<void> {
    this.sleepers.splice(this.sleepers.indexOf(sleeper), 1)
    const { task, done, worker } = sleeper
    const overtaken = await this.isOvertaken(task)
    this.note(`${task.name} wakes up${overtaken ? ', overtaken' : ''}`)
    if (overtaken) this.counts.overtaken += 1
    const { rows } = await this.infrastructure.pool.query<{ due: boolean }>(
      'select exists (select 1 from credit_account where period_end <= $1) as due',
      [new Date(this.clockTimes.serviceMs)],
    )
    const before = overtaken ? await fingerprint(this.infrastructure.db) : {}
    task.resume!()
    await done
    this.bury(task, worker)
    if (!overtaken) return
    const after = await fingerprint(this.infrastructure.db)
    // A batch has its own fence: a worker that lost the auto-push may still record the result for the people it claimed.
    const mayWrite = (table: string) =>
      (rows[0]!.due && table.startsWith('credit_')) ||
      (task.claim?.table === 'outreach_rule' && table.startsWith('outreach_'))
    const changed = Object.keys(before).filter((table) => before[table] !== after[table] && !mayWrite(table))
    if (changed.length > 0)
      this.broken(`${task.name} was overtaken while it slept and wrote to ${changed.join(', ')} all the same`)
  }

  /** Puts a worker to sleep until its lease expires, lets another take the work, and wakes the first. */
  private async overtake(): Promise<void> {
    const due = await this.due()
    const about: readonly Kind[] = this.theme === 'tracking' ? ['enrichment'] : stepsOf[this.theme]
    const kinds = (
      ['capture', 'capture', 'keyword', 'enrichment', 'enrich_job', 'delivery', 'discover', 'outreach'] as const
    )
      .filter((kind) => due[kind]! > 0)
      // Mostly work of the history's theme.
      .flatMap((kind) => times(about.includes(kind) ? 5 : 1, kind))
    const [worker, other] = this.free()
    if (kinds.length === 0 || !worker || !other) return
    const kind = this.dice.pick(kinds)
    const { task, work } = await this.draw(kind, this.teams[0]!, [worker])
    // Steps of the theme are long, and their last decisions follow calls to other systems.
    task.park = { left: about.includes(kind) ? this.dice.int(3, 24) : this.dice.int(3, 6) }
    const asleep = new Promise<'asleep'>((resolve) => {
      task.onParked = () => resolve('asleep')
    })
    const done = this.begin(task, work)
    if ((await Promise.race([done, asleep])) !== 'asleep') return
    const sleeper = { task, done, worker }
    this.putToBed(sleeper)
    this.clockTimes.systemMs += leaseOver
    for (let n = this.dice.int(1, 3); n > 0 && this.free().includes(other); n--)
      await this.alone(kind, other, this.dice.random(0.4) ? this.dice.int(3, 5) : undefined)
    if (this.dice.random(0.8)) await this.wake(sleeper)
  }

  private async isOvertaken(task: Task): Promise<boolean> {
    const { claim } = task
    if (!claim) return false
    if (this.lastClaims.get(keyOf(claim)) !== task) return true
    const columns = { enrichment_task: 'person_urn', outreach_rule: 'owner_id' }
    const column = columns[claim.table as keyof typeof columns] ?? 'id'
    const ended = ['job', 'discover_run', 'outreach_batch'].includes(claim.table) ? 'finished_at is not null' : 'false'
    const { rows } = await this.infrastructure.pool.query<{ fence: number; ended: boolean }>(
      `select fence, ${ended} as ended from ${claim.table} where team_id = $1 and ${column} = $2`,
      [claim.teamId, claim.id],
    )
    return rows[0] === undefined || rows[0].fence !== claim.fence || rows[0].ended
  }

  private async race(): Promise<void> {
    const due = await this.due()
    // Two tasks that find nothing to do cannot race.
    const meeting = racing.filter((kinds) =>
      kinds.every(
        (kind) =>
          (kind in this.steps || kind in this.commands) &&
          (due[kind] ?? 9) >= kinds.filter((each) => each === kind).length,
      ),
    )
    const kinds = this.dice.random(0.85)
      ? this.dice.pick(meeting)
      : ([this.dice.weighted(this.steps), this.dice.weighted(this.commands)] as Kind[])
    const free = this.free()
    const race = new Race(this.dice, (pid) => isBlocked(this.infrastructure.pool, pid))
    const team = this.dice.pick(this.teams)
    const members: {
      task: Task
      worker: Worker | undefined
      done: Promise<void>
      start: () => Promise<void>
      asleep: boolean
    }[] = []
    for (const kind of kinds) {
      if (isStep(kind) && free.length === 0) continue
      const { task, worker, work } = await this.draw(kind, team, free)
      this.fate(task)
      const member = {
        task,
        worker,
        done: Promise.resolve(),
        asleep: false,
        start: (): Promise<void> => (member.done = this.begin(task, work)),
      }
      task.onParked = () => {
        member.asleep = true
      }
      members.push(member)
    }
    this.note(`race of ${members.map(({ task }) => task.name).join(' and ')}`)
    await race.run(members)
    this.counts.races += 1
    this.counts.lockWaits += race.waits
    this.counts.deadlocks += race.deadlocks
    if (race.deadlocks > 0) {
      const places = members.map(({ task }) => `      ${task.name}: ${task.places.join(' | ')}`)
      this.failure ??= `a deadlock, which the unit of work tries again: rows are locked out of order\n${places.join('\n')}`
    }
    for (const { task, worker, done, asleep } of members) {
      if (asleep && task.resume) this.putToBed({ task, done, worker })
      else this.bury(task, worker)
    }
  }

  private async due(): Promise<Partial<Record<Kind, number>>> {
    const now = new Date(this.clockTimes.serviceMs)
    const { rows } = await this.infrastructure.pool.query<Record<string, number>>(
      `select (select count(*) from sync where finished_at is null and lane = 'capture' and due_at <= $1
        and coalesce(lease_until_ms, 0) < $2) as capture,
        (select count(*) from sync
          where finished_at is null and lane = 'keyword' and due_at <= $1
          and coalesce(lease_until_ms, 0) < $2) as keyword,
        (select count(*) from discover_run where finished_at is null and due_at <= $1 and coalesce(lease_until_ms, 0) < $2) as discover,
        (select count(*) from outreach_rule r where state = 'active' and due_at <= $1 and coalesce(lease_until_ms, 0) < $2
          and exists (select 1 from outreach_queue q where q.team_id = r.team_id and q.owner_id = r.owner_id and q.due_at <= $1))
          + (select count(*) from outreach_batch where state = 'uncertain' and due_at <= $1
            and coalesce(lease_until_ms, 0) < $2) as outreach,
        (select count(*) from enrichment_task where due_at <= $1 and coalesce(lease_until_ms, 0) < $2) as enrichment,
        (select count(*) from job where finished_at is null and due_at <= $1 and coalesce(lease_until_ms, 0) < $2) as enrich_job,
        (select count(*) from delivery d
          where state = 'pending' and due_at <= $1 and coalesce(lease_until_ms, 0) < $2) as delivery`,
      [now, this.clockTimes.systemMs],
    )
    return rows[0]!
  }

  private jump(): void {
    const { dice, clockTimes } = this
    const amount = dice.weighted({ second: 3, minute: 4, hour: 4, day: 5, week: 2, month: 2 })
    const by = {
      second: dice.int(1, 59) * second,
      minute: dice.int(1, 59) * minute,
      hour: dice.int(1, 23) * hour,
      day: day + dice.int(0, 3) * hour,
      week: dice.int(2, 9) * day,
      month: dice.int(28, 40) * day,
    }[amount]
    clockTimes.serviceMs += by
    clockTimes.systemMs += dice.pick([0, second, 30 * second, leaseOver, leaseOver, 10 * minute])
    this.note(`time: ${amount}, system ${((clockTimes.systemMs - start) / second).toFixed(0)} s`)
  }

  private async burst(): Promise<void> {
    const kind = this.dice.weighted(this.steps) as Kind
    for (let n = this.dice.int(3, 10); n > 0 && this.failure === null; n--) {
      if (this.free().length === 0 || (await this.alone(kind)) === 'idle') return
    }
  }

  private async act(): Promise<void> {
    const { dice } = this
    const kinds = {
      command: this.theme === 'tracking' ? 22 : 34,
      step: 26,
      burst: 26,
      jump: 12,
      race: this.mood.race * 100,
      overtake: this.mood.park * 60,
      wake: this.sleepers.length > 0 ? 9 : 0,
    }
    switch (dice.weighted(kinds)) {
      case 'command':
        await this.alone(dice.weighted(this.commands) as Kind)
        return
      case 'step':
        await this.alone(dice.weighted(this.steps) as Kind)
        return
      case 'burst':
        return this.burst()
      case 'jump':
        return this.jump()
      case 'race':
        return this.race()
      case 'overtake':
        return this.overtake()
      case 'wake':
        return this.wake(dice.pick(this.sleepers))
    }
  }

  private async check(): Promise<void> {
    if (this.failure !== null) this.broken(this.failure)
    // Without a row in `service_clock`, checks that ask for the time would find nothing wrong.
    await this.infrastructure.pool.query(
      'insert into service_clock (only_row, now) values (true, $1) on conflict (only_row) do update set now = excluded.now',
      [new Date(this.clockTimes.serviceMs)],
    )
    // Releases expired holds first, as the clock does within half a minute.
    await this.looker.steps.holds()
    const wrong = await findBroken(this.infrastructure.db)
    if (wrong.length > 0) this.broken(wrong.join('\n'))
  }

  async live(steps: number): Promise<void> {
    for (const kind of ['track', 'track', 'webhook', 'track', 'webhook'] as const) await this.alone(kind)
    for (const kind of openings[this.theme]) await this.alone(kind)
    for (let step = 1; step <= steps; step++) {
      this.counts.steps += 1
      await this.act()
      if (this.failure !== null || step % 6 === 0) await this.check()
    }
  }

  async end(): Promise<void> {
    this.quiet = true
    this.invented.failing = 0
    this.invented.frozenAtMs = this.clockTimes.serviceMs
    this.receivers.failing = 0
    this.outreach.failing = 0
    this.note('the faults stop')
    while (this.sleepers.length > 0) await this.wake(this.sleepers[0]!)
    for (const team of this.teams) await this.core.changeTeam(team.id, { status: 'active' })
    let steps = 0
    for (let hop = 0; ; hop++) {
      this.clockTimes.systemMs += leaseOver
      for (let found = true; found; ) {
        found = false
        for (const kind of Object.keys(this.steps).filter((each) => each !== 'due') as Kind[]) {
          while ((await this.alone(kind, this.workers[0]!)) === 'worked' && this.failure === null) {
            found = true
            if (++steps > 1_500)
              this.broken(`after 1,500 units of work there is still ${kind} to do: it goes round in circles`)
          }
          if (this.failure !== null) this.broken(this.failure)
        }
      }
      const open = await this.outstanding()
      if (open.count === 0) break
      if (hop >= 40) this.broken(`the faults have stopped and ${open.what} does not end`)
      this.clockTimes.serviceMs = Math.max(this.clockTimes.serviceMs, open.dueMs)
    }
    await this.check()
    const erasedIn = await teamsThatErased(this.infrastructure.pool)
    const wrong = [
      ...(await findLost(this.infrastructure.db, { invented: this.invented, seen: this.judged, erasedIn })),
      ...(await compareBilling(this.infrastructure.db, this.core.readPosts.told)),
      ...(await compareDeliveries(this.infrastructure.db, { received: this.receivers.received, erasedIn })),
      ...(await compareSearches(this.infrastructure.db, { invented: this.invented, erasedIn })),
      ...(await findCanary(this.infrastructure.pool, { erasedIn, logged: this.logged.lines })),
      ...(await compareCampaigns(this.infrastructure.db, {
        platform: this.outreach,
        untracked: this.untracked,
        erasedIn,
      })),
      ...(await compareChanges(this.infrastructure.db, this.core.changes)),
    ]
    if (wrong.length > 0) this.broken(wrong.join('\n'))
  }

  private async outstanding(): Promise<{ count: number; dueMs: number; what: string }> {
    const { rows } = await this.infrastructure.pool.query<{ what: string; count: number; due: Date | null }>(`
      select 'a run' as what, count(*) as count, min(due_at) as due from sync where finished_at is null
      union all select 'a job', count(*), min(due_at) from job where finished_at is null
      union all select 'the enrichment of a person', count(*), min(due_at) from enrichment_task
      union all select 'a waiting lead', count(*), null from lead where enrichment in ('pending', 'processing')
      union all select 'a delivery', count(*), min(due_at) from delivery where state = 'pending'
      union all select 'what is held for a read', count(*), min(expires_at) from credit_hold
      union all select 'a search for people', count(*), min(due_at) from discover_run where finished_at is null
      union all select 'a call to a campaign', count(*), min(due_at) from outreach_batch where state <> 'settled'
      union all select 'somebody to be sent to a campaign', count(*), min(greatest(q.due_at, r.due_at))
        from outreach_queue q join outreach_rule r on r.team_id = q.team_id and r.owner_id = q.owner_id
        where r.state = 'active'
      union all select 'a file of leads', count(*), min(due_at) from lead_export where state = 'running'
      union all select 'a delivery to a destination', count(*), min(d.due_at)
        from destination_delivery w join destination d on d.team_id = w.team_id and d.id = w.destination_id
        where w.state = 'waiting' and d.active and d.paused_reason is null
      union all select 'an agent whose people were found', count(*), min(coalesce(a.follow_due_at, a.launched_at))
        from agent a join discover_run d on d.team_id = a.team_id and d.id = a.discover_run
        where a.status = 'active' and not a.people_added and d.finished_at is not null and d.deleted_at is null`)
    const open = rows.filter((row) => row.count > 0)
    return {
      count: open.reduce((sum, row) => sum + row.count, 0),
      dueMs: Math.min(
        ...open.map((row) => row.due?.getTime() ?? Number.POSITIVE_INFINITY).filter(Number.isFinite),
        Number.MAX_SAFE_INTEGER,
      ),
      what: open.map((row) => row.what).join(' and '),
    }
  }

  async count(): Promise<void> {
    const { counts } = this
    counts.vendorCalls = this.invented.calls.answered
    counts.vendorFailures = this.invented.calls.failed
    counts.received = this.receivers.received.length
    const { rows } = await this.infrastructure.pool.query<Partial<Counts>>(
      `select (select count(*) from lead) as leads,
        (select count(*) from credit_entry where kind = 'charge') as charges,
        (select count(*) from delivery) as deliveries,
        (select count(*) from sync y join source s on s.team_id = y.team_id and s.id = y.source_id
          where s.type = 'keyword') + (select count(*) from discover_run) as searches,
        (select count(*) from outreach_send where state = 'sent') as sends,
        (select count(*) from erasure where counts->>'leads' <> '0') as erasures`,
    )
    Object.assign(counts, rows[0]!)
  }

  places(): string[] {
    return this.lastTasks.slice(-3).map((task) => `${task.name}: ${task.places.slice(-14).join(' | ')}`)
  }

  async abandon(): Promise<void> {
    for (const { task, done } of this.sleepers.splice(0)) {
      task.dead = true
      task.resume?.()
      await done
    }
  }
}

const isStep = (kind: Kind): kind is WorkKind => kind in stepWeights || kind in featureSteps

const chosen = (weights: Readonly<Record<string, number>>, names: readonly string[], times: number) =>
  Object.fromEntries(
    Object.entries(weights).flatMap(([name, weight]) => (names.includes(name) ? [[name, weight * times]] : [])),
  ) as Record<string, number>

const keyOf = (claim: Claim): string => `${claim.table} ${claim.teamId} ${claim.id}`

/** Runs one seed; a failure of the service is in the outcome, never thrown. */
export async function simulate(
  infrastructure: Infrastructure,
  seed: number,
  options: HistoryOptions = {},
): Promise<Outcome> {
  const history = new History(infrastructure, seed, options)
  let failure: string | null = null
  try {
    await history.open()
    await history.live(options.steps ?? 12 + (seed % 5) * 10)
    await history.end()
  } catch (error) {
    const text =
      error instanceof Broken ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
    failure = `${text}\n${history.places().join('\n')}`
    await history.abandon()
  }
  await history.count()
  return {
    seed,
    steps: options.steps,
    about: options.theme,
    hash: createHash('sha256').update(history.trace.join('\n')).digest('hex').slice(0, 16),
    trace: history.trace,
    failure,
    counts: history.counts,
  }
}

/** The report of a failed seed: what was wrong, the last steps, and the command that replays it. */
export function report(outcome: Outcome, last = 14): string {
  return [
    `seed ${outcome.seed} failed at step ${outcome.counts.steps}:`,
    outcome.failure ?? '',
    'last steps:',
    ...outcome.trace.slice(-last),
    [
      `replay: npm run simulate -- --seed ${outcome.seed}`,
      ...(outcome.steps === undefined ? [] : [`--steps ${outcome.steps}`]),
      ...(outcome.about === undefined ? [] : [`--theme ${outcome.about}`]),
      '--trace',
    ].join(' '),
  ].join('\n')
}
