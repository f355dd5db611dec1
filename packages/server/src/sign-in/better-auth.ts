/** The service's better-auth: tables in the schema `sign_in`, `__Host-` cookies, a secret derived from the master key. */
import { betterAuth, type BetterAuthOptions, type BetterAuthPlugin } from 'better-auth'
import { APIError, isAPIError } from 'better-auth/api'
import { bearer, deviceAuthorization, jwt } from 'better-auth/plugins'
import { sql, type Kysely } from 'kysely'
import type { Database } from '../platform/db/schema.ts'
import type { Log } from '../platform/log.ts'
import { cutText } from '../platform/text.ts'
import { authorizationServer } from './authorization.ts'
import { knownDesktopSchemes, registeredClients } from './clients.ts'
import { accountLimit, mayMail, rulesOf } from './limits.ts'
import { accountMail, resetMail, verificationMail, type Mail, type SendMail } from './mail.ts'
import { addressHeader, signInPath, type SignInParts } from './parts.ts'
import { endEverythingOf, guardedSessions } from './sessions.ts'
import { isInvited, signUpRules } from './sign-up.ts'
import { remember } from './trouble.ts'

const deviceClient = 'les-cli'

const day = 24 * 3_600
const maxNameLength = 100
const maxScopeLength = 200
const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']

/** The public origin; on a developer's machine, its other names as well. */
function trustedOrigins(origin: string): string[] {
  const url = new URL(origin)
  return loopbackNames.includes(url.hostname)
    ? loopbackNames.map((name) => `${url.protocol}//${name}${url.port === '' ? '' : `:${url.port}`}`)
    : [url.origin]
}

/** Cuts a person's name, and drops the picture, which is never shown. */
const named = <U extends { name?: string | undefined }>(user: U): U & { image: null } => ({
  ...user,
  ...(user.name === undefined ? {} : { name: cutText(user.name.trim(), maxNameLength) }),
  image: null,
})

const markVerified = async (db: Kysely<Database>, userId: string): Promise<void> => {
  await sql`update sign_in."user" set "emailVerified" = true where id = ${userId}`.execute(db)
}

/** Logs a library message without its details: they may hold what a person typed. */
function logLibrary(log: Log, message: string, error: unknown): void {
  remember(error)
  log[error === undefined ? 'warn' : 'error'](`sign-in: ${message.slice(0, 300)}`, error === undefined ? {} : { error })
}

const passwords = (parts: SignInParts, origin: string, post: SendMail) =>
  ({
    enabled: true,
    minPasswordLength: 10,
    maxPasswordLength: 200,
    requireEmailVerification: true,
    onExistingUserSignUp: async ({ user }) => post(accountMail(origin, user.email)),
    revokeSessionsOnPasswordReset: true,
    resetPasswordTokenExpiresIn: 3_600,
    sendResetPassword: async ({ user, token }) => post(resetMail(origin, user.email, token)),
    onPasswordReset: async ({ user }) => {
      await endEverythingOf(parts.db, user.id, new Date(parts.system.nowMs()))
      // The token came by mail, so the address is proven.
      await markVerified(parts.db, user.id)
    },
  }) satisfies BetterAuthOptions['emailAndPassword']

const verifications = (origin: string, post: SendMail) =>
  ({
    sendOnSignUp: true,
    sendOnSignIn: true,
    autoSignInAfterVerification: false,
    expiresIn: day,
    sendVerificationEmail: async ({ user, token }) => {
      if (!user.emailVerified) await post(verificationMail(origin, user.email, token))
    },
  }) satisfies BetterAuthOptions['emailVerification']

/** An invitation was mailed to its address, so signing up with it proves the address. */
const userHooks = (parts: SignInParts) =>
  ({
    user: {
      create: {
        before: async (user, context) => {
          const invited = context?.path === '/sign-up/email' && (await isInvited(parts, context.body))
          return { data: { ...named(user), ...(invited ? { emailVerified: true } : {}) } }
        },
      },
      update: { before: async (user) => ({ data: named(user) }) },
    },
  }) satisfies BetterAuthOptions['databaseHooks']

const advanced = (parts: SignInParts) =>
  ({
    // better-auth's own prefix for secure cookies is `__Secure-`, which a sibling domain can overwrite.
    useSecureCookies: false,
    cookiePrefix: '__Host-les',
    defaultCookieAttributes: { secure: true, httpOnly: true, sameSite: 'lax', path: '/' },
    // Set explicitly: better-auth turns both checks off where NODE_ENV is `test`.
    disableCSRFCheck: false,
    disableOriginCheck: false,
    ipAddress: {
      ipAddressHeaders: [addressHeader],
      ipv6Subnet: 64,
      ...(parts.trustedProxies?.length ? { trustedProxies: [...parts.trustedProxies] } : {}),
    },
    backgroundTasks: { handler: parts.runInBackground },
    database: { generateId: () => parts.ids.uuid(new Date(parts.system.nowMs())), validateSchema: false },
  }) satisfies BetterAuthOptions['advanced']

const pluginsOf = (parts: SignInParts, origin: string) =>
  [
    bearer({ requireSignature: true }),
    registeredClients(parts, origin, parts.desktopSchemes ?? knownDesktopSchemes),
    signUpRules(parts),
    guardedSessions(parts.db, parts.system),
    deviceAuthorization({
      verificationUri: `${origin}/device`,
      expiresIn: '10m',
      interval: '5s',
      validateClient: (client) => client === deviceClient,
      // The scope is stored with the code, and anyone can ask for codes; our command line sends none.
      onDeviceAuthRequest: (_client, scope) => {
        if ((scope?.length ?? 0) > maxScopeLength)
          throw new APIError('BAD_REQUEST', {
            error: 'invalid_scope',
            error_description: `scope may have at most ${maxScopeLength} characters`,
          })
      },
    }),
    ...(parts.limits === null ? [] : [accountLimit(parts.db, parts.system, parts.limits)]),
    jwt({ disableSettingJwtHeader: true }),
    authorizationServer(parts, origin),
    // better-auth's types treat `undefined` differently.
  ] as unknown as BetterAuthPlugin[]

/** The configuration; a test compares the tables of the migrations with it. */
export function authOptions(parts: SignInParts) {
  const origin = parts.origin()
  const post = async (mail: Mail): Promise<void> => {
    if (parts.limits === null || (await mayMail(parts.db, parts.system, mail))) await parts.sendMail(mail)
  }
  return {
    appName: 'Lead Engagement Service',
    baseURL: origin,
    basePath: signInPath,
    secret: parts.vault.derive('sign-in').toString('base64url'),
    trustedOrigins: trustedOrigins(origin),
    telemetry: { enabled: false },
    database: { db: parts.db, type: 'postgres', schemaName: 'sign_in', transaction: true },
    emailAndPassword: passwords(parts, origin, post),
    emailVerification: verifications(origin, post),
    // Hashed: a stolen copy of the database holds no token that resets a password.
    verification: { storeIdentifier: 'hashed' },
    session: { expiresIn: 14 * day, updateAge: day, cookieCache: { enabled: false } },
    databaseHooks: userHooks(parts),
    rateLimit: {
      enabled: parts.limits !== null,
      storage: 'database',
      ...(parts.limits === null ? {} : rulesOf(parts.limits)),
    },
    advanced: advanced(parts),
    logger: {
      level: 'warn',
      disableColors: true,
      log: (_level, message, ...details) =>
        logLibrary(
          parts.log,
          message,
          details.find((detail) => detail instanceof Error),
        ),
    },
    // Without this, the library also writes refusals to the console.
    onAPIError: {
      // Where browsers go when an app's request cannot be answered to the app.
      errorURL: `${origin}/not-connected`,
      onError: (error) =>
        isAPIError(error) && error.statusCode < 500 ? undefined : logLibrary(parts.log, 'an answer failed', error),
    },
    plugins: pluginsOf(parts, origin),
  } satisfies BetterAuthOptions
}

export const makeAuth = (parts: SignInParts) => betterAuth(authOptions(parts))

export type Auth = ReturnType<typeof makeAuth>
