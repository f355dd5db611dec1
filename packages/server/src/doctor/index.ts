import { systemClock } from '../platform/clock.ts'
import { openPooledEgress } from '../platform/egress/index.ts'
import { machineRandom } from '../platform/random.ts'
import { ConfigError, readProcessConfig } from '../config/env.ts'
import type { Check, DoctorParts, Finding } from './check.ts'
import { address, disk, mail } from './checks/machine.ts'
import { database, masterKey } from './checks/database.ts'
import { vendors } from './checks/vendors.ts'

/** In the order in which they are shown. */
export const checks: readonly Check[] = [database, masterKey, disk, mail, address, vendors]

type CheckResult = Finding & { readonly check: string }

/** Runs checks in parallel; one that throws is reported as bad. */
export async function examine(parts: DoctorParts, some: readonly Check[] = checks): Promise<readonly CheckResult[]> {
  const found = await Promise.all(
    some.map(async ({ name, run }) => {
      const findings = await run(parts).catch((error: unknown): readonly Finding[] => [
        {
          level: 'bad',
          text: `this could not be looked at: ${error instanceof Error ? error.message : String(error)}`,
          advice: 'tell us: a check should always say what it found',
        },
      ])
      return findings.map((finding) => ({ check: name, ...finding }))
    }),
  )
  return found.flat()
}

const usage = `les-server doctor: looks at everything the service depends on, and changes nothing

  --deep   also makes one cheap call for data at each vendor (about a cent)
  --json   the findings as JSON
`

/** Lines of level, check, text and advice. */
export function asText(results: readonly CheckResult[]): string {
  const widest = Math.max(...results.map(({ check }) => check.length))
  return results
    .map(
      ({ level, check, text, advice }) =>
        `${level.padEnd(8)}${check.padEnd(widest + 2)}${text}${advice === undefined ? '' : `\n${' '.repeat(widest + 10)}-> ${advice}`}\n`,
    )
    .join('')
}

/** `les-server doctor`; returns 0, 1 when something is bad, 2 for an invalid command line. */
export async function runDoctor(args: readonly string[], write: (text: string) => void): Promise<0 | 1 | 2> {
  const unknown = args.filter((arg) => !['--deep', '--json', '--help', '-h'].includes(arg))
  if (unknown.length > 0 || args.includes('--help') || args.includes('-h')) {
    write(`${unknown.length > 0 ? `unknown: ${unknown.join(' ')}\n\n` : ''}${usage}`)
    return unknown.length > 0 ? 2 : 0
  }
  const results = await settingsAndAll(args.includes('--deep'))
  write(args.includes('--json') ? `${JSON.stringify(results, null, 2)}\n` : asText(results))
  return results.some(({ level }) => level === 'bad') ? 1 : 0
}

async function settingsAndAll(deep: boolean): Promise<readonly CheckResult[]> {
  const egress = openPooledEgress()
  try {
    const config = readProcessConfig()
    const results = await examine({ config, deep, egress, system: systemClock, random: machineRandom })
    return [{ check: 'settings', level: 'ok', text: 'every setting makes sense' }, ...results]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.mistakes.map((mistake) => ({
      check: 'settings',
      level: 'bad',
      text: mistake,
      advice: 'nothing else was looked at: correct the settings first',
    }))
  } finally {
    await egress.close()
  }
}
