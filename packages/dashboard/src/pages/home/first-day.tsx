import { Check, Circle } from 'lucide-react'
import { useRead, useTeam } from '../../api/index.ts'
import { buttonClass } from '../../ui/button.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { Card, Meter } from '../../ui/show.tsx'
import { SampleButton } from '../../shell/sample-note.tsx'
import { anyLeft, stepsOf, type Step } from './words.ts'

function useSteps(): readonly Step[] {
  const health = useRead('listSourceHealth', { limit: '200' }, { staleTime: 30_000 })
  const sources = useRead('listSources', {}, { staleTime: 30_000 })
  const first = sources.data?.sources[0]
  const criteria = useRead('getSourceIcp', { id: first?.id ?? '' }, { enabled: first !== undefined, staleTime: 30_000 })
  const endpoints = useRead('listEndpoints', {}, { staleTime: 30_000 })
  const outreach = useRead('getOutreach', {}, { staleTime: 30_000 })
  const keys = useRead('listKeys', {}, { staleTime: 30_000 })
  const members = useRead('listMembers', {}, { staleTime: 30_000 })
  const ready = <T,>(value: T | undefined, count: (value: T) => number) =>
    value === undefined ? undefined : count(value)
  // Without any source, the health query answers sooner than the total.
  const total = sources.data?.total ?? (health.data?.sources.length === 0 ? 0 : undefined)
  return stepsOf({
    sources: total,
    judged:
      first === undefined
        ? total === undefined
          ? undefined
          : false
        : criteria.data &&
          (criteria.data.rules.length > 0 || health.data?.sources.some(({ icpLeads }) => icpLeads > 0)),
    destinations: ready(endpoints.data, ({ endpoints: all }) => all.length + (outreach.data?.connected ? 1 : 0)),
    access: ready(keys.data, ({ keys: all }) => all.length),
    people: ready(members.data, ({ members: all, invitations }) => all.length + invitations.length),
  })
}

/** The link to a step; null while there is no source for it. */
function Go({ step: { id: step }, firstId: id }: { step: Step; firstId: string | undefined }) {
  const look = { size: 'sm', className: 'shrink-0' } as const
  if (step === 'track')
    return (
      <LinkButton {...look} to="/sources" search={{ track: true }}>
        Track
      </LinkButton>
    )
  if (step === 'access' || step === 'invite')
    return (
      <LinkButton {...look} to="/settings" search={{ tab: step === 'access' ? 'keys' : 'members' }}>
        {step === 'access' ? 'Make a key' : 'Invite'}
      </LinkButton>
    )
  if (id === undefined) return null
  return (
    <LinkButton {...look} to="/sources/$id" params={{ id }} search={{ tab: step === 'criteria' ? 'fit' : 'webhook' }}>
      {step === 'criteria' ? 'Set criteria' : 'Set a webhook'}
    </LinkButton>
  )
}

export function FirstDay() {
  const { can, isSample } = useTeam()
  const steps = useSteps()
  const sources = useRead('listSources', {}, { staleTime: 30_000, enabled: false })
  if (isSample || !anyLeft(steps)) return null
  const done = steps.filter((step) => step.done).length
  return (
    <Card
      title="First steps"
      text="Each step is ticked automatically once it is done."
      actions={<SampleButton className={buttonClass('secondary', 'sm')} words="See a sample team" />}
    >
      <div className="flex flex-col gap-3">
        <Meter label="Done" value={done} max={steps.length} text={`${done} of ${steps.length}`} tone="good" />
        <ol className="flex flex-col divide-y divide-line">
          {steps.map((step) => (
            <li key={step.id} className="flex items-center gap-3 py-2.5 text-sm">
              {step.done ? (
                <Check aria-hidden="true" size={18} className="shrink-0 text-accent-text" />
              ) : (
                <Circle aria-hidden="true" size={18} className="shrink-0 text-muted" />
              )}
              <span className="min-w-0 flex-1">
                <span className={step.done ? 'text-muted' : 'font-medium'}>{step.title}</span>
                <span className="sr-only">{step.done ? ': done' : step.done === false ? ': to do' : ''}</span>
                {!step.done && <span className="block text-[0.8125rem] text-muted">{step.text}</span>}
              </span>
              {step.done === false &&
                (can(step.needs) ? (
                  <Go step={step} firstId={sources.data?.sources[0]?.id} />
                ) : (
                  <span className="shrink-0 text-[0.8125rem] text-muted">For {step.needs}s</span>
                ))}
            </li>
          ))}
        </ol>
      </div>
    </Card>
  )
}
