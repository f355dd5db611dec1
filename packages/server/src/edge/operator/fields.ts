/** Bodies of the operator surface; unknown fields are refused, so that a typo does not pass silently. */
import { credentialKey, instant } from '@les/contract'
import { z } from 'zod'
import { maxKeepDays, teamKeepRules, type TeamKeepRule } from '../../modules/accounts/index.ts'

const count = (min: number) =>
  z
    .number({ error: `must be a whole number of at least ${min}` })
    .int()
    .min(min)
    .max(2_147_483_647)
const label = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), {
      error: 'must not contain NUL or an unpaired surrogate',
    })
const limit = count(1).max(1_000_000).optional()

const keepDays = z.strictObject(
  Object.fromEntries(
    Object.entries(teamKeepRules).map(([rule, { least }]) => [
      rule,
      z
        .number({ error: `must be from ${least} to ${maxKeepDays} days, or null for those of the service` })
        .int()
        .min(least)
        .max(maxKeepDays)
        .nullable()
        .optional(),
    ]),
  ) as { [K in TeamKeepRule]: z.ZodOptional<z.ZodNullable<z.ZodNumber>> },
)

const settings = {
  plan: label(60).optional(),
  status: z.enum(['active', 'trial', 'expired'], { error: 'must be active, trial or expired' }).optional(),
  trialEndsAt: instant.nullable().optional(),
  credits: count(0).optional(),
  grantCredits: count(1).optional(),
  limits: z.strictObject({ reads: limit, writes: limit, untrackedPosts: limit }).optional(),
  keywordDailyCeiling: count(0).optional(),
  leadCap: count(0).nullable().optional(),
  sourceCap: count(0).optional(),
  vendorCallsPerDay: count(0).nullable().optional(),
  captureAllowed: z.boolean({ error: 'must be true or false' }).optional(),
  keepDays: keepDays.optional(),
}

/** Body of `POST /operator/teams`. */
export const newTeam = z.strictObject({ name: label(200), ...settings })

/** Body of `PATCH /operator/teams/{id}`. */
export const teamChange = z.strictObject({ name: label(200).optional(), ...settings })

/** Body of `POST /operator/teams/{id}/keys`. */
export const newKey = z.strictObject({ name: label(60) })

/** Body of `POST /operator/teams/{id}/invitations`. */
export const newInvitation = z.strictObject({
  email: z.email({ error: 'must be an email address' }).max(254, { error: 'must be an email address' }),
  role: z.enum(['owner', 'member', 'viewer'], { error: 'must be owner, member or viewer' }).default('owner'),
})

/** Body of `PUT /operator/teams/{id}/credentials/{kind}`. */
export const credential = z.strictObject({
  key: z.union([credentialKey, z.null()], {
    error: 'must be a key, 1 to 4,000 letters, digits and marks without spaces, or null to forget it',
  }),
})

/** Body of `POST /operator/teams/{id}/test-event`. */
export const testEvent = z.strictObject({ sourceId: z.guid({ error: 'must be the id of a source' }) })

/** Body of `POST /operator/disputes/{id}`. */
export const disputeDecision = z.strictObject({
  decision: z.enum(['credit', 'decline'], { error: 'must be credit or decline' }),
  note: label(1_000).optional(),
})

const century = 100 * 366 * 86_400

/** Body of `POST /operator/clock`: exactly one of the two. */
export const clockMove = z
  .strictObject({
    advanceSeconds: z
      .number({ error: `must be a number from 0 to ${century}` })
      .min(0)
      .max(century)
      .optional(),
    to: instant.optional(),
  })
  .refine((move) => (move.advanceSeconds === undefined) !== (move.to === undefined), {
    error: 'must have either advanceSeconds or to',
  })

/** Body of `PUT /operator/faults/{name}`. */
export const fault = z.strictObject({
  times: count(0).max(1_000_000),
  action: z.enum(['fail', 'crash'], { error: 'must be fail or crash' }),
})
