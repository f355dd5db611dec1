import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useV1Mutation } from '../../api/index.ts'
import { Button, Card, RoleButton, cx, useReason, type Reason, Failure } from '../../ui/index.ts'
import { changeOf, noTopic, profileOf, type Agent, type Profile } from './agent.ts'
import { Delivery } from './delivery.tsx'
import { parts } from './profile-form.tsx'
import { steps, type Step } from './search.ts'
import { StartButton } from './start.tsx'

const titleOf = (step: Step): string => parts.find((part) => part.step === step)?.title ?? 'Where leads go'

function StepButton({
  step,
  number,
  current,
  reason,
  onPress,
}: {
  step: Step
  number: number
  current: boolean
  reason: Reason
  onPress: () => void
}) {
  const { isOff, attributes, words } = useReason(reason)
  return (
    <>
      <button
        type="button"
        {...attributes}
        aria-current={current ? 'step' : undefined}
        onClick={() => !isOff && onPress()}
        className={cx(
          'flex items-center gap-2 rounded-full border px-3 py-1 text-[0.8125rem] aria-disabled:cursor-not-allowed',
          current ? 'border-accent bg-accent-soft font-semibold text-accent-text' : 'border-line text-muted',
        )}
      >
        <span className="tabular-nums">{number}</span>
        {titleOf(step)}
      </button>
      {words}
    </>
  )
}

function Steps({ at, reached, onStep }: { at: Step; reached: boolean; onStep: (step: Step) => void }) {
  return (
    <ol className="flex flex-wrap gap-2" aria-label="Steps">
      {steps.map((step, index) => (
        <li key={step}>
          <StepButton
            step={step}
            number={index + 1}
            current={step === at}
            reason={!reached && step !== 'company' && 'Finish the first step first.'}
            onPress={() => onStep(step)}
          />
        </li>
      ))}
    </ol>
  )
}

type Setting = { readonly agent: Agent | null; readonly add: boolean; readonly step: Step }

/** What was filled in so far, and how one goes from step to step; `next` saves before it goes on. */
function useSetup({ agent, add, step }: Setting) {
  const navigate = useNavigate({ from: '/agent' })
  const [profile, setProfile] = useState<Profile>(() => profileOf(agent))
  const save = useV1Mutation('updateAgent', { quiet: true, refreshes: ['agent'] })
  const isTrial = (agent?.trial ?? null) !== null
  const index = steps.indexOf(step)
  const go = (to: Step, id = agent?.id) =>
    void navigate({ search: { ...(id === undefined ? { add: true } : { agent: id }), step: to } })
  const onChange = (change: Partial<Profile>) => setProfile((before) => ({ ...before, ...change }))
  const next = async () => {
    const result = await save
      .mutateAsync({
        ...changeOf(profile, isTrial),
        ...(agent === null ? (add ? { create: true } : {}) : { agentId: agent.id }),
      })
      .catch(() => null)
    if (result !== null && index < steps.length - 1) go(steps[index + 1]!, result.agent.id)
  }
  const back = index > 0 ? () => go(steps[index - 1]!) : undefined
  const onStarted = () => agent && void navigate({ search: { agent: agent.id } })
  return { profile, onChange, save, go, next, back, onStarted }
}

/** Sets an agent up step by step; each step is saved, so that one may leave and come back. */
export function Setup(setting: Setting) {
  const { agent, step } = setting
  const state = useSetup(setting)
  const part = parts.find((each) => each.step === step)
  return (
    <div className="flex flex-col gap-5">
      <Steps at={step} reached={agent !== null} onStep={state.go} />
      {part && (
        <Card title={part.title} text={part.text}>
          <part.Part profile={state.profile} onChange={state.onChange} agent={agent} />
        </Card>
      )}
      {step === 'delivery' && agent && <Delivery agent={agent} />}
      <Failure error={state.save.error} title="It was not saved" />
      <div className="flex flex-wrap gap-2">
        {state.back && <Button onClick={state.back}>Back</Button>}
        {step === 'delivery' ? (
          agent && <StartButton agent={agent} reason={noTopic(agent)} onStarted={state.onStarted} />
        ) : (
          <RoleButton
            needs="member"
            variant="primary"
            busy={state.save.isPending}
            reason={step === 'topics' && noTopic(state)}
            onClick={() => void state.next()}
          >
            Save and go on
          </RoleButton>
        )}
      </div>
      {step === 'delivery' && (
        <p className="text-sm text-muted">
          {agent !== null && agent.profile.topics.length > 0
            ? 'Before anything starts you see what it may cost, and say yes or no.'
            : 'Name at least one topic before you start.'}
        </p>
      )}
    </div>
  )
}
