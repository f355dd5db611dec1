import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { api, type SessionResult } from '../../api/index.ts'
import { Button, Card, ConfirmDialog, Loaded, TimeAgo, toast } from '../../ui/index.ts'
import { cleanName } from '../consent/request.ts'

type Connection = SessionResult<'listConnections'>['connections'][number]

const queryKey = ['connections'] as const

function Row({ connection }: { readonly connection: Connection }): ReactNode {
  const client = useQueryClient()
  const [asks, setAsks] = useState(false)
  const name = cleanName(connection.appName)
  const end = useMutation({
    mutationFn: () => api.session('revokeConnection', { id: connection.id }),
    onSuccess: () => {
      toast.good('The access was ended')
      void client.invalidateQueries({ queryKey })
    },
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="flex min-w-0 items-center gap-3">
        <Plug aria-hidden="true" size={20} className="shrink-0 text-muted" />
        <div className="min-w-0">
          <p className="text-sm font-medium">
            <bdi className="break-words">{name}</bdi>
          </p>
          <p className="text-[0.8125rem] text-muted">
            For {connection.team.name} · allowed <TimeAgo at={connection.since} /> ·{' '}
            {connection.redirectHosts.join(', ')}
          </p>
        </div>
      </div>
      <Button size="sm" aria-label={`End the access of ${name}`} onClick={() => setAsks(true)}>
        End
      </Button>
      <ConfirmDialog
        open={asks}
        onOpen={setAsks}
        title={`End the access of ${name}?`}
        text={`It can do nothing more for ${connection.team.name}, at once. To use it again you sign in from it anew.`}
        confirm="End the access"
        danger
        onConfirm={() => end.mutateAsync()}
      />
    </li>
  )
}

/** The apps that one has let act for a team. */
export function Connections(): ReactNode {
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api.session('listConnections', {}, { signal }) })
  return (
    <Loaded query={query}>
      {({ connections }) => (
        <Card flush title="Connected apps" text="Apps such as agent tools that you let act for a team.">
          {connections.length === 0 ? (
            <p className="px-4 py-3 text-sm text-muted">
              None. An app asks you when you add the address of the agent tools to it.
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {connections.map((connection) => (
                <Row key={connection.id} connection={connection} />
              ))}
            </ul>
          )}
        </Card>
      )}
    </Loaded>
  )
}
