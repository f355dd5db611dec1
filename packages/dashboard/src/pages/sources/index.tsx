import { foldAsked, foldText } from '@les/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Radar } from 'lucide-react'
import { useTeam } from '../../api/index.ts'
import { compact } from '../../app/search.ts'
import {
  Button,
  Notice,
  PageFrame,
  RoleButton,
  Tabs,
  TextField,
  SelectField,
  ListCard,
  lazyPart,
} from '../../ui/index.ts'
import { sourceColumns } from './columns.tsx'
import { kindName, useSources } from './parts.tsx'
import { kinds, type Search } from './search.ts'
import { TrackDialog } from './track-dialog.tsx'

const TeamDefaults = lazyPart(() => import('./defaults/index.tsx').then((module) => module.TeamDefaults))
const Overlap = lazyPart(() => import('./overlap.tsx').then((module) => module.Overlap))

const TrackButton = ({ onTrack }: { onTrack: () => void }) => (
  <RoleButton variant="primary" icon={Plus} onClick={onTrack}>
    Track a source
  </RoleButton>
)

function List({ stopped, onTrack }: { stopped: boolean; onTrack: () => void }) {
  const { kind, find = '' } = useSearch({ from: '/signed-in/team/sources' })
  const navigate = useNavigate({ from: '/sources' })
  const { query, rows, isPending } = useSources(stopped)
  const open = useNavigate()
  const wanted = foldAsked(find).trim()
  const shown = rows.filter(
    (source) =>
      (kind === undefined || source.type === kind) &&
      (wanted === '' || foldText(`${source.label} ${source.username}`).includes(wanted)),
  )
  const isFiltered = kind !== undefined || wanted !== ''
  /** Changes what the list is narrowed to; it stands in the address. */
  const narrow = (change: { readonly [K in 'kind' | 'find']?: Search[K] | undefined }) =>
    void navigate({ search: (before) => compact({ ...before, ...change }), replace: true })
  const noMatch = {
    title: 'No source matches',
    text: query.hasNextPage ? 'Only the sources loaded so far were looked at.' : undefined,
    action: <Button onClick={() => narrow({ kind: undefined, find: undefined })}>Show all</Button>,
  }
  return (
    <ListCard
      query={isPending ? { ...query, data: undefined, isPending } : query}
      label={stopped ? 'Stopped sources' : 'Sources'}
      columns={sourceColumns}
      rows={shown}
      empty={
        isFiltered
          ? noMatch
          : stopped
            ? {
                title: 'Nothing was stopped',
                text:
                  'Sources that you stop tracking are listed here, with their leads and their history. ' +
                  'You can start them again at any time.',
              }
            : {
                icon: Radar,
                title: 'Track your first source',
                text:
                  'Paste the address of a person, a company page or a post in your market. ' +
                  'Everyone who reacts or comments becomes a lead, about once a day.',
                action: <TrackButton onTrack={onTrack} />,
              }
      }
      onOpen={(source) => void open({ to: '/sources/$id', params: { id: source.id } })}
    >
      {(rows.length > 0 || isFiltered) && (
        <div className="flex flex-wrap gap-3 border-b border-line p-3">
          <TextField
            label="Find a source"
            hideLabel
            className="min-w-48 flex-1 sm:max-w-xs"
            type="search"
            placeholder="Find by name…"
            defaultValue={find}
            onValue={(value) => narrow({ find: value || undefined })}
          />
          <SelectField
            label="Kind"
            hideLabel
            className="w-44"
            value={kind ?? ''}
            onValue={(next) => narrow({ kind: next === '' ? undefined : next })}
            choices={[
              { value: '' as const, label: 'All kinds' },
              ...kinds.map((each) => ({ value: each, label: kindName(each) })),
            ]}
          />
        </div>
      )}
    </ListCard>
  )
}

export function Page() {
  const { tab = 'active', track = false, lines } = useSearch({ from: '/signed-in/team/sources' })
  const navigate = useNavigate({ from: '/sources' })
  const { status, can } = useTeam()
  const setTrack = (open: boolean) =>
    void navigate({ search: ({ track: _, lines: __, ...rest }) => (open ? { ...rest, track: true } : rest) })
  const startTracking = () => setTrack(true)
  return (
    <PageFrame of="/sources" actions={<TrackButton onTrack={startTracking} />}>
      {status === 'expired' && (
        <Notice tone="warn" title="The free trial has ended">
          Sources stay tracked, but nothing is captured until the team subscribes.
          {can('owner') ? '' : ' Ask an owner of the team.'}
        </Notice>
      )}
      <Tabs
        label="Sources"
        value={tab}
        onValue={(next) =>
          void navigate({ search: ({ tab: _, ...rest }) => (next === 'active' ? rest : { ...rest, tab: next }) })
        }
        tabs={[
          { value: 'active', label: 'Active', content: <List stopped={false} onTrack={startTracking} /> },
          { value: 'stopped', label: 'Stopped', content: <List stopped onTrack={startTracking} /> },
          { value: 'overlap', label: 'Overlap', content: <Overlap /> },
          { value: 'defaults', label: 'Team defaults', content: <TeamDefaults /> },
        ]}
      />
      <TrackDialog open={track} onClose={() => setTrack(false)} start={lines ?? ''} />
    </PageFrame>
  )
}
