import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { machineIds } from '../../src/platform/random.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openLog } from '../../src/platform/log.ts'
import { makeVault } from '../../src/platform/secrets.ts'
import { openSignIn, type SignIn, type SignInParts, strictLimits } from '../../src/sign-in/index.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

/** The parts of sign-in, each replaceable by `instead`. */
export function signInParts(database: TestDatabase, instead: Partial<SignInParts> = {}): SignInParts {
  return {
    db: database.bare,
    ids: machineIds(),
    system: systemClock,
    vault: makeVault(randomBytes(32), randomBytes),
    log: openLog('silent'),
    sendMail: async () => {},
    origin: () => 'http://127.0.0.1:8080',
    runInBackground: (work) => void work,
    signUp: 'open',
    serviceNow: async () => new Date(systemClock.nowMs()),
    limits: strictLimits,
    ...instead,
  }
}

/** The origin of sign-in. */
export const origin = 'https://leads.example.com'

/** A database for a test file with sign-in opened on it; `open` opens another instance. */
export function useSignIn() {
  let database: TestDatabase
  let signIn: SignIn
  const open = (instead: Partial<SignInParts> = {}): SignIn =>
    openSignIn(signInParts(database, { origin: () => origin, ...instead }))
  beforeAll(async () => {
    database = await freshDatabase()
    signIn = open({ limits: null })
  })
  afterAll(() => database.drop())
  return {
    open,
    get database() {
      return database
    },
    get signIn() {
      return signIn
    },
  }
}
