import { createAdmission, type Admission } from '../traffic/admission.ts'
import { createCallLog, type Call, type CallFilter, type CallLog } from '../traffic/calls.ts'
import { createFaults, type ArmedFault, type FaultRule, type Faults } from '../traffic/faults.ts'
import { createHolds, type Holds, type Release } from '../traffic/holds.ts'
import type { CallMatch } from '../traffic/match.ts'
import { createOutreach, type Outreach, type OutreachInside } from '../vendors/heyreach/workspace.ts'
import { createClock, type Clock } from './clock.ts'
import { openMemory } from './memory.ts'
import { createNetwork, type Network } from './network.ts'
import { companySeedSchema, personSeedSchema, postSeedSchema, searchSeedSchema } from './seed-schemas.ts'

/** How many HarvestAPI calls of one key may run at once and how many more may queue before 429. */
export type Limits = { harvestapiConcurrency: number; harvestapiQueue: number }

/**
 * The synthetic network with everything tests and people can do to it; seeds and rules that make no sense are refused
 * with an exception.
 */
export type World = Omit<Network, 'clear' | 'recall'> & {
  readonly seed: string
  /** The outreach platform. */
  readonly outreach: Outreach
  now(): Date
  /** Moves the world's own clock; false when the host process owns the time. */
  moveClock(to: Date): boolean
  fault(rule: FaultRule): ArmedFault
  faults(): ArmedFault[]
  clearFaults(id?: number): void
  hold(match?: CallMatch): void
  release(which?: Release): void
  /** How many matching calls wait on a hold (or hang) right now. */
  waiting(match?: CallMatch): number
  /** Resolves once at least this many matching calls wait. */
  untilWaiting(count?: number, match?: CallMatch): Promise<void>
  calls(filter?: CallFilter): Call[]
  clearCalls(): void
  /** Reads the limits, after changing the ones given. */
  limits(change?: Partial<Limits>): Limits
  /** Back to a fresh world of the same seed; the clock stays where it is. */
  reset(): void
}

/** What the server needs besides the world's public face. */
export type WorldInside = {
  world: World
  network: Network
  clock: Clock
  log: CallLog
  faults: Faults
  holds: Holds
  admission: Admission
  spending: Map<string, { spent: number }>
  outreach: OutreachInside
}

const DEFAULT_LIMITS: Limits = { harvestapiConcurrency: 20, harvestapiQueue: 10 }

/** Makes a world: the network of a seed, its clock, and empty rules and log; `memoryFile` keeps the authors seen over restarts. */
export function createWorld(options: { seed?: string; now?: () => Date; memoryFile?: string } = {}): WorldInside {
  const seed = options.seed ?? 'sandbox'
  const clock = createClock(options.now)
  const memory = openMemory(options.memoryFile)
  const network = createNetwork(seed, clock.now, memory.add)
  for (const author of memory.known) network.recall(author)
  const log = createCallLog()
  const holds = createHolds()
  const faults = createFaults(seed)
  const outreach = createOutreach(clock.now)
  const spending = new Map<string, { spent: number }>()
  let limits = { ...DEFAULT_LIMITS }
  const { clear: clearNetwork, recall: _recall, ...view } = network
  const world: World = {
    ...view,
    seed,
    outreach,
    now: clock.now,
    moveClock: clock.set,
    seedPerson: (def) => network.seedPerson(personSeedSchema.parse(def)),
    seedCompany: (def) => network.seedCompany(companySeedSchema.parse(def)),
    seedPost: (def) => network.seedPost(postSeedSchema.parse(def)),
    seedSearch: (def) => network.seedSearch(searchSeedSchema.parse(def)),
    fault: (rule) => faults.add(rule),
    faults: () => faults.list(),
    clearFaults: (id) => faults.clear(id),
    hold: (match = {}) => holds.hold(match),
    release: (which) => holds.release(which),
    waiting: (match) => holds.waiting(match),
    untilWaiting: (count, match) => holds.untilWaiting(count, match),
    calls: (filter) => log.list(filter),
    clearCalls: () => log.clear(),
    limits(change = {}) {
      limits = { ...limits, ...change }
      return { ...limits }
    },
    reset() {
      clearNetwork()
      faults.clear()
      holds.release()
      log.clear()
      outreach.clear()
      spending.clear()
      limits = { ...DEFAULT_LIMITS }
    },
  }
  return { world, network, clock, log, faults, holds, admission: createAdmission(), spending, outreach }
}
