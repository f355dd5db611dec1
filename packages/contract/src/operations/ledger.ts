/** The credit ledger, statements, disputes, and per source: people paid for twice, coverage and freshness. */
import { z } from 'zod'
import { csvLineOf, csvText } from '../csv.ts'
import { operationsOf } from '../operation.ts'
import {
  creditStatement,
  disputeMade,
  disputeReasons,
  freshness,
  ledgerKinds,
  ledgerPage,
  ledgerSummary,
  sourceCoverage,
  sourceOverlap,
} from '../resources/index.ts'
import { bounds, choice, idInPath, instant, lastInstant, pageQuery, refuseReversed } from '../values/index.ts'

const operation = operationsOf('account')
const sourceOperation = operationsOf('sources')

const span = { from: instant.optional(), to: lastInstant.optional() }

const idOf = (what: string) => z.uuid({ error: `must be the id of a ${what}, a uuid` }).toLowerCase()

const monthMessage = 'must be a month, for example 2026-11'

const noteMessage = `must be text of at most ${bounds.disputeNote} characters`

export const ledgerOperations = [
  operation('listLedgerEntries', 'GET /credits/ledger', {
    summary: 'List balance changes and free items',
    description:
      'Free. Newest first; `from` and `to` are inclusive. Free items have one line per engagement; once a run is ' +
      'a week old, one line per run, day and reason. The ledger does not include the lines of an agent on a free ' +
      'trial.',
    query: z
      .object({
        ...span,
        sourceId: idOf('source').optional(),
        syncId: idOf('sync').optional(),
        leadId: idOf('lead')
          .optional()
          .describe('Only lines about the person of this lead, at its source or Discover run.'),
        kind: choice(ledgerKinds).optional(),
        ...pageQuery,
      })
      .superRefine(refuseReversed),
    success: ledgerPage,
  }),
  operation('getLedgerSummary', 'GET /credits/ledger/summary', {
    summary: 'Sum the ledger by run, source or day',
    description:
      'Free. In every row, seen = charged + all free items. Covers the current billing period up to now by ' +
      'default. Both bounds are inclusive. Runs and days are sorted newest first, sources by credits charged.',
    query: z
      .object({
        groupBy: choice(['run', 'source', 'day']).default('source'),
        syncId: idOf('sync').optional(),
        ...span,
        ...pageQuery,
      })
      .superRefine(refuseReversed),
    success: ledgerSummary,
  }),
  operation('getCreditStatement', 'GET /credits/statement', {
    summary: 'Read a monthly statement',
    description:
      'Free. Covers one calendar month in UTC; the figures add up to the credit. `format=csv` returns a table.',
    query: z.object({
      month: z.string({ error: monthMessage }).regex(/^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/),
      format: choice(['json', 'csv']).default('json'),
    }),
    success: creditStatement,
    csv: {
      write({ opening, grants, charges, refunds, lapse, closing }) {
        const line = (section: string, credits: number, label: string | null, sourceId: string | null = null) =>
          csvLineOf([section, sourceId ?? '', csvText(label ?? ''), String(credits)])
        return [
          csvLineOf(['section', 'sourceId', 'label', 'credits']),
          line('opening', opening, 'Opening balance'),
          line('grants', grants, 'Grants'),
          ...charges.map(({ sourceId, label, credits }) => line('charges', credits, label, sourceId)),
          line('refunds', refunds, 'Refunds'),
          line('lapse', lapse, 'Lapse'),
          line('closing', closing, 'Closing balance'),
        ].join('')
      },
    },
  }),
  operation('disputeCharge', 'POST /credits/disputes', {
    summary: 'Dispute a charge',
    description:
      "Free. The charge is credited at once while the credits that the month's disputes return automatically " +
      'stay within 5 % of the credits charged so far in that calendar month, or within 10 credits. Beyond that, ' +
      'and for the reason `other`, the operator decides. Each charge can be disputed once.',
    strictBody: true,
    body: z.object({
      entryId: idOf('charge in the ledger'),
      reason: choice(disputeReasons),
      note: z
        .string({ error: noteMessage })
        .trim()
        .refine((note) => [...note].length <= bounds.disputeNote)
        .meta({ openapi: { type: 'string', maxLength: bounds.disputeNote } })
        .optional(),
    }),
    status: 201,
    success: disputeMade,
    errors: ['not_found', 'already_disputed'],
    example: { entryId: '0199aa00-0000-7000-8000-000000000001', reason: 'duplicate' },
  }),
  sourceOperation('getSourceOverlap', 'GET /sources/overlap', {
    summary: 'Compare the people that active sources pay for',
    description:
      'Free. A person is charged once per source. If two sources find the same people, it may be worth stopping one.',
    success: sourceOverlap,
  }),
  sourceOperation('getSourceCoverage', 'GET /sources/{id}/coverage', {
    summary: 'Compare declared engagement with captured engagement',
    description:
      "Free. Lists the posts whose engagement the source's runs have read, newest first, with the figures of the " +
      'last run that read each post.',
    params: z.object({ id: idInPath }),
    query: z.object(pageQuery),
    success: sourceCoverage,
    errors: ['not_found'],
  }),
  sourceOperation('getFreshness', 'GET /freshness', {
    summary: 'Read how fast engagement is delivered',
    description:
      'Free. Returns the median and 95th percentile over 7 days, for active sources. Counts only engagement with ' +
      'a known time (comments, and posts by their authors) that is newer than the tracking.',
    success: freshness,
  }),
] as const
