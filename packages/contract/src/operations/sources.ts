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
  judgePostsPerSync,
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

const byPerson = {
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
const byPost = { path: '/post/{urn}', params: z.object({ urn: postUrnInPath }), noun: 'post' } as const

export const syncOf = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `GET ${family.path}/sync`, {
    summary: `Sync status of a ${family.noun}`,
    description:
      'While a run is in progress, state and progress describe it; capture and stoppedBy describe the last ' +
      'finished run. Works for untracked sources too.',
    params: family.params,
    success: syncStatus,
    errors: ['not_tracked'],
  })

const webhookMessage = `must be a public https URL of at most ${bounds.webhookUrl} characters, or "" or null to clear it`

/** A webhook address; the service checks that it is public (G54). `""` and null clear it (G46). */
const webhookUrl = z
  .union([z.string({ error: webhookMessage }).max(bounds.webhookUrl), z.null()], { error: webhookMessage })
  .describe('Public https URL; an empty string or null clears it.')

export const webhookRead = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `GET ${family.path}/webhook`, {
    summary: `Read the webhook of a ${family.noun}`,
    description: "Also returns the team's signing secret.",
    params: family.params,
    success: webhookWithSecret,
    errors: ['not_tracked'],
  })

export const webhookWrite = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `PUT ${family.path}/webhook`, {
    summary: `Set the webhook of a ${family.noun}`,
    description: 'A partial update. Saving or changing the URL never delivers leads captured before.',
    params: family.params,
    body: z.object({
      webhookUrl: webhookUrl.optional(),
      icpOnly: flag.optional().describe('Deliver only leads that match the ICP criteria; default false.'),
      autoSend: flag.optional().describe('Deliver new leads automatically; default true. False: deliver only on push.'),
      syncEvents: flag.optional().describe('Also send sync.completed and sync.failed; needs a URL; default false.'),
    }),
    success: webhook,
    errors: ['not_tracked'],
    example: { webhookUrl: 'https://hooks.example.com/leads' },
  })

type EditFields = { mode?: 'engagers' | 'posts_only' | undefined } & Partial<Record<SettingOf<'edit'>, unknown>>

/** An edit must name one of these; `postsPerSync` only accompanies `mode`. */
const editable = withoutSettings(settingsOf('edit'), ['postsPerSync'])

/** Field combinations of an edit (TRK-02..TRK-05). */
function judgeEdit(body: EditFields, context: z.RefinementCtx): void {
  judgePostsPerSync(body, context)
  if (editable.some((field) => body[field] !== undefined)) return
  const names = editable.map((name) => `\`${name}\``)
  context.addIssue({
    code: 'custom',
    message: `must name at least one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`,
  })
}

const editOf = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `PATCH ${family.path}`, {
    charges: true,
    summary: `Edit a tracked ${family.noun}`,
    description:
      'Changes only the settings you send, from the next sync on. Queues no sync, enriches nothing and charges ' +
      'nothing. Leaving posts_only and raising postsPerSync require confirmSpend: true.',
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
        .describe('The previous settings; includes mode and postsPerSync only when the request sent mode.'),
    }),
    errors: ['unknown_field', 'renamed_field', 'not_tracked', 'spend_confirmation_required', 'mode_unreadable'],
    example: { creditCapPerSync: 200 },
  })

const untrackOf = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `DELETE ${family.path}`, {
    summary: `Untrack a ${family.noun}`,
    description:
      'A sync in progress stops at its next checkpoint, and waiting enrichment is skipped. Leads are kept; ' +
      'credits are not refunded.',
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
    description: "Without rules, no lead is judged and isIcp is null on the source's leads.",
    params: family.params,
    success: icp,
    errors: ['not_tracked'],
  })

const criteria = z
  .object({
    rules: filterRows(leadFilterColumns).optional(),
    matchMode: matchMode.optional().describe('all (default): every rule must match; any: one is enough.'),
    dryRun: flag.optional().describe('True: only return what the criteria would match.'),
  })
  .superRefine((body, context) => {
    if (body.dryRun !== true && body.rules === undefined && body.matchMode === undefined)
      context.addIssue({ code: 'custom', path: [], message: 'needs `rules` or `matchMode`, or `dryRun: true`' })
  })

export const icpWrite = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `PUT ${family.path}/icp`, {
    summary: `Set the ICP criteria of a ${family.noun}`,
    description:
      'A partial update: omitted fields stay unchanged; an empty list of rules clears them. Responds after the ' +
      'leads are judged again; for a source with more than 5,000 leads the rest continues in the background ' +
      '(rescoring). With dryRun: true, nothing is saved, scored or sent.',
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
      'Sends leads captured before and failed deliveries. A lead that was sent or is on its way is never sent ' +
      'again. Leads still being enriched are held until enrichment ends. Raw leads are never sent.',
    params: family.params,
    body: z.object({
      icpOnly: flag
        .optional()
        .describe(
          "Only leads that match the ICP criteria, plus failed deliveries; default: the webhook's own setting.",
        ),
      leadIds: leadIds.optional().describe('Only these leads; omitted: all leads of the source.'),
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
    description: 'The id of a source is the profileId of its leads.',
    query: z.object({
      type: choice(sourceType.options).optional(),
      includeInactive: queryBoolean.optional().describe('Include untracked sources; default false.'),
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
      'Charged like any sync. If a sync is already in progress, returns it with queued: false. Moves the next ' +
      'scheduled sync at least one day out.',
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
    description: 'Does not enrich or track the person.',
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
    summary: 'Read the progress of a push',
    description: 'Poll until finished is true. Held leads may be sent later.',
    params: z.object({ pushId: idInPath }),
    success: push,
    errors: ['not_found'],
  }),
  postOperation('trackPost', 'POST /post/track', {
    charges: true,
    summary: 'Track one post',
    description:
      'Verifies the post with the network first. Then creates the source, reactivates it or changes its ' +
      'settings, and queues a capture sync if one is due. Use the source id under /sources/{id} for sync, ' +
      'webhook and other settings.',
    renamed: { creditCap: 'creditCapPerSync' },
    body: z.object({
      postUrl: postAddress,
      ...sentSettings('post'),
    }),
    status: 201,
    success: z.object({
      postUrn: z.string().describe('Activity URN of the post; may differ from the URN you sent.'),
      postUrl: z.string().describe('The URL you sent.'),
      syncId: uuid
        .nullable()
        .describe(
          'The queued sync; null when the plan does not allow capture, the post has synced before, or no credits ' +
            'are left.',
        ),
      syncNotQueuedReason: z
        .string()
        .optional()
        .describe(
          'Why no sync was queued. Without credits the source stays due and syncs as soon as credits are available.',
        ),
      ...echoedSettings(settingsOf('post')),
    }),
    errors: ['renamed_field', 'identifier_in_use', 'source_limit_reached', 'post_resolve_failed'],
    example: { postUrl: 'https://www.linkedin.com/feed/update/urn:li:activity:7395000000000000001' },
  }),
  untrackOf('untrackPost', byPost),
] as const
