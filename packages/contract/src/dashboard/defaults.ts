/** Team defaults for sources tracked at the dashboard, and applying them to chosen sources (decision 0019). */
import { z } from 'zod'
import { campaignErrors, campaignId } from '../operations/outreach.ts'
import { sourceType } from '../resources/index.ts'
import {
  bounds,
  filterRow,
  filterRows,
  flag,
  integer,
  isoDateTime,
  leadFilterColumns,
  matchMode,
  uuid,
  wholeNumberOrNull,
  choice,
} from '../values/index.ts'
import { sessionOperationsOf, sourceIdsUpTo } from './operation.ts'

const operation = sessionOperationsOf('sources')

/** Scope of defaults: every source, or one kind; the parts of a kind override those of `all`. */
export const defaultsOf = ['all', ...sourceType.options] as const

export const defaultParts = ['webhook', 'criteria', 'outreach', 'cap'] as const

export type DefaultPart = (typeof defaultParts)[number]

export const defaultKept = z.enum(['agent', 'posts_only', 'needs_a_cap'])

export const maxDefaulted = 2_000

const urlMessage = `must be a public https URL of at most ${bounds.webhookUrl} characters`
const url = z.string({ error: urlMessage }).min(1).max(bounds.webhookUrl)
const sentParts = {
  webhook: z
    .strictObject({ url, icpOnly: flag.default(false), autoSend: flag.default(true), syncEvents: flag.default(false) })
    .nullable()
    .optional(),
  criteria: z
    .strictObject({ rules: filterRows(leadFilterColumns), matchMode: matchMode.default('all') })
    .nullable()
    .optional(),
  outreach: z
    .strictObject({ campaignId, autoSend: flag.default(true), filters: filterRows(leadFilterColumns).default([]) })
    .nullable()
    .optional(),
  cap: z
    .strictObject({ credits: wholeNumberOrNull(bounds.creditCap, 'no limit') })
    .nullable()
    .optional()
    .describe('Maximum credits of one sync or run; null: no limit (not allowed for keyword searches).'),
}
const rows = z.array(filterRow)
const storedParts = {
  webhook: z
    .object({ url: z.string(), icpOnly: z.boolean(), autoSend: z.boolean(), syncEvents: z.boolean() })
    .nullable(),
  criteria: z.object({ rules: rows, matchMode }).nullable(),
  outreach: z
    .object({ campaignId: z.string(), campaignName: z.string(), autoSend: z.boolean(), filters: rows })
    .nullable(),
  cap: z.object({ credits: integer.nullable() }).nullable(),
}
const defaults = z.object({
  of: z.enum(defaultsOf),
  ...storedParts,
  updatedAt: isoDateTime.nullable(),
})

const chosen = {
  sources: z.discriminatedUnion(
    'by',
    [
      z.strictObject({ by: z.literal('all') }),
      z.strictObject({ by: z.literal('type'), type: choice(sourceType.options) }),
      z.strictObject({ by: z.literal('ids'), ids: sourceIdsUpTo(maxDefaulted) }),
    ],
    { error: 'must say `by` all, type or ids' },
  ),
  parts: z
    .array(choice(defaultParts))
    .min(1, { error: 'must name at least one part' })
    .max(defaultParts.length, { error: 'must name each part once' })
    .default([...defaultParts]),
}

const change = z.object({
  part: z.enum(defaultParts),
  from: z.string().describe('Current setting of the source, as text.'),
  to: z.string(),
})
const preview = z.object({
  sources: integer.describe('Number of tracked sources checked.'),
  changes: integer.describe('Number of sources that change; shown on the button.'),
  same: integer.describe('Sources that already have these settings, or have no default.'),
  kept: z.array(z.object({ reason: defaultKept, count: integer })),
  rows: z
    .array(
      z.object({
        id: uuid,
        type: sourceType,
        label: z.string(),
        changes: z.array(change),
        kept: z.array(z.object({ part: z.enum(defaultParts), reason: defaultKept })),
      }),
    )
    .describe('Sources that change or keep something; at most 500.'),
  leadsJudged: integer.describe('Leads that are judged again by the new criteria; free.'),
  daily: z
    .object({
      before: integer.nullable(),
      after: integer.nullable(),
      balance: integer,
      days: integer.nullable(),
    })
    .describe(
      'Maximum credits per day of all checked sources, before and after; null: no limit. `days`: how long the ' +
        'balance lasts at that rate; null without a limit.',
    ),
  agreed: z.string().describe('Identifies the previewed changes; send it back to confirm them.'),
})

export const defaultsDashboardOperations = [
  operation('getDefaults', 'GET /defaults', {
    role: 'member',
    summary: "Read the team's defaults for all sources and for each kind; a kind's parts take precedence",
    success: z.object({ defaults: z.array(defaults) }),
  }),
  operation('saveDefaults', 'PUT /defaults/{of}', {
    role: 'member',
    summary:
      'Set defaults for all sources or one kind; only the parts sent change, null removes a part; no source changes',
    params: z.object({ of: choice(defaultsOf) }),
    body: z.object(sentParts),
    success: z.object({ defaults }),
    errors: [...campaignErrors],
  }),
  operation('previewDefaults', 'POST /defaults/preview', {
    role: 'member',
    summary: 'Preview what applying the defaults would change, source by source, and the cost; changes nothing',
    body: z.object(chosen),
    largeBody: true,
    success: preview,
  }),
  operation('applyDefaults', 'POST /defaults/apply', {
    role: 'member',
    summary: 'Apply a preview to its sources, all or nothing',
    body: z.object({ ...chosen, agreed: z.string({ error: 'must be the `agreed` of the preview' }).max(100) }),
    largeBody: true,
    success: z.object({ changed: integer }),
    errors: ['changes_outdated', ...campaignErrors],
  }),
] as const
