import { Avatar, Badge, Explained, TimeAgo, count, type Column } from '../../ui/index.ts'
import { leadName, signals, type AgentLead } from './lead.ts'

/** The columns of an agent's leads, best first. */
export const leadColumns: readonly Column<AgentLead>[] = [
  {
    id: 'person',
    header: 'Person',
    width: 'minmax(130px, 2fr)',
    cell: (row) => (
      <div className="flex items-center gap-2.5">
        <Avatar src={row.avatarUrl} name={leadName(row)} size={28} />
        <div className="min-w-0">
          <p className="truncate font-medium">{leadName(row)}</p>
          <p className="truncate text-[0.8125rem] text-muted">
            {row.enriching
              ? 'Details are being looked up'
              : [row.jobTitle, row.company].filter(Boolean).join(' at ') || 'No details'}
          </p>
        </div>
      </div>
    ),
  },
  {
    id: 'icp',
    header: 'Fit',
    width: '64px',
    align: 'end',
    cell: (row) =>
      row.icp === null ? (
        <Explained className="text-muted" words="The profile asks for nothing">
          –
        </Explained>
      ) : (
        `${row.icp}%`
      ),
  },
  {
    id: 'signal',
    header: 'Signal',
    width: '92px',
    cell: (row) => <Badge tone={signals[row.signal][1]}>{signals[row.signal][0]}</Badge>,
  },
  {
    id: 'why',
    header: 'Why',
    width: 'minmax(140px, 2fr)',
    wide: true,
    cell: (row) => <Explained words={row.signalReasons.join('; ')}>{row.signalReasons[0] ?? ''}</Explained>,
  },
  {
    id: 'engagements',
    header: 'Engagements',
    width: '110px',
    align: 'end',
    wide: true,
    cell: (row) => count(row.engagementCount),
  },
  {
    id: 'country',
    header: 'Country',
    width: 'minmax(90px, 1fr)',
    wide: true,
    cell: (row) => row.country ?? <span className="text-muted">unknown</span>,
  },
  { id: 'when', header: 'Last seen', width: '120px', wide: true, cell: (row) => <TimeAgo at={row.detectedAt} /> },
]
