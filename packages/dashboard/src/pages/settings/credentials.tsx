import { useState } from 'react'
import { useMe, useSessionMutation, useSessionQuery, type SessionResult } from '../../api/index.ts'
import {
  Badge,
  Button,
  Card,
  ConfirmDialog,
  Dialog,
  Loaded,
  RoleButton,
  TimeAgo,
  toast,
  TextField,
} from '../../ui/index.ts'

type Kind = SessionResult<'getSettings'>['credentials'][number]['kind']

function useStoreKey(name: string, onStored: () => void) {
  const [key, setKey] = useState('')
  const { sandbox } = useMe()
  const close = () => {
    setKey('')
    put.reset()
    onStored()
  }
  const put = useSessionMutation('putCredential', {
    quiet: true,
    refreshes: ['settings', 'outreach', 'keywords'],
    onSuccess: ({ checked }) => {
      if (sandbox)
        toast.info(`The ${name} key was stored`, 'Nobody real was asked: in the sandbox a stand-in takes any key.')
      else if (checked) toast.good(`The ${name} key works and was stored`)
      else toast.info(`The ${name} key was stored`, 'It could not be tried out: the service did not answer.')
      close()
    },
  })
  return { key, setKey, put, close, sandbox }
}

function StoreKeyDialog({
  kind,
  name,
  open,
  onClose,
}: {
  kind: Kind
  name: string
  open: boolean
  onClose: () => void
}) {
  const { key, setKey, put, close, sandbox } = useStoreKey(name, onClose)
  return (
    <Dialog
      open={open}
      onClose={close}
      size="sm"
      title={`Key for ${name}`}
      text={
        sandbox
          ? 'This service runs on the sandbox: a stand-in answers for the vendor, and no real key is needed or tried.'
          : 'It is tried out now. Once stored, nobody can read it here.'
      }
      cancel
      actions={
        <Button variant="primary" type="submit" form={`store-${kind}`} busy={put.isPending}>
          Try it and store it
        </Button>
      }
    >
      <form
        id={`store-${kind}`}
        onSubmit={(event) => {
          event.preventDefault()
          put.mutate({ kind, key })
        }}
      >
        <TextField
          label="Key"
          error={put.error?.message}
          type="password"
          required
          maxLength={4_000}
          autoComplete="off"
          spellCheck={false}
          value={key}
          onValue={setKey}
        />
      </form>
    </Dialog>
  )
}

type Stored = SessionResult<'getSettings'>['credentials'][number]

const parties: Readonly<Record<Stored['kind'], { readonly name: string; readonly text: string }>> = {
  openai: { name: 'OpenAI', text: 'Lets keyword searches use OpenAI to choose posts.' },
  anthropic: { name: 'Anthropic', text: 'Lets keyword searches use Anthropic to choose posts.' },
  google: { name: 'Google', text: 'Lets keyword searches use Google to choose posts.' },
  mistral: { name: 'Mistral', text: 'Lets keyword searches use Mistral to choose posts.' },
  outreach: { name: 'Outreach platform', text: 'Lets leads be sent to your campaigns.' },
}

function About({ credential }: { credential: Stored }) {
  const { name, text } = parties[credential.kind]
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
        {name}{' '}
        <Badge tone={credential.stored ? 'good' : 'neutral'}>{credential.stored ? 'stored' : 'not stored'}</Badge>
      </p>
      <p className="text-[0.8125rem] text-muted">
        {text}
        {credential.stored && (
          <>
            {' '}
            Stored <TimeAgo at={credential.storedAt} />.
          </>
        )}
      </p>
    </div>
  )
}

function Credential({ credential }: { credential: Stored }) {
  const { name } = parties[credential.kind]
  const [storing, setStoring] = useState(false)
  const [forgetting, setForgetting] = useState(false)
  const forget = useSessionMutation('deleteCredential', {
    quiet: true,
    done: `The ${name} key was forgotten`,
    refreshes: ['settings', 'outreach', 'keywords'],
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <About credential={credential} />
      <div className="flex gap-2">
        <RoleButton
          needs="owner"
          size="sm"
          onClick={() => setStoring(true)}
          aria-label={credential.stored ? `Replace the key of ${name}` : `Store a key of ${name}`}
        >
          {credential.stored ? 'Replace' : 'Store a key'}
        </RoleButton>
        {credential.stored && (
          <RoleButton
            needs="owner"
            size="sm"
            variant="ghost"
            onClick={() => setForgetting(true)}
            aria-label={`Forget the key of ${name}`}
          >
            Forget
          </RoleButton>
        )}
      </div>
      <StoreKeyDialog kind={credential.kind} name={name} open={storing} onClose={() => setStoring(false)} />
      <ConfirmDialog
        open={forgetting}
        onClose={() => setForgetting(false)}
        danger
        title={`Forget the ${name} key?`}
        text={
          credential.kind === 'outreach'
            ? 'Leads are no longer sent to campaigns until another key is stored.'
            : 'Searches that use it keep no posts until another key is stored.'
        }
        confirm="Forget the key"
        onConfirm={() => forget.mutateAsync({ kind: credential.kind })}
      />
    </li>
  )
}

/** The keys of AI vendors and of the outreach platform: written, never shown. */
export function CredentialsTab() {
  const query = useSessionQuery('getSettings', {}, { topic: 'settings' })
  return (
    <Loaded query={query}>
      {({ credentials }) => (
        <Card
          flush
          title="Keys of other services"
          text="Each is tried out before it is stored, kept encrypted, and never shown again."
        >
          <ul className="divide-y divide-line">
            {credentials.map((credential) => (
              <Credential key={credential.kind} credential={credential} />
            ))}
          </ul>
        </Card>
      )}
    </Loaded>
  )
}
