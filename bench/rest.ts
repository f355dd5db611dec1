/**
 * What a service asks its database while nothing happens: statements a second, `begin` and `commit` apart, all roles in one process.
 * `--seconds 240`: tasks of the clock that come every minute are in it four times; the look at the accounts of vendors, which comes
 * every ten minutes, first a minute after the start, is in it once.
 */
import {
  countStatements,
  openStage,
  option,
  printFigures,
  printStatements,
  resetStatements,
  topStatements,
} from './support.ts'

const seconds = option('seconds', 240)
const most = 1

const stage = await openStage({ config: { roles: ['http', 'worker', 'clock'] } })
await stage.team()
const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
// What a start does by itself is no rest.
await pass(5_000)
await resetStatements(stage.tools.pool)
await pass(seconds * 1_000)
const perSecond = (await countStatements(stage.tools.pool)) / seconds
const statements = await topStatements(stage.tools.pool)
await stage.close()

printFigures('At rest', [
  {
    name: 'statements while nothing happens',
    measured: `${perSecond.toFixed(2)}/s over ${seconds} s`,
    limit: '',
    ratio: null,
    aim: `<= ${most}/s`,
    reached: perSecond <= most,
  },
])
printStatements(
  'What they were',
  statements.toSorted((a, b) => b.calls - a.calls),
)
