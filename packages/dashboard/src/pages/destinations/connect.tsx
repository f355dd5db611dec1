/** Connects a destination step by step; nothing is delivered before the last step. */
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { destinationSteps } from '../../app/searches.ts'
import { useRead, useWrite } from '../../api/index.ts'
import { Button, RoleButton } from '../../ui/button.tsx'
import { useForm } from '../../ui/edited.ts'
import { Checkbox } from '../../ui/field.tsx'
import { FormFields, SaveForm } from '../../ui/form.tsx'
import { BackLink, LinkButton } from '../../ui/link.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Badge, Card, Loaded } from '../../ui/show.tsx'
import {
  blank,
  credentialsOf,
  kinds,
  kindsInWords,
  newFields,
  settingsOf,
  type Destination,
  type Kind,
} from './kinds.ts'
import { MappingForm } from './mapping.tsx'
import { Refused, TestLead } from './parts.tsx'
import { previewWords, usePreview } from './push.tsx'
import { WhoForm } from './who.tsx'

const route = getRouteApi('/signed-in/team/destinations/connect')
type Step = (typeof destinationSteps)[number]

const stepNames: Readonly<Record<Step, string>> = { who: 'Who goes', fields: 'Fields', test: 'Test', start: 'Start' }

const stepsOf = (kind: Kind): readonly Step[] =>
  kindsInWords[kind].hasFields ? ['who', 'fields', 'test', 'start'] : ['who', 'test', 'start']

function Kinds({ onKind }: { onKind: (kind: Kind) => void }) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3" aria-label="Kinds of destination">
      {kinds.map((kind) => (
        <li key={kind} className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-4">
          <div className="flex-1">
            <h2 className="text-sm font-semibold">{kindsInWords[kind].label}</h2>
            <p className="text-sm text-muted">{kindsInWords[kind].text}</p>
          </div>
          <div>
            <RoleButton onClick={() => onKind(kind)} aria-label={`Connect ${kindsInWords[kind].label}`}>
              Connect
            </RoleButton>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The fields of a kind; a destination that the platform refuses is not stored. */
function Credentials({ kind, onMade }: { kind: Kind; onMade: (id: string) => void }) {
  const { label } = kindsInWords[kind]
  const [form, change] = useForm({ ...blank, name: label })
  const make = useWrite('createDestination', { quiet: true, onSuccess: ({ id }) => onMade(id) })
  return (
    <Card title={`Connect ${label}`} text="It is checked first: if the platform refuses it, nothing is stored.">
      <SaveForm
        className="max-w-2xl"
        submit="Check and connect"
        busy={make.isPending}
        onSave={() =>
          make.mutate({
            kind,
            name: form.name.trim(),
            settings: settingsOf(kind, form),
            credentials: credentialsOf(kind, form),
            // Paused at first, so that nothing is sent before its leads are chosen.
            active: false,
          })
        }
        others={
          <LinkButton to="/destinations/connect" search={{}}>
            Another kind
          </LinkButton>
        }
      >
        <FormFields fields={newFields(kind)} form={form} onChange={change} />
        <Refused error={make.error} />
      </SaveForm>
    </Card>
  )
}

function Start({ destination, onStarted }: { destination: Destination; onStarted: () => void }) {
  const { id } = destination
  const [alsoEarlier, setAlsoEarlier] = useState(false)
  const preview = usePreview(id)
  const push = useWrite('pushDestination')
  const start = useWrite('updateDestination', {
    quiet: true,
    done: 'Started',
    onSuccess: async () => {
      if (alsoEarlier) await push.mutateAsync({ id })
      onStarted()
    },
  })
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm">
        From now on, everybody who is captured, looked up and matches your choice is sent there automatically.
      </p>
      <Loaded query={preview} lines={2}>
        {(data) => (
          <Checkbox
            value={alsoEarlier}
            onValue={setAlsoEarlier}
            label="Also send people captured before, once"
            hint={previewWords(destination, data)}
            reason={data.queued === 0 && 'Nobody captured so far would be sent.'}
          />
        )}
      </Loaded>
      <Refused error={start.error} />
      <div>
        <RoleButton
          variant="primary"
          busy={start.isPending || push.isPending}
          onClick={() => start.mutate({ id, active: true })}
        >
          Start delivering
        </RoleButton>
      </div>
    </div>
  )
}

type StepsProps = { destination: Destination; step: Step; onStep: (step: Step) => void; onEnd: () => void }

function Steps({ destination, step, onStep, onEnd }: StepsProps) {
  const all = stepsOf(destination.kind)
  const at = Math.max(0, all.indexOf(step))
  const shown = all[at]!
  const go = (by: -1 | 1) => onStep(all[at + by]!)
  const back = at > 0 && <Button onClick={() => go(-1)}>Back</Button>
  return (
    <div className="flex flex-col gap-4">
      <ol className="flex flex-wrap gap-2 text-sm" aria-label="Steps">
        <li>
          <Badge tone="good">Connected</Badge>
        </li>
        {all.map((each, index) => (
          <li key={each} aria-current={index === at ? 'step' : undefined}>
            <Badge tone={index < at ? 'good' : index === at ? 'info' : 'neutral'}>
              {index + 1}. {stepNames[each]}
            </Badge>
          </li>
        ))}
      </ol>
      <Card title={stepNames[shown]}>
        <div className="max-w-3xl">
          {shown === 'who' && <WhoForm destination={destination} submit="Continue" onDone={() => go(1)} />}
          {shown === 'fields' && (
            <MappingForm destination={destination} submit="Continue" onDone={() => go(1)} beside={back} />
          )}
          {shown === 'test' && (
            <div className="flex flex-col gap-4">
              <TestLead destination={destination} />
              <div className="flex flex-wrap gap-2">
                <Button variant="primary" onClick={() => go(1)}>
                  Continue
                </Button>
                {back}
              </div>
            </div>
          )}
          {shown === 'start' && <Start destination={destination} onStarted={onEnd} />}
        </div>
      </Card>
    </div>
  )
}

export function ConnectPage() {
  const { kind, id, step = 'who' } = route.useSearch()
  const made = useRead('getDestination', { id: id ?? '' }, { enabled: id !== undefined })
  const navigate = route.useNavigate()
  const label = kind === undefined ? 'a destination' : kindsInWords[kind].label
  return (
    <PageFrame
      title={`Connect ${label}`}
      text="Choose where leads go, choose who is sent, test it, and start. Nothing is delivered before you start."
      back={<BackLink to="/destinations">Destinations</BackLink>}
      served
    >
      {id !== undefined ? (
        <Loaded query={made}>
          {(destination) => (
            <Steps
              destination={destination}
              step={step}
              onStep={(next) => void navigate({ search: (before) => ({ ...before, step: next }) })}
              onEnd={() => void navigate({ to: '/destinations/$id', params: { id }, search: {} })}
            />
          )}
        </Loaded>
      ) : kind === undefined ? (
        <Kinds onKind={(next) => void navigate({ search: { kind: next } })} />
      ) : (
        <Credentials
          key={kind}
          kind={kind}
          onMade={(madeId) => void navigate({ search: { kind, id: madeId, step: 'who' }, replace: true })}
        />
      )}
    </PageFrame>
  )
}
