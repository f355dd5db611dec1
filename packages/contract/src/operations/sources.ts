/**
 * Tags `sources` and `posts` (specification «Tracked person and company sources», «Sources and their reads», «ICP criteria»,
 * «Events»). Operations that exist once per kind of source are declared by one function, so that the kinds stay alike.
 */
import { z } from 'zod'
import {
  companySlug,
  idInPath,
  personHandle,
  postUrnInPath,
  bounds,
  flag,
  integer,
  isoDateTime,
  queryBoolean,
  uuid,
  webhookUrl,
  filterRows,
  leadFilterColumns,
  matchMode,
  postAddress,
  choice,
} from '../values/index.ts'
import { operationsOf } from '../operation.ts'
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
  icp,
  savedIcp,
  triedIcp,
  push,
  startedPush,
} from '../resources/index.ts'

const operation = operationsOf('sources')
const postOperation = operationsOf('posts')

export type Family<P extends z.ZodObject> = { readonly path: string; readonly params: P; readonly noun: string }

export const byPerson = {
  path: '/profile/{username}',
  params: z.object({ username: personHandle }),
  noun: 'person',
} as const
export const byCompany = {
  path: '/company/{username}',
  params: z.object({ username: companySlug }),
  noun: 'company',
} as const
export const bySource = { path: '/sources/{id}', params: z.object({ id: idInPath }), noun: 'source' } as const
/** A keyword search, deleted or not. */
export const byKeyword = { path: '/keyword/{id}', params: z.object({ id: idInPath }), noun: 'keyword search' } as const
export const byPost = { path: '/post/{urn}', params: z.object({ urn: postUrnInPath }), noun: 'post' } as const

export const syncOf = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `GET ${family.path}/sync`, {
    summary: `Sync status of a ${family.noun}`,
    description:
      'While a later run is under way, state and progress are its own; ' +
      'capture and stoppedBy are those of the last finished run. Untracked sources still answer.',
    params: family.params,
    success: syncStatus,
    errors: ['not_tracked'],
  })

export const webhookRead = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `GET ${family.path}/webhook`, {
    summary: `Read the webhook of a ${family.noun}`,
    description: 'Also answers the signing secret of the team.',
    params: family.params,
    success: webhookWithSecret,
    errors: ['not_tracked'],
  })

export const webhookWrite = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `PUT ${family.path}/webhook`, {
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

/** An edit must name one of these; `postsPerSync` only accompanies `mode`. */
const editable = withoutSettings(settingsOf('edit'), ['postsPerSync'])

const quoted = (name: string): string => `\`${name}\``

/** Field combinations of an edit (TRK-02..TRK-05). */
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

export const untrackOf = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `DELETE ${family.path}`, {
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

export const icpRead = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `GET ${family.path}/icp`, {
    summary: `Read the ICP criteria of a ${family.noun}`,
    description: 'Without rules nobody is judged and isIcp of its leads is null.',
    params: family.params,
    success: icp,
    errors: ['not_tracked'],
  })

const criteria = z
  .object({
    rules: filterRows(leadFilterColumns).optional(),
    matchMode: matchMode.optional().describe('all (default): every rule must match; any: one is enough.'),
    dryRun: flag.optional().describe('True: only say what the criteria would match.'),
  })
  .superRefine((body, context) => {
    if (body.dryRun !== true && body.rules === undefined && body.matchMode === undefined)
      context.addIssue({ code: 'custom', path: [], message: 'needs `rules` or `matchMode`, or `dryRun: true`' })
  })

export const icpWrite = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `PUT ${family.path}/icp`, {
    summary: `Set the ICP criteria of a ${family.noun}`,
    description:
      'A partial update: what is absent stays, an empty list of rules clears. ' +
      'Answers when every lead has been judged again; with dryRun: true nothing is saved, scored or sent.',
    params: family.params,
    body: criteria,
    success: z.union([triedIcp, savedIcp]),
    errors: ['not_tracked'],
    example: { rules: [{ column: 'jobTitle', operator: 'contains', value: 'growth' }], matchMode: 'all' },
  })

const leadIdsMessage = `must be a list of at most ${bounds.pushLeadIds} lead ids`

export const leadIds = z
  .array(
    z.uuid({ error: 'must be the id of a lead, a uuid' }).transform((id) => id.toLowerCase()),
    { error: leadIdsMessage },
  )
  .max(bounds.pushLeadIds)
  .meta({ openapi: { type: 'array', maxItems: bounds.pushLeadIds, items: { type: 'string', format: 'uuid' } } })

export const pushOf = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `POST ${family.path}/push`, {
    summary: `Push captured leads of a ${family.noun} to its webhook`,
    description:
      'Sends what was captured before, and what failed; a lead sent or on its way is never sent again. ' +
      'Leads still being enriched are held until that ends. Raw leads are never sent.',
    params: family.params,
    body: z.object({
      icpOnly: flag
        .optional()
        .describe("Only leads that match the ICP criteria, besides failed ones; default: the webhook's own setting."),
      leadIds: leadIds.optional().describe('Only these leads; absent: all of the source.'),
    }),
    largeBody: true,
    success: startedPush,
    errors: ['not_tracked', 'no_webhook'],
    example: {},
  })

/** Reading posts is in `post-reads.ts`. */
export const sourceOperations = [
  operation('listSources', 'GET /sources', {
    summary: "List the team's sources",
    description: "A source's id is the profileId of leads.",
    query: z.object({
      type: choice(sourceType.options).optional(),
      includeInactive: queryBoolean.optional().describe('Also untracked ones; default false.'),
    }),
    success: z.object({ sources: z.array(source), total: integer }),
  }),
  syncOf('getProfileSync', byPerson),
  syncOf('getCompanySync', byCompany),
  syncOf('getSourceSync', bySource),
  operation('startSourceSync', 'POST /sources/{id}/sync', {
    charges: true,
    summary: 'Sync a person, company or post now',
    description:
      'Charged like any sync. A sync already in flight is returned with queued: false. Moves the next scheduled sync at least a day out.',
    params: bySource.params,
    body: z.object({}),
    success: z.object({ sourceId: uuid, syncId: uuid, jobId: uuid, queued: z.boolean(), nextSyncAt: isoDateTime }),
    errors: ['not_tracked', 'keyword_not_syncable', 'insufficient_enriching_credits', 'capture_not_allowed'],
    example: {},
  }),
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
  operation('resolveProfileUrn', 'GET /profile/{username}/urn', {
    summary: 'Resolve a handle to a member id, free',
    description: 'Enriches and tracks nobody.',
    params: z.object({ username: personHandle }),
    success: z.object({ username: z.string(), entityUrn: z.string(), creditsCharged: z.literal(0) }),
    errors: ['profile_not_found', 'provider_unavailable'],
  }),
  icpRead('getProfileIcp', byPerson),
  icpWrite('updateProfileIcp', byPerson),
  icpRead('getCompanyIcp', byCompany),
  icpWrite('updateCompanyIcp', byCompany),
  icpRead('getSourceIcp', bySource),
  icpWrite('updateSourceIcp', bySource),
  pushOf('pushProfile', byPerson),
  pushOf('pushCompany', byCompany),
  pushOf('pushSource', bySource),
  operation('getPush', 'GET /push/{pushId}', {
    summary: 'Read how far a push has come',
    description: 'Poll until finished; held leads may go later.',
    params: z.object({ pushId: idInPath }),
    success: push,
    errors: ['not_found'],
  }),
  postOperation('trackPost', 'POST /post/track', {
    charges: true,
    summary: 'Track one post',
    description:
      'Verifies the post with the network first, then creates the source, revives it, or changes its settings, ' +
      'and queues a capture sync where one is owed. Sync, webhook and the rest are reached by its source id, ' +
      'under /sources/{id}.',
    renamed: { creditCap: 'creditCapPerSync' },
    body: z.object({
      postUrl: postAddress,
      ...sentSettings('post'),
    }),
    status: 201,
    success: z.object({
      postUrn: z.string().describe("The post's activity URN; may differ from the URN submitted."),
      postUrl: z.string().describe('As submitted.'),
      syncId: uuid
        .nullable()
        .describe(
          'The queued sync; null when the plan does not allow capture, the post has synced, or no credits are left.',
        ),
      syncNotQueuedReason: z
        .string()
        .optional()
        .describe(
          'Why no sync was queued. Without credits the source is left due: it syncs as soon as there are some.',
        ),
      ...echoedSettings(settingsOf('post')),
    }),
    errors: ['renamed_field', 'identifier_in_use', 'source_limit_reached', 'post_resolve_failed'],
    example: { postUrl: 'https://www.linkedin.com/feed/update/urn:li:activity:7395000000000000001' },
  }),
  untrackOf('untrackPost', byPost),
] as const
