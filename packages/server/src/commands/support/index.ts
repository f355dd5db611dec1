/** `les-server support-bundle`: one file for whoever helps with an installation, with nothing in it that is secret or names anybody. */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { findRunningDatabase } from '../../backup/place.ts'
import { ConfigError, readProcessConfig } from '../../config/env.ts'
import { systemClock } from '../../platform/clock.ts'
import { openPooledEgress } from '../../platform/egress/index.ts'
import { machineRandom } from '../../platform/random.ts'
import { collectBundle } from './collect.ts'

const usage = `les-server support-bundle: one file (JSON) for whoever helps you, with no keys, no leads and no addresses of people

  --to FILE    where to write it (les-support-bundle.json here unless said; a file that is there is never written over)
  --log FILE   the log of the service, where it is kept in a file: its last lines go in, reduced to known fields
`

type Words = { readonly to: string; readonly log: string | null }

function read(words: readonly string[]): Words | string {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { to: { type: 'string' }, log: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
    return values.help ? '' : { to: values.to ?? 'les-support-bundle.json', log: values.log ?? null }
  } catch (error) {
    return `${(error as Error).message}\n\n`
  }
}

/** The command; answers 0, 1 when the file could not be made, 2 when the command makes no sense. */
export async function runSupportBundle(
  words: readonly string[],
  out: (text: string) => void,
  err: (text: string) => void,
): Promise<number> {
  const asked = read(words)
  if (typeof asked === 'string') {
    ;(asked === '' ? out : err)(`${asked}${usage}`)
    return asked === '' ? 0 : 2
  }
  const egress = openPooledEgress()
  try {
    const config = readProcessConfig()
    const connection = await findRunningDatabase(config)
    const parts = { config, connection, logFile: asked.log, egress, system: systemClock, random: machineRandom }
    const bundle = await collectBundle(parts)
    await writeFile(asked.to, `${JSON.stringify(bundle, null, 1)}\n`, { flag: 'wx', mode: 0o600 })
    out(`${asked.to} is written. Read it before you send it: it names your public address and hosts of vendors.\n`)
    return 0
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    const advice = error instanceof ConfigError ? '\nles-server doctor says the same: send its text instead' : ''
    err(
      exists
        ? `les-server support-bundle: ${asked.to} is there already: name another with --to\n`
        : `les-server support-bundle: ${(error as Error).message}${advice}\n`,
    )
    return 1
  } finally {
    await egress.close()
  }
}
