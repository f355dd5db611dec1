import { foldAsked, foldText, sourceKindNames } from '@les/contract'
import { useNavigate } from '@tanstack/react-router'
import { Plus, Radar } from 'lucide-react'
import { useTeam } from '../../api/index.ts'
import { Button, RoleButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { ListCard, ListFilters } from '../../ui/list-card.tsx'
import { PageFrame, Tabs } from '../../ui/page.tsx'
import { Notice } from '../../ui/show.tsx'
import { useAddress, type Patch } from '../../app/address.ts'
import { sourceKinds, type SearchOf } from '../../app/searches.ts'
import { sourceColumns } from './columns.tsx'
import { useSources } from './parts.tsx'
import { TrackDialog } from './track-dialog.tsx'

const TeamDefaults = lazyPart(() => import('./defaults/index.tsx').then((module) => module.TeamDefaults))
const Overlap = lazyPart(() => import('./overlap.tsx').then((module) => module.Overlap))

const kindChoices = sourceKinds.map((value) => ({ value, label: sourceKindNames[value] }))

const TrackButton = ({ onTrack }: { onTrack: () => void }) => (
  <RoleButton variant="primary" icon={Plus} onClick={onTrack}>
    Track a source
  </RoleButton>
)

function List({ stopped, onTrack }: { stopped: boolean; onTrack: () => void }) {
  const address = useAddress('/signed-in/team/sources')
  const { kind, find = '' } = address.search
  const { query, rows, isPending } = useSources(stopped)
  const open = useNavigate()
  const wanted = foldAsked(find).trim()
  const shown = rows.filter(
    (source) =>
      (kind === undefined || source.type === kind) &&
      (wanted === '' || foldText(`${source.label} ${source.username}`).includes(wanted)),
  )
  const isFiltered = kind !== undefined || wanted !== ''
  const narrow = (patch: Patch<Pick<SearchOf<'sources'>, 'kind' | 'find'>>) => address.change(patch, { replace: true })
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
                text: 'Sources that you stop tracking are listed here, with their leads and their history. You can start them again at any time.',
              }
            : {
                icon: Radar,
                title: 'Track your first source',
                text: 'Paste the address of a person, a company page or a post in your market. Everyone who reacts or comments becomes a lead, about once a day.',
                action: <TrackButton onTrack={onTrack} />,
              }
      }
      onOpen={(source) => void open({ to: '/sources/$id', params: { id: source.id } })}
    >
      {(rows.length > 0 || isFiltered) && (
        <ListFilters
          address={address}
          filters={[{ name: 'kind', label: 'Kind', any: 'All kinds', choices: kindChoices, className: 'w-44' }]}
          replace
        >
          <TextField
            label="Find a source"
            hideLabel
            className="min-w-48 flex-1 sm:max-w-xs"
            type="search"
            placeholder="Find by name…"
            defaultValue={find}
            onValue={(value) => narrow({ find: value || undefined })}
          />
        </ListFilters>
      )}
    </ListCard>
  )
}

export function Page() {
  const { search, change, tabs } = useAddress('/signed-in/team/sources')
  const { track = false, lines } = search
  const { status, can } = useTeam()
  const setTrack = (open: boolean) => change({ track: open || undefined, lines: undefined })
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
        {...tabs('active', { keeps: true })}
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
