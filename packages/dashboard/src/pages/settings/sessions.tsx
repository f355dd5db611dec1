import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop, Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { send, useMe } from '../../api/index.ts'
import { inWords } from '../../shell/auth.ts'
import { Badge, Button, Card, Loaded, TimeAgo, toast } from '../../ui/index.ts'
import { deviceOf } from './device.ts'

type Session = {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly expiresAt: string
  readonly ipAddress?: string | null
  readonly userAgent?: string | null
}

const queryKey = ['sessions'] as const

function useEnding(path: string, done: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: object) => send('POST', `/app/api/auth/${path}`, body),
    onSuccess: () => {
      toast.good(done)
      void client.invalidateQueries({ queryKey })
      void client.invalidateQueries({ queryKey: ['connections'] })
    },
    onError: (error) => toast.bad(inWords(error)),
  })
}

function Row({ session, isThis }: { readonly session: Session; readonly isThis: boolean }): ReactNode {
  const end = useEnding('revoke-session', 'The session was ended')
  const device = deviceOf(session.userAgent)
  const Icon = device.phone ? Smartphone : Laptop
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="flex min-w-0 items-center gap-3">
        <Icon aria-hidden="true" size={20} className="shrink-0 text-muted" />
        <div className="min-w-0">
          <p className="text-sm font-medium">
            {device.name} {isThis && <Badge tone="info">this browser</Badge>}
          </p>
          <p className="text-[0.8125rem] text-muted">
            Signed in <TimeAgo at={session.createdAt} /> · last used <TimeAgo at={session.updatedAt} />
            {session.ipAddress && ` · ${session.ipAddress}`}
          </p>
        </div>
      </div>
      {!isThis && (
        <Button
          size="sm"
          busy={end.isPending}
          aria-label={`End the session of ${device.name}`}
          onClick={() => end.mutate({ id: session.id })}
        >
          End
        </Button>
      )}
    </li>
  )
}

/** Where one is signed in, and ending that. */
export function SessionsTab(): ReactNode {
  const { sessionId } = useMe()
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => send<readonly Session[]>('GET', '/app/api/auth/list-sessions', undefined, { signal }),
  })
  const endOthers = useEnding('revoke-other-sessions', 'All other sessions were ended, and your apps disconnected')
  return (
    <Loaded query={query}>
      {(sessions) => (
        <Card
          flush
          title="Where you are signed in"
          text="End a session that you do not know, then change your password. Ending all others disconnects your apps as well."
          actions={
            <Button
              busy={endOthers.isPending}
              reason={sessions.length < 2 && 'You are signed in nowhere else.'}
              onClick={() => endOthers.mutate({})}
            >
              End all others
            </Button>
          }
        >
          <ul className="divide-y divide-line">
            {[...sessions]
              .sort(
                (a, b) =>
                  Number(b.id === sessionId) - Number(a.id === sessionId) || b.updatedAt.localeCompare(a.updatedAt),
              )
              .map((session) => (
                <Row key={session.id} session={session} isThis={session.id === sessionId} />
              ))}
          </ul>
        </Card>
      )}
    </Loaded>
  )
}
