/**
 * A history: what happens to the core of the service from one seed. Commands, work in every order, crashes, sleepers, races and
 * jumps of both clocks; then the faults stop, time goes on, and everything that was begun must end.
 */
import { createHash } from 'node:crypto'
import { makeDice, type Dice } from './chance.ts'
import { compareBilling, compareDeliveries, findBroken, findLost, fingerprint } from './checks.ts'
import { commandWeights, drawCommand, type CommandKind, type SimSource, type SimTeam } from './commands.ts'
import type { Infrastructure } from './ground.ts'
import { Crash, currentTask, makeTask, Race, type Claim, type Task } from './machine.ts'
import { invent, type Invented } from './network.ts'
import { openReceivers, type Receivers } from './receiver.ts'
import { isBlocked, openCore, type Core, type Hands, type Seams, type Worker, type WorkKind } from './service.ts'

/** What came of a seed. */
export type Outcome = {
  readonly seed: number
  /** Equal for equal histories. */
  readonly hash: string
  readonly trace: readonly string[]
  /** What was wrong, or null. */
  readonly failure: string | null
  readonly counts: Counts
}

/** What happened how often. */
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
}

/** How a history is run. */
export type HistoryOptions = { readonly steps?: number; readonly seams?: Seams; readonly checkEvery?: number }

type Sleeper = { readonly task: Task; readonly done: Promise<void>; readonly worker: Worker | undefined }

class Broken extends Error {}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const start = Date.UTC(2026, 10, 21, 9)
const leaseOver = 61 * second
const stepWeights = { capture: 46, enrichment: 20, enrich_job: 8, delivery: 20, due: 5, renewals: 2 } as const
const racing: readonly (readonly (WorkKind | CommandKind)[])[] = [
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
  ['capture', 'enrichment', 'delivery'],
  ['capture', 'capture', 'enrichment'],
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
  }
  private readonly infrastructure: Infrastructure
  private readonly dice: Dice
  private readonly hands: Hands = { serviceMs: start, systemMs: start }
  private readonly invented: Invented
  private readonly receivers: Receivers
  private readonly core: Core
  private readonly teams: SimTeam[] = []
  private readonly workers: Worker[] = []
  private readonly sleepers: Sleeper[] = []
  private readonly lastClaims = new Map<string, Task>()
  private readonly judged = new Set<string>()
  private readonly mood: { crash: number; park: number; race: number }
  private readonly checkEvery: number
  private failure: string | null = null
  private tasks = 0
  private quiet = false
  private lastTasks: Task[] = []

  constructor(infrastructure: Infrastructure, seed: number, options: HistoryOptions) {
    this.infrastructure = infrastructure
    this.dice = makeDice(seed)
    const { dice, hands } = this
    this.invented = invent(dice.fork(), start, () => hands.serviceMs)
    this.receivers = openReceivers(dice.fork())
    this.core = openCore({
      pool: infrastructure.pool,
      dice: dice.fork(),
      hands,
      invented: this.invented,
      receivers: this.receivers,
      seams: options.seams ?? {},
    })
    this.mood = { crash: dice.pick([0, 0.1, 0.2]), park: dice.pick([0, 0.08, 0.15]), race: dice.pick([0, 0.2, 0.45]) }
    this.invented.failing = dice.pick([0, 0.05, 0.2])
    this.receivers.failing = dice.pick([0, 0.2, 0.6])
    this.checkEvery = options.checkEvery ?? 6
  }

  private note(line: string): void {
    this.trace.push(
      `${String(this.trace.length).padStart(3)} ${new Date(this.hands.serviceMs).toISOString().slice(5, 19)} ${line}`,
    )
  }

  private broken(what: string): never {
    throw new Broken(what)
  }

  async open(): Promise<void> {
    await this.infrastructure.empty()
    for (const name of ['w1', 'w2', 'w3']) this.workers.push(this.core.worker(name))
    for (let n = this.dice.pick([1, 1, 2, 3]); n > 0; n--) {
      const trial = this.dice.random(0.25)
      const allowance = this.dice.pick([0, 3, 10, 25, 60, 1_000])
      const name = `team${n}`
      const id = await this.core.openTeam({
        name,
        allowance,
        status: trial ? 'trial' : 'active',
        ...(trial ? { trialEndsAt: new Date(start + this.dice.int(2, 20) * day) } : {}),
      })
      this.teams.push({ id, name, hooks: 2 })
      this.note(`${name} ${trial ? 'trial' : 'active'} with ${allowance}`)
    }
  }

  /** Runs work as a task; the promise ends with the task and never rejects. */
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
          this.failure ??= `${task.name} threw: ${error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 9).join('\n') : String(error)}`
        }
      }
    })
  }

  /** Whatever worked in a process that died is gone: another process comes, with another id. */
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

  private async draw(
    kind: WorkKind | CommandKind,
    team: SimTeam,
    free: Worker[],
  ): Promise<{ task: Task; worker: Worker | undefined; work: () => Promise<string> }> {
    const number = ++this.tasks
    if (kind in stepWeights) {
      const worker = free.shift()!
      return { task: makeTask(`${kind}@${worker.name}#${number}`), worker, work: worker.steps[kind as WorkKind] }
    }
    const command = drawCommand({
      core: this.core,
      dice: this.dice,
      hands: this.hands,
      invented: this.invented,
      team,
      sources: await this.sources(team),
      kind: kind as CommandKind,
      serial: number,
    })
    return { task: makeTask(`${command.name}#${number}`), worker: undefined, work: command.run }
  }

  /** Runs one thing until it ends, dies or falls asleep. */
  private async alone(kind: WorkKind | CommandKind, worker?: Worker, park?: number): Promise<'worked' | 'idle'> {
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

  /** Wakes a sleeper; one that has been overtaken must write nothing. */
  private async wake(sleeper: Sleeper): Promise<void> {
    this.sleepers.splice(this.sleepers.indexOf(sleeper), 1)
    const { task, done, worker } = sleeper
    const overtaken = await this.isOvertaken(task)
    this.note(`${task.name} wakes up${overtaken ? ', overtaken' : ''}`)
    if (overtaken) this.counts.overtaken += 1
    const { rows } = await this.infrastructure.pool.query<{ due: boolean }>(
      'select exists (select 1 from credit_account where period_end <= $1) as due',
      [new Date(this.hands.serviceMs)],
    )
    const before = overtaken ? await fingerprint(this.infrastructure.db) : {}
    task.resume!()
    await done
    this.bury(task, worker)
    if (!overtaken) return
    const after = await fingerprint(this.infrastructure.db)
    const changed = Object.keys(before).filter(
      (table) => before[table] !== after[table] && !(rows[0]!.due && table.startsWith('credit_')),
    )
    if (changed.length > 0)
      this.broken(`${task.name} was overtaken while it slept and wrote to ${changed.join(', ')} all the same`)
  }

  /** A worker falls asleep over its work until its lease is over; another takes the work; then the first one wakes up. */
  private async overtake(): Promise<void> {
    const due = await this.due()
    const kinds = (['capture', 'capture', 'enrichment', 'enrich_job', 'delivery'] as const).filter(
      (kind) => due[kind]! > 0,
    )
    const [worker, other] = this.free()
    if (kinds.length === 0 || !worker || !other) return
    const kind = this.dice.pick(kinds)
    const { task, work } = await this.draw(kind, this.teams[0]!, [worker])
    task.park = { left: this.dice.int(3, 6) }
    const asleep = new Promise<'asleep'>((resolve) => {
      task.onParked = () => resolve('asleep')
    })
    const done = this.begin(task, work)
    if ((await Promise.race([done, asleep])) !== 'asleep') return
    const sleeper = { task, done, worker }
    this.putToBed(sleeper)
    this.hands.systemMs += leaseOver
    for (let n = this.dice.int(1, 3); n > 0 && this.free().includes(other); n--)
      await this.alone(kind, other, this.dice.random(0.4) ? this.dice.int(3, 5) : undefined)
    if (this.dice.random(0.8)) await this.wake(sleeper)
  }

  private async isOvertaken(task: Task): Promise<boolean> {
    const { claim } = task
    if (!claim) return false
    if (this.lastClaims.get(keyOf(claim)) !== task) return true
    const column = claim.table === 'enrichment_task' ? 'person_urn' : 'id'
    const ended = claim.table === 'job' ? 'finished_at is not null' : 'false'
    const { rows } = await this.infrastructure.pool.query<{ fence: number; ended: boolean }>(
      `select fence, ${ended} as ended from ${claim.table} where team_id = $1 and ${column} = $2`,
      [claim.teamId, claim.id],
    )
    return rows[0] === undefined || rows[0].fence !== claim.fence || rows[0].ended
  }

  private async race(): Promise<void> {
    const due = await this.due()
    // Two that find nothing to do cannot meet.
    const meeting = racing.filter((kinds) =>
      kinds.every((kind) => (due[kind] ?? 9) >= kinds.filter((each) => each === kind).length),
    )
    const kinds = this.dice.random(0.85)
      ? this.dice.pick(meeting)
      : [this.dice.weighted(stepWeights), this.dice.weighted(commandWeights)]
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
      if (kind in stepWeights && free.length === 0) continue
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
    if (race.deadlocks > 0)
      this.note(`deadlock\n${members.map(({ task }) => `      ${task.name}: ${task.places.join(' | ')}`).join('\n')}`)
    for (const { task, worker, done, asleep } of members) {
      if (asleep && task.resume) this.putToBed({ task, done, worker })
      else this.bury(task, worker)
    }
  }

  private async due(): Promise<Partial<Record<WorkKind | CommandKind, number>>> {
    const now = new Date(this.hands.serviceMs)
    const { rows } = await this.infrastructure.pool.query<Record<string, number>>(
      `select (select count(*) from sync where finished_at is null and due_at <= $1 and coalesce(lease_until_ms, 0) < $2) as capture,
        (select count(*) from enrichment_task where due_at <= $1 and coalesce(lease_until_ms, 0) < $2) as enrichment,
        (select count(*) from job where finished_at is null and due_at <= $1 and coalesce(lease_until_ms, 0) < $2) as enrich_job,
        (select count(*) from delivery where state in ('pending', 'sending') and due_at <= $1 and coalesce(lease_until_ms, 0) < $2) as delivery`,
      [now, this.hands.systemMs],
    )
    return rows[0]!
  }

  private jump(): void {
    const { dice, hands } = this
    const amount = dice.weighted({ second: 3, minute: 4, hour: 4, day: 5, week: 2, month: 2 })
    const by = {
      second: dice.int(1, 59) * second,
      minute: dice.int(1, 59) * minute,
      hour: dice.int(1, 23) * hour,
      day: day + dice.int(0, 3) * hour,
      week: dice.int(2, 9) * day,
      month: dice.int(28, 40) * day,
    }[amount]
    hands.serviceMs += by
    hands.systemMs += dice.pick([0, second, 30 * second, leaseOver, leaseOver, 10 * minute])
    this.note(`time: ${amount}, system ${((hands.systemMs - start) / second).toFixed(0)} s`)
  }

  private async burst(): Promise<void> {
    const kind = this.dice.weighted(stepWeights)
    for (let n = this.dice.int(3, 10); n > 0 && this.failure === null; n--) {
      if (this.free().length === 0 || (await this.alone(kind)) === 'idle') return
    }
  }

  private async act(): Promise<void> {
    const { dice } = this
    const kinds = {
      command: 22,
      step: 26,
      burst: 26,
      jump: 12,
      race: this.mood.race * 100,
      overtake: this.mood.park * 60,
      wake: this.sleepers.length > 0 ? 9 : 0,
    }
    switch (dice.weighted(kinds)) {
      case 'command':
        await this.alone(dice.weighted(commandWeights))
        return
      case 'step':
        await this.alone(dice.weighted(stepWeights))
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
    const wrong = await findBroken(this.infrastructure.db)
    if (wrong.length > 0) this.broken(wrong.join('\n'))
  }

  async live(steps: number): Promise<void> {
    // Something to work on from the beginning.
    for (const kind of ['track', 'track', 'webhook', 'track', 'webhook'] as const) await this.alone(kind)
    for (let step = 1; step <= steps; step++) {
      this.counts.steps += 1
      await this.act()
      if (this.failure !== null || step % this.checkEvery === 0) await this.check()
    }
  }

  /** No more faults: what has begun must come to its end. */
  async end(): Promise<void> {
    this.quiet = true
    this.invented.failing = 0
    this.invented.frozenAtMs = this.hands.serviceMs
    this.receivers.failing = 0
    this.note('the faults stop')
    while (this.sleepers.length > 0) await this.wake(this.sleepers[0]!)
    for (const team of this.teams) await this.core.changeTeam(team.id, { status: 'active' })
    let steps = 0
    for (let hop = 0; ; hop++) {
      this.hands.systemMs += leaseOver
      for (let found = true; found; ) {
        found = false
        for (const kind of ['renewals', 'capture', 'enrichment', 'enrich_job', 'delivery'] as const) {
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
      this.hands.serviceMs = Math.max(this.hands.serviceMs, open.dueMs)
    }
    await this.check()
    const wrong = [
      ...(await findLost(this.infrastructure.db, this.invented, this.judged)),
      ...(await compareBilling(this.infrastructure.db)),
      ...(await compareDeliveries(this.infrastructure.db, this.receivers.received)),
    ]
    if (wrong.length > 0) this.broken(wrong.join('\n'))
  }

  private async outstanding(): Promise<{ count: number; dueMs: number; what: string }> {
    const { rows } = await this.infrastructure.pool.query<{ what: string; count: number; due: Date | null }>(`
      select 'a run' as what, count(*) as count, min(due_at) as due from sync where finished_at is null
      union all select 'a job', count(*), min(due_at) from job where finished_at is null
      union all select 'the enrichment of a person', count(*), min(due_at) from enrichment_task
      union all select 'a waiting lead', count(*), null from lead where enrichment in ('pending', 'processing')
      union all select 'a delivery', count(*), min(due_at) from delivery where state in ('pending', 'sending')`)
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
    const { rows } = await this.infrastructure.pool.query<{ leads: number; charges: number; deliveries: number }>(
      `select (select count(*) from lead) as leads, (select count(*) from credit_entry where kind = 'charge') as charges, (select count(*) from delivery) as deliveries`,
    )
    Object.assign(counts, rows[0]!)
  }

  /** The places that the last tasks passed, for a report. */
  places(): string[] {
    return this.lastTasks.slice(-3).map((task) => `${task.name}: ${task.places.slice(-14).join(' | ')}`)
  }

  /** Lets go of sleepers after a failure, so that their connections come back. */
  async abandon(): Promise<void> {
    for (const { task, done } of this.sleepers.splice(0)) {
      task.dead = true
      task.resume?.()
      await done
    }
  }
}

const keyOf = (claim: Claim): string => `${claim.table} ${claim.teamId} ${claim.id}`

/** Runs one seed; never throws for what the service does. */
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
    hash: createHash('sha256').update(history.trace.join('\n')).digest('hex').slice(0, 16),
    trace: history.trace,
    failure,
    counts: history.counts,
  }
}

/** What to show of a seed that failed: seed, last steps, how to replay. */
export function report(outcome: Outcome, last = 14): string {
  return [
    `seed ${outcome.seed} failed at step ${outcome.counts.steps}:`,
    outcome.failure ?? '',
    'last steps:',
    ...outcome.trace.slice(-last),
    `replay: node packages/server/test/simulation/run.ts --seed ${outcome.seed} --trace`,
  ].join('\n')
}
