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
import { bounds, choice, idInPath, instant, lastInstant, pageQuery } from '../values/index.ts'

const operation = operationsOf('account')
const sourceOperation = operationsOf('sources')

const span = { from: instant.optional(), to: lastInstant.optional() }

const inOrder = (query: { from?: Date | undefined; to?: Date | undefined }, context: z.RefinementCtx): void => {
  if (query.from && query.to && query.to < query.from)
    context.addIssue({ code: 'custom', path: ['from'], message: 'must not be after to' })
}

const idOf = (what: string) => z.uuid({ error: `must be the id of a ${what}, a uuid` }).toLowerCase()

const monthMessage = 'must be a month, for example 2026-11'

const noteMessage = `must be text of at most ${bounds.disputeNote} characters`

export const ledgerOperations = [
  operation('listLedgerEntries', 'GET /credits/ledger', {
    summary: 'List what changed the balance, and what was free',
    description:
      'Free. Newest first; `from` and `to` are inclusive. What was free is a line an engagement, and, once its run is a week old, ' +
      'a line a run, day and reason. Lines of an agent on a free trial are not in it.',
    query: z
      .object({
        ...span,
        sourceId: idOf('source').optional(),
        syncId: idOf('sync').optional(),
        leadId: idOf('lead').optional().describe('Lines about the person of a lead, at its source or Discover run.'),
        kind: choice(ledgerKinds).optional(),
        ...pageQuery,
      })
      .superRefine(inOrder),
    success: ledgerPage,
  }),
  operation('getLedgerSummary', 'GET /credits/ledger/summary', {
    summary: 'Sum the ledger by run, source or day',
    description:
      'Free. In every row seen = charged + all that was free. From the start of the billing period until now unless told ' +
      'otherwise; both bounds are inclusive. Runs and days come newest first, sources by what they were charged.',
    query: z
      .object({
        groupBy: choice(['run', 'source', 'day']).default('source'),
        syncId: idOf('sync').optional(),
        ...span,
        ...pageQuery,
      })
      .superRefine(inOrder),
    success: ledgerSummary,
  }),
  operation('getCreditStatement', 'GET /credits/statement', {
    summary: 'Read the statement of a month',
    description: 'Free. A calendar month, UTC; it adds up to the credit. `format=csv` answers it as a table.',
    query: z.object({
      month: z.string({ error: monthMessage }).regex(/^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/, { error: monthMessage }),
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
      'Free. Credited at once while the credits that a calendar month gives back by itself stay within 5 % of what it charged so ' +
      'far, or within 10; beyond that, and for `other`, the operator decides. A charge is disputed once.',
    strictBody: true,
    body: z.object({
      entryId: idOf('charge in the ledger'),
      reason: choice(disputeReasons),
      note: z
        .string({ error: noteMessage })
        .trim()
        .refine((note) => [...note].length <= bounds.disputeNote, { error: noteMessage })
        .meta({ openapi: { type: 'string', maxLength: bounds.disputeNote } })
        .optional(),
    }),
    status: 201,
    success: disputeMade,
    errors: ['not_found', 'already_disputed'],
    example: { entryId: '0199aa00-0000-7000-8000-000000000001', reason: 'duplicate' },
  }),
  sourceOperation('getSourceOverlap', 'GET /sources/overlap', {
    summary: 'Compare whom active sources pay for',
    description:
      'Free. A person is charged once a source: of two sources that meet the same people one may be worth stopping.',
    success: sourceOverlap,
  }),
  sourceOperation('getSourceCoverage', 'GET /sources/{id}/coverage', {
    summary: 'Compare what posts declare with what was captured',
    description:
      'Free. Posts whose engagement runs of the source have read, the newest first, as the last run to read them left them.',
    params: z.object({ id: idInPath }),
    query: z.object(pageQuery),
    success: sourceCoverage,
    errors: ['not_found'],
  }),
  sourceOperation('getFreshness', 'GET /freshness', {
    summary: 'Read how fast engagement is delivered',
    description:
      'Free. Median and 95th percentile over 7 days, of active sources. Only engagement whose time is known counts (comments, and ' +
      'posts by their authors), and only what is newer than the tracking.',
    success: freshness,
  }),
] as const
