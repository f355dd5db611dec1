/** Tag `enrich` (specification «Enrichment»). */
import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import {
  echoedByTracking,
  echoedSettings,
  judgePostsPerSync,
  sentSettings,
  settingsOf,
  type SettingOf,
} from '../resources/index.ts'
import { companySlug, flag, personHandle, refuserOf, uuid } from '../values/index.ts'
import { creditAPerson } from '../words/index.ts'

const operation = operationsOf('enrich')

/** Settings that need `saveTrackedProfile: true`. */
const trackedOnly = settingsOf('track')

type EnrichFields = {
  saveTrackedProfile?: boolean | undefined
  mode?: 'engagers' | 'posts_only' | undefined
} & Partial<Record<SettingOf<'track'>, unknown>>

/** Field combinations (ENR-13..ENR-37). */
function judgeCombination(body: EnrichFields, context: z.RefinementCtx): void {
  const refuse = refuserOf(context)
  if (body.saveTrackedProfile !== true) {
    for (const field of trackedOnly) if (body[field] !== undefined) refuse(field, 'needs saveTrackedProfile: true')
    return
  }
  judgePostsPerSync(body, context)
  if (body.mode === 'posts_only')
    for (const field of ['firstSyncPosts', 'firstSyncDays'] as const)
      if (body[field] !== undefined && body[field] !== null) refuse(field, 'cannot be combined with mode posts_only')
}

const body = <U extends z.ZodType>(username: U) =>
  z
    .object({
      username,
      saveTrackedProfile: flag
        .optional()
        .describe('True: create or update the tracked source first; false (default): only update existing leads.'),
      ...sentSettings('track'),
      confirmSpend: flag
        .optional()
        .describe(
          'Required for posts_only, for tracking an untracked posts-only source again, and for switching a ' +
            'posts-only source to engagers.',
        ),
    })
    .superRefine(judgeCombination)

const success = z.object({
  jobId: uuid,
  ...echoedSettings(echoedByTracking),
  syncId: uuid
    .nullable()
    .optional()
    .describe(
      'Present when tracking. The queued sync; null when the source has synced before, the plan does not allow ' +
        'capture, or no credits are left.',
    ),
  syncNotQueuedReason: z
    .string()
    .optional()
    .describe(
      'Why no sync was queued. Without credits the source stays due and syncs as soon as credits are available.',
    ),
})

const shared = {
  charges: true,
  renamed: { creditCap: 'creditCapPerSync' },
  success,
  errors: [
    'renamed_field',
    'lead_not_found',
    'spend_confirmation_required',
    'identifier_in_use',
    'source_limit_reached',
    'provider_unavailable',
  ],
} as const

export const enrichOperations = [
  operation('enrichProfile', 'POST /enrich/profile', {
    ...shared,
    summary: 'Enrich a person, optionally tracking them',
    description:
      'Queues a job. Leads that still wait for enrichment are filled for free; each lead whose enrichment had ' +
      'been given up costs one credit. With saveTrackedProfile, first creates or updates the tracked source and ' +
      `queues a sync that captures from its recent posts: ${creditAPerson}.`,
    body: body(personHandle),
    example: { username: 'jane-doe', saveTrackedProfile: true },
  }),
  operation('enrichCompany', 'POST /enrich/company', {
    ...shared,
    summary: 'Enrich a company, optionally tracking its page',
    description:
      'Queues a job. Company enrichment is never charged. With saveTrackedProfile, first creates or updates the ' +
      `tracked source and queues a sync that captures from its recent posts: ${creditAPerson}.`,
    body: body(companySlug),
    example: { username: 'acme', saveTrackedProfile: true },
  }),
] as const
