/** How often one address may try to sign in, sign up or reset: counted in the database, so that it holds over all processes. */

/**
 * Tries a minute and address; `accountTries` is tries at an account from one address in a quarter of an hour,
 * `accountTriesInAll` those from all addresses together: so many that nobody keeps a person out without many machines.
 */
export type SignInLimits = {
  readonly signIns: number
  readonly signUps: number
  readonly resets: number
  readonly accountTries: number
  readonly accountTriesInAll: number
}

/** What holds unless a test says otherwise. */
export const strictLimits: SignInLimits = {
  signIns: 5,
  signUps: 5,
  resets: 3,
  accountTries: 20,
  accountTriesInAll: 400,
}

/** How long tries at an account count. */
export const accountWindowMs = 15 * 60_000

const minute = 60

/** The limits as better-auth's rules. */
export function rulesOf(limits: SignInLimits) {
  // A command-line client asks every five seconds.
  const device = { window: minute, max: 30 }
  return {
    window: minute,
    max: 300,
    customRules: {
      '/sign-in/email': { window: minute, max: limits.signIns },
      '/sign-up/email': { window: minute, max: limits.signUps },
      '/request-password-reset': { window: minute, max: limits.resets },
      '/reset-password': { window: minute, max: limits.signIns },
      '/change-password': { window: minute, max: limits.signIns },
      '/invitation/read': { window: minute, max: 10 },
      '/device/code': { window: minute, max: 10 },
      '/device/*': device,
      '/device': device,
      '/oauth2/register': { window: minute, max: 10 },
    },
  }
}
