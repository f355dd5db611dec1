import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useV1Mutation } from '../../api/index.ts'
import { Button, Card, Notice, RoleButton, cx, useReason, type Reason } from '../../ui/index.ts'
import { changeOf, profileOf, type Agent, type Profile } from './agent.ts'
import { Budget } from './budget.tsx'
import { Delivery } from './delivery.tsx'
import { Buyers, Company, Topics, type PartProps } from './fields.tsx'
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
  readonly step: Step
  readonly number: number
  readonly current: boolean
  readonly reason: Reason
  readonly onPress: () => void
}): ReactNode {
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

function Steps({
  at,
  reached,
  onStep,
}: {
  readonly at: Step
  readonly reached: boolean
  readonly onStep: (step: Step) => void
}): ReactNode {
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

/** Sets an agent up step by step; each step is saved, so that one may leave and come back. */
export function Setup({
  agent,
  add,
  step,
}: {
  readonly agent: Agent | null
  readonly add: boolean
  readonly step: Step
}): ReactNode {
  const navigate = useNavigate({ from: '/agent' })
  const [profile, setProfile] = useState<Profile>(() => profileOf(agent))
  const save = useV1Mutation('updateAgent', { quiet: true, refreshes: ['agent'] })
  const isTrial = (agent?.trial ?? null) !== null
  const index = steps.indexOf(step)
  const go = (next: Step, id = agent?.id) =>
    void navigate({ search: { ...(id === undefined ? { add: true } : { agent: id }), step: next } })
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
  const part = {
    company: <Company profile={profile} onChange={onChange} />,
    buyers: <Buyers profile={profile} onChange={onChange} />,
    topics: <Topics profile={profile} onChange={onChange} />,
    budget: <Budget profile={profile} onChange={onChange} agent={agent} />,
    delivery: null,
  }[step]
  const [title, text] = names[step]
  const canStart = agent !== null && agent.profile.topics.length > 0
  return (
    <div className="flex flex-col gap-5">
      <Steps at={step} reached={agent !== null} onStep={go} />
      {part && (
        <Card title={title} text={text}>
          {part}
        </Card>
      )}
      {step === 'delivery' && agent && <Delivery agent={agent} />}
      {save.error && (
        <Notice tone="bad" title="It was not saved">
          {save.error.message}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        {index > 0 && <Button onClick={() => go(steps[index - 1]!)}>Back</Button>}
        {step === 'delivery' ? (
          agent && (
            <StartButton
              agent={agent}
              reason={!canStart && 'Name at least one topic first.'}
              onStarted={() => void navigate({ search: { agent: agent.id } })}
            />
          )
        ) : (
          <RoleButton
            needs="member"
            variant="primary"
            busy={save.isPending}
            reason={step === 'topics' && profile.topics.length === 0 && 'Name at least one topic first.'}
            onClick={() => void next()}
          >
            Save and go on
          </RoleButton>
        )}
      </div>
      {step === 'delivery' && (
        <p className="text-sm text-muted">
          {canStart
            ? 'Before anything starts you see what it may cost, and say yes or no.'
            : 'Name at least one topic before you start.'}
        </p>
      )}
    </div>
  )
}
