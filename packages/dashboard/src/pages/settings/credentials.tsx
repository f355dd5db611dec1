import { useState, type ReactNode } from 'react'
import { useSessionMutation, useSessionQuery, type SessionResult } from '../../api/index.ts'
import { Badge, Card, ConfirmDialog, Loaded, RoleButton, TimeAgo } from '../../ui/index.ts'
import { StoreKeyDialog } from './store-key.tsx'

type Stored = SessionResult<'getSettings'>['credentials'][number]

const parties: Readonly<Record<Stored['kind'], { readonly name: string; readonly text: string }>> = {
  openai: { name: 'OpenAI', text: 'Lets keyword searches use OpenAI to choose posts.' },
  anthropic: { name: 'Anthropic', text: 'Lets keyword searches use Anthropic to choose posts.' },
  google: { name: 'Google', text: 'Lets keyword searches use Google to choose posts.' },
  mistral: { name: 'Mistral', text: 'Lets keyword searches use Mistral to choose posts.' },
  outreach: { name: 'Outreach platform', text: 'Lets leads be sent to your campaigns.' },
}

function About({ credential }: { readonly credential: Stored }): ReactNode {
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

function Credential({ credential }: { readonly credential: Stored }): ReactNode {
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
      <StoreKeyDialog kind={credential.kind} name={name} open={storing} onOpen={setStoring} />
      <ConfirmDialog
        open={forgetting}
        onOpen={setForgetting}
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
export function CredentialsTab(): ReactNode {
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
