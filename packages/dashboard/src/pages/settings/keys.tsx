import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { bounds } from 'virtual:values'
import { useRead, useTeam, useWrite, type ResultOf } from '../../api/index.ts'
import { Button, RoleButton } from '../../ui/button.tsx'
import { actsColumn, column, TwoLines, whenColumn, type Column } from '../../ui/columns.tsx'
import { TextField } from '../../ui/field.tsx'
import { ActButton, FormDialog, WindowButton } from '../../ui/form.tsx'
import { absoluteTime, count } from '../../ui/format.ts'
import { TextLink } from '../../ui/link.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { Served } from '../../ui/page.tsx'
import { Card, Loaded, Notice } from '../../ui/show.tsx'
import { CopyField, TimeUntil } from '../../ui/text.tsx'
import { useAdding } from './parts.tsx'

/** The only button that closes a window with a secret that is shown once. */
const stored = (onClose: () => void) => (
  <Button variant="primary" onClick={onClose}>
    I have stored it
  </Button>
)

function RotateDialog({ onClose }: { onClose: () => void }) {
  const rotate = useWrite('rotateSecret', { quiet: true })
  const made = rotate.data
  return (
    <FormDialog
      onClose={onClose}
      size="sm"
      title={made ? 'Your new signing secret' : 'Make a new signing secret?'}
      submit="Make a new secret"
      busy={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate({})}
      actions={made && stored(onClose)}
    >
      {made ? (
        <>
          <Notice tone="warn">Copy it now: it is shown only once.</Notice>
          {made.signingSecret === null ? (
            <p className="text-sm">This secret was shown before.</p>
          ) : (
            <CopyField label="Signing secret" value={made.signingSecret} />
          )}
          <p className="text-sm">
            Until {absoluteTime(made.rotatingUntil)} each delivery is signed with both the new and the old secret. Put
            the new one in place before that.
          </p>
        </>
      ) : (
        <p className="text-sm">
          For 24 hours each delivery carries two signatures, one with the new secret and one with the old, so that
          nothing is lost while you change it. After that only the new one is used.
        </p>
      )}
    </FormDialog>
  )
}

export function SecretTab() {
  const query = useRead('getSettings', {})
  return (
    <Loaded query={query}>
      {({ signing }) => (
        <Card
          title="Webhook signing secret"
          text="One secret signs every delivery of the team, so that your server can verify that they come from us."
          actions={
            <WindowButton needs="owner" opens={(close) => <RotateDialog onClose={close} />}>
              Make a new secret
            </WindowButton>
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
              Members see the secret in use with the webhook of a source. To learn how to check a signature, or why a
              check fails, see <TextLink to="/webhooks">Webhooks</TextLink>.
            </p>
          </div>
        </Card>
      )}
    </Loaded>
  )
}

function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const make = useWrite('createKey', { quiet: true })
  const made = make.data
  return (
    <FormDialog
      onClose={onClose}
      size="sm"
      title={made ? 'Your new key' : 'New API key'}
      submit="Create key"
      busy={make.isPending}
      onSubmit={() => make.mutate({ name })}
      actions={made && stored(onClose)}
    >
      {made && <Notice tone="warn">Copy it now: it is shown only once, and nobody can read it again.</Notice>}
      {made?.key === null && <p className="text-sm">This key was shown before. Revoke it and make another.</p>}
      {made?.key && (
        <CopyField
          label={made.name}
          value={made.key}
          hint="Send it as the header X-API-Key. Anybody who has it can act for the team."
        />
      )}
      {!made && (
        <TextField
          label="Name"
          hint="What uses it, such as CRM sync."
          error={make.error?.message}
          required
          maxLength={bounds.keyName.max}
          autoComplete="off"
          value={name}
          onValue={setName}
        />
      )}
    </FormDialog>
  )
}

type Key = ResultOf<'listKeys'>['keys'][number]

const columns: readonly Column<Key>[] = [
  column('Name', { sortBy: (row) => row.name }, (row) => <TwoLines first={row.name} second={row.maskedKey} mono />),
  whenColumn('Created', (row) => row.createdAt),
  whenColumn('Last used', (row) => row.lastUsedAt),
  actsColumn('Revoke', ({ id, name }) => (
    <ActButton
      needs="owner"
      size="sm"
      does="revokeKey"
      input={{ id }}
      done="The key was revoked"
      asks={{
        title: `Revoke “${name}”?`,
        text: 'Anything that uses this key is refused from now on. This cannot be undone.',
        confirm: 'Revoke the key',
      }}
    >
      Revoke
    </ActButton>
  )),
]

const inUse = ({ used, max, remaining }: ResultOf<'listKeys'>['quota']): string =>
  `For programs that use the API, the command line or an AI assistant. ${count(used)} of ${count(max)} in use.` +
  (remaining === 0 ? ' Revoke one to make another.' : '')

export function KeysTab() {
  const [making, setMaking] = useAdding()
  const { can } = useTeam()
  const query = useRead('listKeys', {})
  const full = query.data?.quota.remaining === 0
  const make = (
    <RoleButton
      needs="owner"
      variant="primary"
      icon={Plus}
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
            <ListCard
              title="API keys"
              text={inUse(quota)}
              actions={make}
              label="API keys"
              columns={columns}
              rows={keys}
              empty={{
                icon: KeyRound,
                title: 'No API key yet',
                text: 'Make one to use the API, the command line or an AI assistant.',
                action: make,
              }}
            />
            {making && can('owner') && <NewKeyDialog onClose={() => setMaking(false)} />}
          </>
        )}
      </Loaded>
    </Served>
  )
}
