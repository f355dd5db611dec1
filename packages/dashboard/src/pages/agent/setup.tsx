import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useV1Mutation } from '../../api/index.ts'
import { Button, Card, RoleButton, cx, useReason, type Reason, Failure } from '../../ui/index.ts'
import { changeOf, profileOf, type Agent, type Profile } from './agent.ts'
import { Budget, Buyers, Company, Topics, type PartProps } from './profile-form.tsx'
import { Delivery } from './delivery.tsx'
import { steps, type Step } from './search.ts'
import { StartButton } from './start.tsx'

const names: Readonly<Record<Step, readonly [string, string]>> = {
  company: ['Your website', 'What you sell, so that you recognise this agent.'],
  buyers: ['Who buys', 'People are ranked by how well they match.'],
  topics: ['What they talk about', 'The agent searches for posts about these topics every day.'],
  budget: ['Daily limit', 'What the agent may spend, and how it is split.'],
  delivery: ['Where leads go', 'You always see them here; send them on if you like.'],
}

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
        {names[step][0]}
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
  const onChange: PartProps['onChange'] = (change) => setProfile((before) => ({ ...before, ...change }))
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

type SetupState = ReturnType<typeof useSetup>

const noTopics = 'Name at least one topic first.'

function StepForm({ agent, step, state }: { agent: Agent | null; step: Step; state: SetupState }) {
  const { profile, onChange } = state
  if (step === 'delivery') return agent && <Delivery agent={agent} />
  const [title, text] = names[step]
  const form = {
    company: <Company profile={profile} onChange={onChange} />,
    buyers: <Buyers profile={profile} onChange={onChange} />,
    topics: <Topics profile={profile} onChange={onChange} />,
    budget: <Budget profile={profile} onChange={onChange} agent={agent} />,
  }[step]
  return (
    <Card title={title} text={text}>
      {form}
    </Card>
  )
}

/** Sets an agent up step by step; each step is saved, so that one may leave and come back. */
export function Setup(setting: Setting) {
  const { agent, step } = setting
  const state = useSetup(setting)
  return (
    <div className="flex flex-col gap-5">
      <Steps at={step} reached={agent !== null} onStep={state.go} />
      <StepForm agent={agent} step={step} state={state} />
      <Failure error={state.save.error} title="It was not saved" />
      <div className="flex flex-wrap gap-2">
        {state.back && <Button onClick={state.back}>Back</Button>}
        {step === 'delivery' ? (
          agent && (
            <StartButton
              agent={agent}
              reason={agent.profile.topics.length === 0 && noTopics}
              onStarted={() => state.onStarted()}
            />
          )
        ) : (
          <RoleButton
            needs="member"
            variant="primary"
            busy={state.save.isPending}
            reason={step === 'topics' && state.profile.topics.length === 0 && noTopics}
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
