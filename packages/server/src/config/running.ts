/** How this process runs: its roles, its clock, its log, and which parts are on. */
import { parseInstant } from '@les/contract'
import { defaultKeywordCutover, type Config, type Role } from './config.ts'
import { flag, text, type Reading } from './reading.ts'

/** What this process does: HTTP, work, the clock; all three unless some are named. */
export function roles(reading: Reading): Role[] {
  const named = (text(reading, 'LES_ROLES') ?? 'http,worker,clock').split(',').map((role) => role.trim())
  const wrong = named.filter((role) => !['http', 'worker', 'clock'].includes(role))
  if (wrong.length > 0)
    reading.mistakes.push(
      `LES_ROLES may name http, worker and clock, not ${wrong.map((role) => JSON.stringify(role)).join(', ')}`,
    )
  return [...new Set(named)] as Role[]
}

/** The clock of the machine, or for tests one that is moved by hand. */
export function clock(reading: Reading): Config['clock'] {
  const mode = text(reading, 'LES_CLOCK') ?? 'system'
  const start = text(reading, 'LES_CLOCK_START')
  if (mode !== 'system' && mode !== 'manual')
    reading.mistakes.push(`LES_CLOCK must be system or manual, not ${JSON.stringify(mode)}`)
  const instant = start === undefined ? null : parseInstant(start)
  if (start !== undefined && !instant) reading.mistakes.push('LES_CLOCK_START must be an ISO 8601 date-time')
  if (start !== undefined && mode !== 'manual') reading.mistakes.push('LES_CLOCK_START needs LES_CLOCK=manual')
  return mode === 'manual' ? { mode, start: instant } : { mode: 'system' }
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** How much is logged; `info` unless another level is named. */
export function logLevel(reading: Reading): string {
  const level = text(reading, 'LES_LOG_LEVEL') ?? 'info'
  if (!logLevels.includes(level))
    reading.mistakes.push(`LES_LOG_LEVEL must be one of ${logLevels.join(', ')}, not ${JSON.stringify(level)}`)
  return level
}

/** Whether the first start makes the demo: on the embedded database with the synthetic network, or where asked for. */
export function seedDemo(reading: Reading, external: boolean, kind: Config['vendors']['kind']): boolean {
  const wanted = flag(reading, 'LES_SEED_DEMO', !external && kind === 'sandbox')
  if (wanted && kind === 'real')
    reading.mistakes.push('LES_SEED_DEMO=1 needs the sandbox network: the demo tracks a person who exists only there')
  return wanted
}

/** Whether the agent is served. */
export function agentEnabled(reading: Reading): boolean {
  const agent = text(reading, 'LES_AGENT')
  if (agent !== undefined && agent !== 'on' && agent !== 'off')
    reading.mistakes.push(`LES_AGENT must be on or off, not ${JSON.stringify(agent)}`)
  return agent !== 'off'
}

/** From when on keyword searches need the spend contract; null for never (G68). */
export function keywordCutoverAt(reading: Reading): Date | null {
  const cutover = text(reading, 'LES_KEYWORD_CUTOVER_AT') ?? defaultKeywordCutover
  if (cutover === 'none') return null
  const instant = parseInstant(cutover)
  if (!instant) reading.mistakes.push('LES_KEYWORD_CUTOVER_AT must be an ISO 8601 date-time or none')
  return instant ?? null
}
