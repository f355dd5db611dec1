/** The order of a drain: work found by the clock's tasks, due work, and last unmarked work. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { eachKind } from '../job-catalog.ts'
import { systemClock } from '../platform/clock.ts'
import type { PeriodicTask } from './clock.ts'
import { makeDrain } from './drain.ts'
import type { Steps } from './works.ts'

function stage(tasks: (waiting: { units: number }) => readonly PeriodicTask[], units = 0) {
  const waiting = { units }
  const looked: string[] = []
  const steps: Steps = {
    ...eachKind(() => async () => 'idle' as const),
    capture: async () => {
      if (waiting.units === 0) return 'idle'
      waiting.units -= 1
      looked.push('a unit')
      return 'worked'
    },
  }
  const noted = tasks(waiting).map((task) => ({
    ...task,
    run: async () => {
      looked.push(task.name)
      return task.run()
    },
  }))
  const drain = makeDrain({
    steps,
    tasks: noted,
    ask: async () => new Set(noted.filter(({ name }) => name.startsWith('due')).map(({ name }) => name)),
    system: systemClock,
    readState: async () => ({ kinds: waiting.units > 0 ? ['capture'] : [], sources: false, leased: false }),
    alsoWorked: () => eachKind(() => 0),
    rest: async () => 'idle',
  })
  return { drain, looked }
}

/** A placeholder: the stage decides by the task's name (`due …`) whether a task is due. */
const mayBeDue = () => sql<boolean>`true`

const task = (name: string, times: number, more: Partial<PeriodicTask> = {}): PeriodicTask => {
  let left = times
  return { name, everyMs: 1_000, run: async () => (left-- > 0 ? 1 : 0), ...more }
}

it('runs the tasks that may have something to do, and those that cannot be asked', async () => {
  const { drain, looked } = stage(() => [
    task('idle', 0, { mayBeDue }),
    task('due, and does nothing', 0, { mayBeDue }),
    task('unasked', 0),
  ])
  expect(await drain()).toEqual({ processed: 0, byKind: {} })
  expect(looked).toEqual(['due, and does nothing', 'unasked'])
})

it('lets the tasks behind one that has done something look themselves', async () => {
  const { drain, looked } = stage(() => [
    task('idle before it', 0, { mayBeDue }),
    task('due', 1, { mayBeDue }),
    task('idle behind it', 1, { mayBeDue }),
  ])
  expect(await drain()).toEqual({ processed: 2, byKind: { clock: 2 } })
  expect(looked.slice(0, 2)).toEqual(['due', 'idle behind it'])
})

it('looks for what nobody marked once nothing is left, works what that finds, and ends with a look that finds nothing', async () => {
  let hidden = 1
  const { drain, looked } = stage(
    (waiting) => [
      {
        name: 'unmarked',
        everyMs: 1_000,
        seeksMissed: true,
        run: async () => {
          const found = hidden
          waiting.units += found
          hidden = 0
          return found
        },
      },
      task('unasked', 0),
    ],
    2,
  )
  expect(await drain()).toEqual({ processed: 4, byKind: { capture: 3, clock: 1 } })
  expect(looked).toEqual(['unasked', 'a unit', 'a unit', 'unasked', 'unmarked', 'a unit', 'unasked', 'unmarked'])
})
