import type { ReactNode } from 'react'
import type { V1Result } from '../../api/index.ts'
import { count, countOf, DataTable, Meter, SafeLink, type Column } from '../../ui/index.ts'

/** The answer to a trial of criteria. */
export type TriedAnswer = Extract<V1Result<'updateSourceIcp'>, { readonly dryRun: true }>
type Lead = TriedAnswer['sample'][number]

const columns: readonly Column<Lead>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (lead) => <SafeLink href={lead.linkedinUrl}>{lead.name ?? 'Name unknown'}</SafeLink>,
  },
  { id: 'title', header: 'Job title', cell: (lead) => lead.jobTitle ?? '–' },
  { id: 'company', header: 'Company', cell: (lead) => lead.company ?? '–' },
  { id: 'country', header: 'Country', wide: true, cell: (lead) => lead.country ?? '–' },
]

/** What criteria that are not saved would say of the stored leads. */
export function Tried({ answer }: { readonly answer: TriedAnswer }): ReactNode {
  const { matching, notMatching } = answer.counts
  return (
    <section
      aria-label="Result of the trial"
      aria-live="polite"
      className="flex flex-col gap-3 rounded-lg border border-line p-3"
    >
      <Meter
        label="Leads that would fit"
        value={matching}
        max={matching + notMatching}
        text={`${count(matching)} of ${count(matching + notMatching)}`}
      />
      {answer.sample.length > 0 ? (
        <DataTable
          label={`The newest ${countOf(answer.sample.length, 'lead')} that would fit`}
          columns={columns}
          rows={answer.sample}
          rowId={(lead) => lead.id}
        />
      ) : (
        <p className="text-sm text-muted">
          {matching + notMatching === 0
            ? 'There are no enriched leads to try them on yet.'
            : 'Nobody would fit: loosen a row.'}
        </p>
      )}
      <p className="text-[0.8125rem] text-muted">Nothing was saved, judged or sent.</p>
    </section>
  )
}
