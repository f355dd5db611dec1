import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useSessionMutation, useSessionQuery, type SessionResult } from '../../api/index.ts'
import { Button, Card, CopyField, Loaded, Notice, RoleButton, TimeUntil, absoluteTime } from '../../ui/index.ts'
import { ShownOnceDialog } from './shown-once.tsx'

function MadeSecret({ made }: { readonly made: SessionResult<'rotateSecret'> }): ReactNode {
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="warn">Copy it now: it is shown here this once.</Notice>
      {made.signingSecret === null ? (
        <p className="text-sm">This secret was shown before.</p>
      ) : (
        <CopyField label="Signing secret" value={made.signingSecret} />
      )}
      <p className="text-sm">
        Until {absoluteTime(made.rotatingUntil)} each delivery is signed with both the new and the old secret. Put the
        new one in place before that.
      </p>
    </div>
  )
}

function RotateDialog({
  open,
  onOpen,
}: {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}): ReactNode {
  const rotate = useSessionMutation('rotateSecret', { quiet: true, refreshes: ['settings', 'deliveries'] })
  const close = () => {
    rotate.reset()
    onOpen(false)
  }
  const made = rotate.data
  return (
    <ShownOnceDialog
      open={open}
      onOpen={onOpen}
      onClose={close}
      isMade={made !== undefined}
      title={made ? 'Your new signing secret' : 'Make a new signing secret?'}
      act={
        <Button variant="primary" busy={rotate.isPending} onClick={() => rotate.mutate({})}>
          Make a new secret
        </Button>
      }
    >
      {made ? (
        <MadeSecret made={made} />
      ) : (
        <div className="flex flex-col gap-2 text-sm">
          <p>
            For 24 hours each delivery carries two signatures, one by the new and one by the old secret, so that nothing
            is lost while you change it. After that only the new one signs.
          </p>
          {rotate.error && (
            <p role="alert" className="text-danger-text">
              {rotate.error.message}
            </p>
          )}
        </div>
      )}
    </ShownOnceDialog>
  )
}

/** The secret that webhook deliveries are signed with. */
export function SecretTab(): ReactNode {
  const [rotating, setRotating] = useState(false)
  const query = useSessionQuery('getSettings', {}, { topic: 'settings' })
  return (
    <Loaded query={query}>
      {({ signing }) => (
        <Card
          title="Webhook signing secret"
          text="One secret signs every delivery of the team, so that your server can tell they are ours."
          actions={
            <RoleButton needs="owner" onClick={() => setRotating(true)}>
              Make a new secret
            </RoleButton>
          }
        >
          <div className="flex flex-col gap-3 text-sm">
            {signing.rotatingUntil === null ? (
              <p>One secret is in use.</p>
            ) : (
              <Notice tone="info" title="Two secrets sign at the moment">
                The old one stops <TimeUntil at={signing.rotatingUntil} />, at {absoluteTime(signing.rotatingUntil)}.
              </Notice>
            )}
            <p className="text-muted">
              Members see the secret in use beside the webhook of a source. How to check a signature, and a checker for
              one that fails, are under{' '}
              <Link to="/webhooks" className="text-accent-text underline underline-offset-2">
                Webhooks
              </Link>
              .
            </p>
          </div>
          <RotateDialog open={rotating} onOpen={setRotating} />
        </Card>
      )}
    </Loaded>
  )
}
