import { counted, type Answer, type SessionOperationOf } from '@les/contract'
import { listTeamsForOperator } from '../modules/reports/index.ts'
import type { Shards } from '../platform/db/shards.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import { readTeamNames, type SessionHandlers } from '../modules/accounts/index.ts'
import { refuse } from '../platform/refusal.ts'
import type { SystemClock } from '../platform/clock.ts'
import { listFailingWork, readWaiting, retryFailingWork } from '../platform/work/index.ts'
import { allRows } from '../worker/works.ts'
import type { VendorReports } from './vendor-operations.ts'

type Overview = Answer<SessionOperationOf<'getOperatorOverview'>>

/** `operators`: their addresses, in lower case. */
type OperatorPageParts = {
  readonly operators: readonly string[]
  readonly costs: VendorReports
  readonly system: SystemClock
  readonly shards: Shards
}

const most = { teams: 200, queue: 1_000, poison: 100, margins: 50 } as const
const dayMs = 86_400_000
const lateMs = 15 * 60_000

/** Whether the settings name this address; sessions exist for proven addresses only. */
export const isOperator = (operators: readonly string[], email: string): boolean =>
  operators.includes(email.toLowerCase())

/** The worst first. */
function alertsOf(seen: Pick<Overview, 'vendors' | 'queues' | 'poison'>, now: Date): Overview['alerts'] {
  const bad = (text: string, advice: string) => ({ level: 'bad' as const, text, advice })
  const warn = (text: string, advice: string) => ({ level: 'warn' as const, text, advice })
  const refused = seen.vendors.filter(({ key }) => key === 'refused')
  const held = seen.vendors.flatMap(({ vendor, held }) => (held === null ? [] : { vendor, held }))
  const empty = seen.vendors.filter(({ daysLeft }) => daysLeft !== null && daysLeft < 3)
  const late = seen.queues.filter(({ oldest }) => now.getTime() - new Date(oldest).getTime() > lateMs)
  const failing = seen.poison.length
  const fails = `${counted(failing, 'piece')} of work ${failing === 1 ? 'fails' : 'fail'} unexpectedly`
  return [
    ...refused.map(({ vendor }) => bad(`${vendor} refuses the key`, 'Set a working key.')),
    ...held.map(({ vendor, held: { inWords } }) =>
      bad(`${vendor} is held: ${inWords}`, 'Work that needs it waits and goes on by itself when a probe passes.'),
    ),
    ...empty.map(({ vendor, daysLeft }) =>
      warn(`The balance at ${vendor} lasts about ${daysLeft} days`, 'Pay in, or lower its daily cap.'),
    ),
    ...(failing === 0
      ? []
      : [warn(fails, 'The log says why, by the id of the work. Each is tried again by itself, or by you.')]),
    ...late.map(({ kind, oldest }) =>
      warn(
        `Work of the kind ${kind} has waited since ${oldest}`,
        'See whether a worker runs, and whether it is short of machine or of vendor calls.',
      ),
    ),
  ]
}

const silentOf = (shards: ReadonlySet<string>): Overview['alerts'] =>
  [...shards].map((shard) => ({
    level: 'bad' as const,
    text: `The shard ${shard} does not answer: what is shown here is without its teams`,
    advice: 'Its teams wait, all others are served. See what holds its tables: les-server shards list.',
  }))

async function overview(parts: OperatorPageParts, db: Reader, now: Date): Promise<Overview> {
  const { costs, system, shards } = parts
  const silent = new Set<string>()
  /** Asks all shards; silent ones are reported and left out. */
  const ask = async <T>(read: (shard: string) => Promise<T>): Promise<T[]> => {
    const asked = await shards.askEach(read)
    for (const shard of asked.silent) silent.add(shard)
    return asked.answers
  }
  const teams = (await ask(() => listTeamsForOperator(db, most.teams + 1))).flat().slice(0, most.teams + 1)
  const vendors = (await costs.vendors(false)).map(
    ({ vendor, key, plan, balance, daysLeft, inFlight, held, today, dailyCap }) => ({
      vendor,
      key,
      plan,
      balance,
      daysLeft,
      inFlight,
      held: held && { inWords: held.inWords, until: held.until },
      today: { calls: today.calls, dollars: today.dollars },
      dailyCap,
    }),
  )
  const day = (at: Date): string => at.toISOString().slice(0, 10)
  const month = { from: day(new Date(now.getTime() - 29 * dayMs)), to: day(now) }
  const margins = (await costs.margins(month, ask)).slice(0, most.margins)
  const waiting = await ask(() => readWaiting(db, allRows, { now, nowMs: system.nowMs(), most: most.queue }))
  const queues = [...Map.groupBy(waiting.flat(), ({ kind }) => kind)].map(([kind, ofShards]) => ({
    kind,
    waiting: ofShards.reduce((sum, each) => sum + each.waiting, 0),
    atLeast: ofShards.some((each) => each.waiting >= most.queue),
    oldest: ofShards.map(({ oldest }) => oldest).reduce((first, each) => (each < first ? each : first)),
  }))
  const failing = (await ask(() => listFailingWork(db, allRows, most.poison))).flat().slice(0, most.poison)
  const teamIds = failing.map(({ teamId }) => teamId)
  const names = await readTeamNames(db, teamIds)
  const poison = failing.map((work) => ({ ...work, teamName: names.get(work.teamId) ?? '' }))
  return {
    alerts: [...silentOf(silent), ...alertsOf({ vendors, queues, poison }, now)],
    teams: teams.slice(0, most.teams),
    moreTeams: teams.length > most.teams,
    vendors,
    margins,
    queues,
    poison,
  }
}

/** The handlers; they answer 404 to people who are not operators. */
export function operatorPageOperations(
  parts: OperatorPageParts,
): SessionHandlers<'getOperatorOverview' | 'retryPoisonWork'> {
  const check = (email: string): void => {
    if (!isOperator(parts.operators, email)) refuse('not_found', {}, 'There is nothing here')
  }
  return {
    getOperatorOverview: async (_input, { caller: { user }, db, now }) => {
      check(user.email)
      return overview(parts, db, now)
    },
    retryPoisonWork: async (input, { caller: { user }, unitOfWork }) => {
      check(user.email)
      return parts.shards.ofTeam(input.teamId, () =>
        unitOfWork(async (tx) => ({
          due: await retryFailingWork(tx, allRows, { ...input, nowMs: parts.system.nowMs() }),
        })),
      )
    },
  }
}
