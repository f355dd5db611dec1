/** Statements per second of an idle service with all roles in one process. `--seconds 240`. */
import { countStatements, openStage, option, pause, printStatements, report, resetStatements } from './support.ts'

const seconds = option('seconds', 240)
const stage = await openStage({ config: { roles: ['http', 'worker', 'clock'] } })
await stage.team()
// Skip the work of starting.
await pause(5_000)
await resetStatements(stage)
await pause(seconds * 1_000)
const perSecond = (await countStatements(stage)) / seconds
await printStatements(stage)
await stage.close()
report({
  'rest: statements': { measured: `${perSecond.toFixed(2)}/s over ${seconds} s`, beside: '', value: perSecond },
})
