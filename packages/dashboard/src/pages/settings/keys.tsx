import { KeyRound, Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTeam, useV1Mutation, useV1Query, type V1Result } from '../../api/index.ts'
import {
  Card,
  ConfirmDialog,
  DataTable,
  EmptyState,
  Loaded,
  RoleButton,
  Served,
  TimeAgo,
  count,
  type Column,
} from '../../ui/index.ts'
import { NewKeyDialog } from './new-key.tsx'
import { useAdding } from './use-adding.ts'

type Key = V1Result<'listKeys'>['keys'][number]

function Revoke({ row }: { readonly row: Key }): ReactNode {
  const [asking, setAsking] = useState(false)
  const revoke = useV1Mutation('revokeKey', { quiet: true, done: 'The key was revoked', refreshes: ['settings'] })
  return (
    <>
      <RoleButton needs="owner" size="sm" onClick={() => setAsking(true)}>
        Revoke
      </RoleButton>
      <ConfirmDialog
        open={asking}
        onOpen={setAsking}
        danger
        title={`Revoke “${row.name}”?`}
        text="Whatever uses this key is refused from now on. This cannot be taken back."
        confirm="Revoke the key"
        onConfirm={() => revoke.mutateAsync({ id: row.id })}
      />
    </>
  )
}

const columns: readonly Column<Key>[] = [
  {
    id: 'name',
    header: 'Name',
    sortBy: (row) => row.name,
    cell: (row) => (
      <div>
        <p className="font-medium break-words">{row.name}</p>
        <p className="font-mono text-xs text-muted">{row.maskedKey}</p>
      </div>
    ),
  },
  {
    id: 'created',
    header: 'Created',
    wide: true,
    sortBy: (row) => row.createdAt,
    cell: (row) => <TimeAgo at={row.createdAt} />,
  },
  {
    id: 'used',
    header: 'Last used',
    sortBy: (row) => row.lastUsedAt,
    cell: (row) => <TimeAgo at={row.lastUsedAt} none="never" />,
  },
  { id: 'revoke', header: 'Revoke', hideHeader: true, align: 'end', cell: (row) => <Revoke row={row} /> },
]

/** What keys are for, and how many of them are in use. */
const inUse = ({ used, max, remaining }: V1Result<'listKeys'>['quota']): string =>
  `For programs that use the API, the command line or an AI assistant. ${count(used)} of ${count(max)} in use.` +
  (remaining === 0 ? ' Revoke one to make another.' : '')

/** The API keys of the team. */
export function KeysTab(): ReactNode {
  const [making, setMaking] = useAdding()
  const { can } = useTeam()
  const query = useV1Query('listKeys', {}, { topic: 'settings' })
  const full = query.data?.quota.remaining === 0
  const make = (
    <RoleButton
      needs="owner"
      variant="primary"
      icon={<Plus aria-hidden="true" size={16} />}
      reason={full && 'All keys of the team are in use: revoke one first.'}
      onClick={() => setMaking(true)}
    >
      New key
    </RoleButton>
  )
  return (
    <Served>
      <Loaded query={query}>
        {({ keys, quota }) => (
          <>
            <Card flush title="API keys" text={inUse(quota)} actions={make}>
              <DataTable
                label="API keys"
                columns={columns}
                rows={keys}
                rowId={(row) => row.id}
                empty={
                  <EmptyState
                    icon={<KeyRound size={28} />}
                    title="No API key yet"
                    text="Make one to use the API, the command line or an AI assistant."
                    action={make}
                  />
                }
              />
            </Card>
            <NewKeyDialog open={making && can('owner')} onOpen={setMaking} />
          </>
        )}
      </Loaded>
    </Served>
  )
}
