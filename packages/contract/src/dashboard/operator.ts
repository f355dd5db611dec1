/** What the operators of the service see and may do; for everyone else these operations do not exist (docs/decisions/0012). */
import { z } from 'zod'
import { integer, isoDateTime, textOrNull, uuid } from '../values/index.ts'
import { sessionOperationsOf } from './operation.ts'

const operation = sessionOperationsOf('operator')

const dollars = z.number().nullable()

const operatorTeam = z.object({
  id: uuid,
  name: z.string(),
  plan: z.string(),
  status: z.enum(['active', 'trial', 'expired']),
  credits: integer.describe('Credits left to spend.'),
  usedThisPeriod: integer,
  activeSources: integer,
})

const operatorVendor = z.object({
  vendor: z.string(),
  key: z.enum(['good', 'refused', 'unknown']),
  plan: textOrNull,
  balance: dollars,
  daysLeft: z.number().nullable(),
  inFlight: integer,
  held: z.object({ inWords: z.string(), until: isoDateTime }).nullable(),
  today: z.object({ calls: integer, dollars: z.number() }),
  dailyCap: dollars,
})

const operatorMargin = z.object({
  teamId: uuid,
  name: z.string(),
  credits: integer,
  dollars: z.number(),
  revenue: dollars,
  margin: dollars,
})

const poison = z.object({
  kind: z.string(),
  teamId: uuid,
  teamName: z.string(),
  id: z.string(),
  failures: integer,
  nextTryAt: isoDateTime.nullable(),
})

export const operatorDashboardOperations = [
  operation('getOperatorOverview', 'GET /operator/overview', {
    role: null,
    summary: 'Read teams, credits, vendors, queues and failing work, for operators of the service',
    success: z.object({
      alerts: z.array(z.object({ level: z.enum(['bad', 'warn']), text: z.string(), advice: z.string() })),
      teams: z.array(operatorTeam),
      moreTeams: z.boolean().describe('True when more teams exist than are listed.'),
      vendors: z.array(operatorVendor),
      margins: z.array(operatorMargin).describe('The costliest teams of the last 30 days.'),
      queues: z.array(z.object({ kind: z.string(), waiting: integer, atLeast: z.boolean(), oldest: isoDateTime })),
      poison: z.array(poison),
    }),
    errors: ['not_found'],
  }),
  operation('retryPoisonWork', 'POST /operator/poison/retry', {
    role: null,
    summary: 'Retry work that failed unexpectedly, for operators of the service',
    body: z.object({ kind: z.string().max(40), teamId: uuid, id: z.string().min(1).max(200) }),
    success: z.object({
      due: z.boolean().describe('False when the work is in progress, finished, or no longer failing.'),
    }),
    errors: ['not_found'],
  }),
] as const
