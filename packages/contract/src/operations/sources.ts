/**
 * Tag `sources`: tracked sources, their syncs and webhooks (specification «Tracked person and company sources»,
 * «Sources and their reads»).
 */
import { z } from 'zod'
import { operation } from '../operation.ts'
import {
  alwaysBefore,
  echoedByEdit,
  echoedSettings,
  sentSettings,
  settingsOf,
  shownSettings,
  source,
  sourceType,
  syncStatus,
  webhook,
  webhookWithSecret,
  withoutSettings,
  type SettingOf,
} from '../resources/index.ts'
import { bounds, flag, integer, isoDateTime, personHandle, queryBoolean, uuid, webhookUrl } from '../values/index.ts'
import { byCompany, byPerson, bySource, type Family } from './families.ts'

const listSources = operation('listSources', 'GET /sources', {
  tag: 'sources',
  summary: "List the team's sources",
  description: "A source's id is the profileId of leads.",
  query: z.object({
    type: z.enum(sourceType.options, { error: 'must be person, company, post or keyword' }).optional(),
    includeInactive: queryBoolean.optional().describe('Also untracked ones; default false.'),
  }),
  success: z.object({ sources: z.array(source), total: integer }),
})

/** `GET …/sync` of one kind. */
export const syncOf = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `GET ${family.path}/sync`, {
    tag: 'sources',
    summary: `Sync status of a ${family.noun}`,
    description:
      'While a later run is under way, state and progress are its own; ' +
      'capture and stoppedBy are those of the last finished run. Untracked sources still answer.',
    params: family.params,
    success: syncStatus,
    errors: ['not_tracked'],
  })

const startSourceSync = operation('startSourceSync', 'POST /sources/{id}/sync', {
  charges: true,
  tag: 'sources',
  summary: 'Sync a person, company or post now',
  description:
    'Charged like any sync. A sync already in flight is returned with queued: false. Moves the next scheduled sync at least a day out.',
  params: bySource.params,
  body: z.object({}),
  success: z.object({ sourceId: uuid, syncId: uuid, jobId: uuid, queued: z.boolean(), nextSyncAt: isoDateTime }),
  errors: ['not_tracked', 'keyword_not_syncable', 'insufficient_enriching_credits', 'capture_not_allowed'],
  example: {},
})

/** `GET …/webhook` of one kind. */
export const webhookRead = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `GET ${family.path}/webhook`, {
    tag: 'sources',
    summary: `Read the webhook of a ${family.noun}`,
    description: 'Also answers the signing secret of the team.',
    params: family.params,
    success: webhookWithSecret,
    errors: ['not_tracked'],
  })

/** `PUT …/webhook` of one kind. */
export const webhookWrite = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `PUT ${family.path}/webhook`, {
    tag: 'sources',
    summary: `Set the webhook of a ${family.noun}`,
    description: 'A partial update. Saving or changing a URL never delivers leads captured before.',
    params: family.params,
    body: z.object({
      webhookUrl: webhookUrl.optional(),
      icpOnly: flag.optional().describe('Deliver only leads that match the ICP criteria; default false.'),
      autoSend: flag.optional().describe('Deliver new leads by themselves; default true. False delivers on push only.'),
      syncEvents: flag.optional().describe('Also send sync.completed and sync.failed; needs a URL; default false.'),
    }),
    success: webhook,
    errors: ['not_tracked'],
    example: { webhookUrl: 'https://hooks.example.com/leads' },
  })

type EditFields = { mode?: 'engagers' | 'posts_only' | undefined } & Partial<Record<SettingOf<'edit'>, unknown>>

/** What an edit must name one of: what else it may name comes with it. */
const editable = withoutSettings(settingsOf('edit'), ['postsPerSync'])

const quoted = (name: string): string => `\`${name}\``

/** The combination rules of an edit (TRK-02..TRK-05). */
function judgeEdit(body: EditFields, context: z.RefinementCtx): void {
  const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  if (body.mode === 'posts_only' && body.postsPerSync === undefined)
    refuse(
      'postsPerSync',
      `is required with mode posts_only: a whole number from ${bounds.postsPerSync.min} to ${bounds.postsPerSync.max}`,
    )
  if (body.mode !== 'posts_only' && body.postsPerSync !== undefined)
    refuse('postsPerSync', 'is only allowed with mode: posts_only')
  if (editable.every((field) => body[field] === undefined))
    context.addIssue({
      code: 'custom',
      message: `must name at least one of ${editable.slice(0, -1).map(quoted).join(', ')} and ${quoted(editable.at(-1)!)}`,
    })
}

const editOf = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `PATCH ${family.path}`, {
    charges: true,
    tag: 'sources',
    summary: `Edit a tracked ${family.noun}`,
    description:
      'Changes the settings it names and leaves the rest; binds from the next sync. ' +
      'Queues no sync, enriches nothing and charges nothing. Leaving posts_only, and more posts a sync, ' +
      'need confirmSpend: true.',
    params: family.params,
    strictBody: true,
    renamed: { creditCap: 'creditCapPerSync' },
    body: z
      .object({
        ...sentSettings('edit'),
        confirmSpend: flag.optional().describe('Required to leave posts_only and to raise postsPerSync.'),
      })
      .superRefine(judgeEdit),
    success: z.object({
      sourceId: uuid,
      type: z.enum(['person', 'company']),
      username: z.string(),
      ...shownSettings(['creditCapPerSync']),
      ...echoedSettings(echoedByEdit),
      previous: z
        .object({
          ...shownSettings(alwaysBefore),
          ...echoedSettings(['mode', 'postsPerSync']),
        })
        .describe('What was set before; mode and postsPerSync only when mode was named.'),
    }),
    errors: ['unknown_field', 'renamed_field', 'not_tracked', 'spend_confirmation_required', 'mode_unreadable'],
    example: { creditCapPerSync: 200 },
  })

/** `DELETE` of a source of one kind. */
export const untrackOf = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `DELETE ${family.path}`, {
    tag: 'sources',
    summary: `Untrack a ${family.noun}`,
    description:
      'A running sweep is abandoned at its next checkpoint and waiting enrichment is skipped; leads are kept, credits are not refunded.',
    params: family.params,
    success: z.object({
      ok: z.literal(true),
      username: z.string(),
      profileType: sourceType,
      untracked: z.literal(true),
    }),
    errors: ['not_tracked', 'trial_source'],
  })

const resolveProfileUrn = operation('resolveProfileUrn', 'GET /profile/{username}/urn', {
  tag: 'sources',
  summary: 'Resolve a handle to a member id, free',
  description: 'Enriches and tracks nobody.',
  params: z.object({ username: personHandle }),
  success: z.object({ username: z.string(), entityUrn: z.string(), creditsCharged: z.literal(0) }),
  errors: ['profile_not_found', 'provider_unavailable'],
})

/** The operations of this tag. */
export const sourceOperations = [
  listSources,
  syncOf('getProfileSync', byPerson),
  syncOf('getCompanySync', byCompany),
  syncOf('getSourceSync', bySource),
  startSourceSync,
  webhookRead('getProfileWebhook', byPerson),
  webhookWrite('updateProfileWebhook', byPerson),
  webhookRead('getCompanyWebhook', byCompany),
  webhookWrite('updateCompanyWebhook', byCompany),
  webhookRead('getSourceWebhook', bySource),
  webhookWrite('updateSourceWebhook', bySource),
  editOf('editProfile', byPerson),
  editOf('editCompany', byCompany),
  untrackOf('untrackProfile', byPerson),
  untrackOf('untrackCompany', byCompany),
  resolveProfileUrn,
] as const
