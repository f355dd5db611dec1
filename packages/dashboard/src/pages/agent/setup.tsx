import { useNavigate } from '@tanstack/react-router'
import { agentSteps as steps } from '../../app/searches.ts'
import { useWrite } from '../../api/index.ts'
import { Button, cx, RoleButton, useReason } from '../../ui/button.tsx'
import { useForm } from '../../ui/edited.ts'
import { Card, Failure } from '../../ui/show.tsx'
import { changeOf, noTopic, profileOf, type Agent } from './agent.ts'
import { Delivery } from './delivery.tsx'
import { PartFields, parts } from './profile-form.tsx'
import { StartButton } from './start.tsx'

type Step = (typeof steps)[number]

const titleOf = (step: Step): string => parts.find((part) => part.step === step)?.title ?? 'Where leads go'

type StepButtonProps = { step: Step; at: Step; reached: boolean; onStep: (step: Step) => void }

function StepButton({ step, at, reached, onStep }: StepButtonProps) {
  const { isOff, attributes, words } = useReason(!reached && step !== 'company' && 'Finish the first step first.')
  const isCurrent = step === at
  return (
    <li>
      <button
        type="button"
        {...attributes}
        aria-current={isCurrent ? 'step' : undefined}
        onClick={() => !isOff && onStep(step)}
        className={cx(
          'flex items-center gap-2 rounded-full border px-3 py-1 text-[0.8125rem] aria-disabled:cursor-not-allowed',
          isCurrent ? 'border-accent bg-accent-soft font-semibold text-accent-text' : 'border-line text-muted',
        )}
      >
        <span className="tabular-nums">{steps.indexOf(step) + 1}</span>
        {titleOf(step)}
      </button>
      {words}
    </li>
  )
}

/** Sets up an agent step by step; each step is saved, so that one can leave and return. */
export function Setup({ agent, add, step }: { agent: Agent | null; add: boolean; step: Step }) {
  const navigate = useNavigate({ from: '/agent' })
  const [profile, change] = useForm(() => profileOf(agent))
  const save = useWrite('updateAgent', { quiet: true })
  const index = steps.indexOf(step)
  const go = (to: Step, id = agent?.id) =>
    void navigate({ search: { ...(id === undefined ? { add: true } : { agent: id }), step: to } })
  const next = () =>
    save.mutate(
      {
        ...changeOf(profile, (agent?.trial ?? null) !== null),
        ...(agent === null ? (add ? { create: true } : {}) : { agentId: agent.id }),
      },
      { onSuccess: (result) => go(steps[index + 1]!, result.agent.id) },
    )
  const part = parts.find((each) => each.step === step)
  return (
    <div className="flex flex-col gap-5">
      <ol className="flex flex-wrap gap-2" aria-label="Steps">
        {steps.map((each) => (
          <StepButton key={each} step={each} at={step} reached={agent !== null} onStep={go} />
        ))}
      </ol>
      {part && (
        <Card title={part.title} text={part.text}>
          <PartFields part={part} profile={profile} onChange={change} agent={agent} />
        </Card>
      )}
      {step === 'delivery' && agent && <Delivery agent={agent} />}
      <Failure error={save.error} title="It was not saved" />
      <div className="flex flex-wrap gap-2">
        {index > 0 && <Button onClick={() => go(steps[index - 1]!)}>Back</Button>}
        {step === 'delivery' ? (
          agent && (
            <StartButton
              agent={agent}
              reason={noTopic(agent)}
              onStarted={() => void navigate({ search: { agent: agent.id } })}
            />
          )
        ) : (
          <RoleButton
            variant="primary"
            busy={save.isPending}
            reason={step === 'topics' && noTopic({ profile })}
            onClick={next}
          >
            Save and go on
          </RoleButton>
        )}
      </div>
      {step === 'delivery' && (
        <p className="text-sm text-muted">
          {agent !== null && agent.profile.topics.length > 0
            ? 'Before anything starts, you see what it may cost and can say yes or no.'
            : 'Name at least one topic before you start.'}
        </p>
      )}
    </div>
  )
}
