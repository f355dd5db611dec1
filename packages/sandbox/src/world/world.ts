import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { createAdmission, createCallLog, createFaults, createHolds } from '../traffic.ts'
import { createOutreach } from '../vendors/heyreach/workspace.ts'
import { createTwins } from '../vendors/twins.ts'
import { createNetwork } from './network.ts'
import {
  actorSchema,
  companySeedSchema,
  personSeedSchema,
  postSeedSchema,
  searchSeedSchema,
  type ActorSeed,
  type CompanySeed,
  type PersonSeed,
  type PostSeed,
  type SearchSeed,
} from './seed-schemas.ts'

/** How many HarvestAPI calls of one key may run at once and how many more may queue before 429. */
const limitsSchema = z.strictObject({
  harvestapiConcurrency: z.number().int().min(1).default(20),
  harvestapiQueue: z.number().int().min(0).default(10),
})

/** The synthetic network with everything tests and people can do to it; nonsense is refused with an exception. */
export type World = WorldInside['world']

/** What the server needs besides the world's public face. */
export type WorldInside = ReturnType<typeof createWorld>

/** Makes a world: the network of a seed, its clock, and empty rules and log; `memoryFile` keeps the authors seen over restarts. */
export function createWorld(options: { seed?: string; now?: () => Date; memoryFile?: string } = {}) {
  const seed = options.seed ?? 'sandbox'
  const clock = createClock(options.now)
  const memory = openMemory(options.memoryFile)
  const network = createNetwork(seed, clock.now, memory.add)
  for (const author of memory.known) network.recall(author)
  const log = createCallLog()
  const holds = createHolds()
  const faults = createFaults(seed)
  const outreach = createOutreach(clock.now)
  const twins = createTwins()
  const spending = new Map<string, { spent: number }>()
  let limits = limitsSchema.parse({})
  const { clear: clearNetwork, recall: _recall, ...view } = network
  const world = {
    ...view,
    seed,
    outreach,
    /** The platforms where leads go: what they hold, and what people change there. */
    twins,
    now: clock.now,
    /** Moves the world's own clock; false when the host process owns the time. */
    moveClock: clock.set,
    seedPerson: (def: PersonSeed) => network.seedPerson(personSeedSchema.parse(def)),
    seedCompany: (def: CompanySeed) => network.seedCompany(companySeedSchema.parse(def)),
    seedPost: (def: PostSeed) => network.seedPost(postSeedSchema.parse(def)),
    seedSearch: (def: SearchSeed) => network.seedSearch(searchSeedSchema.parse(def)),
    fault: faults.add,
    faults: faults.list,
    clearFaults: faults.clear,
    /** Takes people out of what is kept over restarts; a later question about them makes them known again. */
    forget: memory.forget,
    hold: holds.hold,
    release: holds.release,
    waiting: holds.waiting,
    untilWaiting: holds.untilWaiting,
    calls: log.list,
    clearCalls: log.clear,
    /** Reads the limits, after changing the ones given. */
    limits(change: Partial<typeof limits> = {}): typeof limits {
      limits = limitsSchema.parse({ ...limits, ...change })
      return limits
    },
    /** Back to a fresh world of the same seed; the clock stays where it is. */
    reset(): void {
      clearNetwork()
      faults.clear()
      holds.release()
      log.clear()
      outreach.clear()
      for (const twin of Object.values(twins)) twin.clear()
      spending.clear()
      limits = limitsSchema.parse({})
    },
  }
  return { world, network, clock, log, faults, holds, admission: createAdmission(), spending, outreach, twins }
}

/** A clock that follows the given source, or else starts at the system's time, runs with it and can be moved. */
function createClock(source?: () => Date) {
  let offsetMs = 0
  return {
    now: (): Date => (source ? source() : new Date(Date.now() + offsetMs)),
    set(to: Date): boolean {
      if (source) return false
      offsetMs = to.getTime() - Date.now()
      return true
    },
  }
}

/** Authors who have been asked about, and what is done with them. */
type Memory = {
  readonly known: readonly ActorSeed[]
  readonly add: (author: ActorSeed) => void
  readonly forget: (handles: readonly string[]) => void
}

/**
 * Opens the memory in this file, one author a line; without a file nothing is kept. It outlives restarts because an
 * activity number says too little about an author with a handle of their own.
 */
function openMemory(file: string | undefined): Memory {
  if (file === undefined) return { known: [], add: () => undefined, forget: () => undefined }
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const written = new Set(lines)
  return {
    known: lines.flatMap(readAuthor),
    add(author) {
      const line = JSON.stringify(author)
      if (written.has(line)) return
      written.add(line)
      appendFileSync(file, `${line}\n`, { mode: 0o600 })
    },
    forget(handles) {
      // Pages too: who is asked about by a handle is asked about as a page of that name.
      const gone = new Set(handles.flatMap((handle) => [JSON.stringify(handle), JSON.stringify({ company: handle })]))
      for (const line of gone) written.delete(line)
      // Read anew: another process may have been asked about them.
      const now = existsSync(file)
        ? readFileSync(file, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
        : []
      const left = now.filter((line) => !gone.has(line))
      if (left.length === now.length) return
      writeFileSync(file, left.map((line) => `${line}\n`).join(''), { mode: 0o600 })
    },
  }
}

function readAuthor(line: string): ActorSeed[] {
  try {
    return [actorSchema.parse(JSON.parse(line))]
  } catch {
    return []
  }
}
