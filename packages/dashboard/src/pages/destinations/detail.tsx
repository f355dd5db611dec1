import { getRouteApi } from '@tanstack/react-router'
import { useAddress } from '../../app/address.ts'
import { useRead, useWrite } from '../../api/index.ts'
import { RoleButton, useRefusal } from '../../ui/button.tsx'
import { useEdited } from '../../ui/edited.ts'
import { ActButton, FormFields, SaveForm, WindowButton } from '../../ui/form.tsx'
import { count } from '../../ui/format.ts'
import { BackLink } from '../../ui/link.tsx'
import { PageFrame, Served, Tabs } from '../../ui/page.tsx'
import { Card, Loaded, Notice, Stats } from '../../ui/show.tsx'
import { TimeAgo } from '../../ui/text.tsx'
import { formOf, kindsInWords, settingFields, settingsOf, type Destination } from './kinds.ts'
import { Log } from './log.tsx'
import { MappingForm } from './mapping.tsx'
import { CredentialsDialog, ResumeButton, Refused, StateBadge, TestLead } from './parts.tsx'
import { PushDialog } from './push.tsx'
import { pauseWords } from './words.ts'
import { WhoForm } from './who.tsx'

const route = getRouteApi('/signed-in/team/destinations/$id')

/** Asks the platform whose credentials they are, and what is missing. */
function Check({ destination: { id, credentialsHint } }: { destination: Destination }) {
  const check = useWrite('checkDestination', { quiet: true })
  const { data } = check
  return (
    <div className="flex flex-col gap-3" aria-live="polite">
      {credentialsHint && <p className="text-sm text-muted">The stored secret ends with {credentialsHint}.</p>}
      <div>
        <RoleButton busy={check.isPending} onClick={() => check.mutate({ id })}>
          Check the connection
        </RoleButton>
      </div>
      {data && (
        <Notice
          tone={data.missing.length === 0 ? 'good' : 'bad'}
          title={data.missing.length === 0 ? `Connected as ${data.account}` : `Missing: ${data.missing.join(', ')}`}
        >
          {data.findings.map((finding) => (
            <p key={finding}>{finding}</p>
          ))}
        </Notice>
      )}
      <Refused error={check.error} />
    </div>
  )
}

function SettingsForm({ destination }: { destination: Destination }) {
  const { id, kind, settings } = destination
  const { value, isEdited, change, saved } = useEdited(formOf(destination))
  const refusal = useRefusal()
  const save = useWrite('updateDestination', { quiet: true, done: 'Saved', also: ['slow'], onSuccess: saved })
  const next = settingsOf(kind, value, settings)
  const isSet = JSON.stringify(next) !== JSON.stringify(settingsOf(kind, formOf(destination), settings))
  return (
    <SaveForm
      busy={save.isPending}
      reason={!isEdited && 'Nothing was changed.'}
      onSave={() => save.mutate({ id, name: value.name.trim(), ...(isSet ? { settings: next } : {}) })}
    >
      <FormFields fields={settingFields(kind)} form={value} onChange={change} reason={refusal} />
      <Refused error={save.error} />
    </SaveForm>
  )
}

function Settings({ destination, onDeleted }: { destination: Destination; onDeleted: () => void }) {
  const { id, kind, name } = destination
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Settings">
        <SettingsForm destination={destination} />
      </Card>
      <div className="flex flex-col gap-4">
        <Card title="Connection" stack>
          <Check destination={destination} />
          {kindsInWords[kind].credentials.length > 0 && (
            <div>
              <WindowButton opens={(close) => <CredentialsDialog destination={destination} onClose={close} />}>
                Replace the credentials
              </WindowButton>
            </div>
          )}
        </Card>
        <Card title="Test">
          <TestLead destination={destination} />
        </Card>
        <Card title="Delete">
          <div className="flex flex-col items-start gap-3">
            <p className="text-sm text-muted">Waiting leads are not sent; leads already delivered stay there.</p>
            <ActButton
              variant="danger"
              does="deleteDestination"
              input={{ id }}
              done="Deleted"
              onDone={onDeleted}
              asks={{
                title: `Delete ${name}?`,
                text: 'Its credentials, mapping and log are deleted. This cannot be undone.',
                confirm: 'Delete it',
              }}
            >
              Delete this destination
            </ActButton>
          </div>
        </Card>
      </div>
    </div>
  )
}

function Detail({ destination }: { destination: Destination }) {
  const { tabs } = useAddress('/signed-in/team/destinations/$id')
  const navigate = route.useNavigate()
  const { id, kind, name, active, counts, lastDeliveredAt, pausedReason } = destination
  const { label, hasFields } = kindsInWords[kind]
  return (
    <PageFrame
      title={name}
      text={
        <>
          {label} <StateBadge destination={destination} />
        </>
      }
      back={<BackLink to="/destinations">Destinations</BackLink>}
      actions={
        <>
          {active && (
            <ActButton does="updateDestination" input={{ id, active: false }} done="Paused: new leads wait">
              Pause
            </ActButton>
          )}
          <WindowButton opens={(close) => <PushDialog destination={destination} onClose={close} />}>
            Send people captured before
          </WindowButton>
        </>
      }
    >
      {pausedReason !== null && (
        <Notice tone="warn" title="Nothing is delivered" action={<ResumeButton destination={destination} />}>
          {pauseWords[pausedReason].text}
        </Notice>
      )}
      <Stats
        stats={[
          ['Delivered', count(counts.delivered), <TimeAgo key="last" at={lastDeliveredAt} none="none yet" />],
          ['Waiting', count(counts.waiting)],
          ['Refused', count(counts.refused), 'the log says why'],
          ['Excluded', count(counts.excluded)],
        ]}
      />
      <Tabs
        label="Destination"
        {...tabs('log')}
        tabs={[
          { value: 'log', label: 'Deliveries', content: <Log destination={destination} /> },
          {
            value: 'who',
            label: 'Who goes',
            content: (
              <Card
                title="Who goes"
                text="A change does not send people captured before; use “Send people captured before” for that."
              >
                <WhoForm destination={destination} submit="Save" />
              </Card>
            ),
          },
          hasFields && {
            value: 'fields',
            label: 'Fields',
            content: (
              <Card title={`Fields of ${label}`}>
                <MappingForm destination={destination} submit="Save" />
              </Card>
            ),
          },
          {
            value: 'settings',
            label: 'Settings',
            content: <Settings destination={destination} onDeleted={() => void navigate({ to: '/destinations' })} />,
          },
        ]}
      />
    </PageFrame>
  )
}

export function DetailPage() {
  const { id } = route.useParams()
  const query = useRead('getDestination', { id })
  if (query.data === undefined)
    return (
      <PageFrame title="Destination" back={<BackLink to="/destinations">Destinations</BackLink>}>
        <Loaded query={query}>{() => null}</Loaded>
      </PageFrame>
    )
  return (
    <Served>
      <Detail key={id} destination={query.data} />
    </Served>
  )
}
