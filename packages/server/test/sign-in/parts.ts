/** Sign-in on a database of its own, without the rest of the service. */
import { randomBytes } from 'node:crypto'
import { machineIds } from '../../src/platform/random.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openLog } from '../../src/platform/log.ts'
import { makeVault } from '../../src/platform/secrets.ts'
import { type SignInParts, strictLimits } from '../../src/sign-in/index.ts'
import type { TestDatabase } from '../world/database.ts'

/** The parts; the mails that were sent are in `mails`. */
export function signInParts(database: TestDatabase, instead: Partial<SignInParts> = {}): SignInParts {
  return {
    db: database.bare,
    ids: machineIds(),
    system: systemClock,
    vault: makeVault(randomBytes(32), randomBytes),
    log: openLog('silent'),
    sendMail: async () => {},
    origin: () => 'http://127.0.0.1:8080',
    later: (work) => void work,
    signUp: 'open',
    serviceNow: async () => new Date(systemClock.nowMs()),
    limits: strictLimits,
    ...instead,
  }
}
