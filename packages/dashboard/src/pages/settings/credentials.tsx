import { useMe, useRead, type ResultOf } from '../../api/index.ts'
import { ActButton, WindowButton, WriteDialog, type FormField } from '../../ui/form.tsx'
import { Badge, Card, Loaded } from '../../ui/show.tsx'
import { TimeAgo } from '../../ui/text.tsx'
import { toast } from '../../ui/toast.tsx'
import { Line } from './parts.tsx'

type Stored = ResultOf<'getSettings'>['credentials'][number]

const keyFields: readonly FormField<{ key: string }>[] = [
  {
    name: 'key',
    label: 'Key',
    type: 'password',
    required: true,
    maxLength: 4_000,
    autoComplete: 'off',
    spellCheck: false,
  },
]

function StoreKeyDialog({ kind, name, onClose }: { kind: Stored['kind']; name: string; onClose: () => void }) {
  const { sandbox } = useMe()
  return (
    <WriteDialog
      onClose={onClose}
      size="sm"
      title={`Key for ${name}`}
      text={
        sandbox
          ? 'This service runs on the sandbox: a stand-in answers for the vendor, and no real key is needed or tried.'
          : 'It is tried out now. Once stored, nobody can read it here.'
      }
      submit="Try it and store it"
      does="putCredential"
      start={{ key: '' }}
      fields={keyFields}
      inputOf={({ key }) => ({ kind, key })}
      errorAt="key"
      onDone={({ checked }) => {
        if (sandbox)
          toast.info(
            `The ${name} key was stored`,
            'The real vendor was not asked: in the sandbox, a stand-in accepts any key.',
          )
        else if (checked) toast.good(`The ${name} key works and was stored`)
        else toast.info(`The ${name} key was stored`, 'It could not be tried out: the service did not answer.')
      }}
    />
  )
}

const parties: Readonly<Record<Stored['kind'], { readonly name: string; readonly text: string }>> = {
  openai: { name: 'OpenAI', text: 'Lets keyword searches use OpenAI to choose posts.' },
  anthropic: { name: 'Anthropic', text: 'Lets keyword searches use Anthropic to choose posts.' },
  google: { name: 'Google', text: 'Lets keyword searches use Google to choose posts.' },
  mistral: { name: 'Mistral', text: 'Lets keyword searches use Mistral to choose posts.' },
  outreach: { name: 'Outreach platform', text: 'Lets leads be sent to your campaigns.' },
}

function Credential({ credential: { kind, stored, storedAt } }: { credential: Stored }) {
  const { name, text } = parties[kind]
  const said = stored ? (
    <>
      {text} Stored <TimeAgo at={storedAt} />.
    </>
  ) : (
    text
  )
  return (
    <Line
      title={
        <>
          {name} <Badge tone={stored ? 'good' : 'neutral'}>{stored ? 'stored' : 'not stored'}</Badge>
        </>
      }
      text={said}
    >
      <div className="flex gap-2">
        <WindowButton
          needs="owner"
          size="sm"
          opens={(close) => <StoreKeyDialog kind={kind} name={name} onClose={close} />}
          aria-label={stored ? `Replace the key of ${name}` : `Store a key of ${name}`}
        >
          {stored ? 'Replace' : 'Store a key'}
        </WindowButton>
        {stored && (
          <ActButton
            needs="owner"
            size="sm"
            variant="ghost"
            aria-label={`Forget the key of ${name}`}
            does="deleteCredential"
            input={{ kind }}
            done={`The ${name} key was forgotten`}
            asks={{
              title: `Forget the ${name} key?`,
              text:
                kind === 'outreach'
                  ? 'Leads are no longer sent to campaigns until another key is stored.'
                  : 'Searches that use it keep no posts until another key is stored.',
              confirm: 'Forget the key',
            }}
          >
            Forget
          </ActButton>
        )}
      </div>
    </Line>
  )
}

/** Keys of AI vendors and the outreach platform; write-only. */
export function CredentialsTab() {
  const query = useRead('getSettings', {})
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
