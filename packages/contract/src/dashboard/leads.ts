import { z } from 'zod'
import { listFilters } from '../operations/leads.ts'
import { lead, leadPage, leadWhyReason } from '../resources/index.ts'
import {
  bounds,
  idInPath,
  integer,
  isoDateTime,
  queryNumberOr,
  textOrNull,
  uuid,
  choice,
  nameText,
} from '../values/index.ts'
import { deliveryRow } from './deliveries.ts'
import { sessionOperationsOf } from './operation.ts'

const operation = sessionOperationsOf('leads')

const leadEngagement = z.object({
  leadId: uuid,
  at: isoDateTime.describe('When it was captured.'),
  engagementType: z.enum(['Like', 'Comment', 'Author']),
  reaction: textOrNull,
  commentText: textOrNull,
  commentPostedAt: isoDateTime.nullable(),
  postUrl: textOrNull,
  postText: textOrNull.describe('The beginning of the post text.'),
  postPostedAt: isoDateTime.nullable(),
  source: z.object({
    id: uuid.nullable(),
    kind: z.enum(['keyword', 'post', 'profile', 'company', 'discover']),
    label: textOrNull,
  }),
  charged: z.boolean().describe("True when this engagement cost the credit: the person's first under its source."),
})

const leadDelivery = deliveryRow
  .omit({ leadId: true, leadName: true, lastOutcome: true, createdAt: true })
  .extend({ event: z.string() })

const maxOffset = 10_000

const viewQuery = z
  .record(
    z.string().max(60),
    z.union([z.string().max(500), z.number(), z.boolean(), z.array(z.string().max(500)).max(50)]),
    { error: 'must be the filters of a page' },
  )
  .refine((query) => JSON.stringify(query).length <= 4_000, { error: 'must be at most 4,000 characters as JSON' })
const viewPage = choice(['leads', 'sources', 'deliveries'])
const savedView = z.object({
  id: uuid,
  name: z.string(),
  page: viewPage,
  query: viewQuery,
  createdBy: z.string(),
  updatedAt: isoDateTime,
})
const viewName = nameText('a name', 80)

export const leadDashboardOperations = [
  operation('getLeadDetail', 'GET /leads/{id}', {
    role: 'viewer',
    summary: 'Read a lead: the person across all sources, the fit and its reasons, and the deliveries',
    params: z.object({ id: idInPath }),
    success: z.object({
      lead,
      engagements: z
        .array(leadEngagement)
        .describe('Engagements of the person across all sources, newest first; at most 200.'),
      engagementCount: integer,
      fit: z
        .array(
          z.object({
            sourceId: uuid,
            sourceLabel: z.string(),
            isIcp: z.boolean().nullable(),
            matchMode: z.enum(['all', 'any']),
            rows: z.array(z.object({ text: z.string(), passed: z.boolean(), value: textOrNull })),
          }),
        )
        .describe("For each of the person's sources with ICP criteria: every row, and whether this lead passes it."),
      deliveries: z.array(leadDelivery),
      whyNotDelivered: z
        .array(leadWhyReason)
        .describe("Why this lead was not delivered to its source's webhook; empty when it was delivered."),
      sends: z
        .array(z.object({ campaignId: z.string(), campaignName: textOrNull, state: z.string(), at: isoDateTime }))
        .describe('Outreach campaigns that this person was sent to.'),
    }),
    errors: ['lead_not_found'],
  }),
  operation('listSortedLeads', 'GET /grid/leads', {
    role: 'viewer',
    summary: 'List the leads of GET /leads in a chosen order; leads without the value come last',
    query: listFilters.safeExtend({
      offset: queryNumberOr({ ...bounds.offset, max: maxOffset }),
      sort: choice(['captured', 'name', 'company', 'fit', 'engagement']),
      direction: choice(['up', 'down']),
    }),
    success: leadPage,
    errors: ['not_found'],
  }),
  operation('listViews', 'GET /views', {
    role: 'viewer',
    summary: "List the team's saved views",
    success: z.object({ views: z.array(savedView) }),
  }),
  operation('saveView', 'PUT /views', {
    role: 'member',
    summary: 'Save the filters of a page under a name; an existing name is replaced',
    body: z.object({
      page: viewPage,
      name: viewName,
      query: viewQuery,
    }),
    success: z.object({ view: savedView }),
    errors: ['view_limit_reached'],
  }),
  operation('deleteView', 'DELETE /views/{id}', {
    role: 'member',
    summary: 'Delete a saved view',
    params: z.object({ id: idInPath }),
    success: z.object({ ok: z.literal(true) }),
    errors: ['not_found'],
  }),
] as const
