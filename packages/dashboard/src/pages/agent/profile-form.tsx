import { useQuery } from '@tanstack/react-query'
import { bounds } from 'virtual:values'
import { ask, asksToSpend, keyOf, useWrite } from '../../api/index.ts'
import { cx, RoleButton } from '../../ui/button.tsx'
import { editedOf, numberOf, useEdited, useSettled } from '../../ui/edited.ts'
import { Checkbox } from '../../ui/field.tsx'
import { FormFields, type ControlProps, type FormField } from '../../ui/form.tsx'
import { count, countOf, credits } from '../../ui/format.ts'
import { Bullets, Card, Failure, Meter, Notice, Skeleton, Stats } from '../../ui/show.tsx'
import { spendWords, type SpendQuote } from '../../ui/spend.tsx'
import { TimeUntil } from '../../ui/text.tsx'
import { changeOf, noTopic, profileOf, sizes, type Agent, type Profile } from './agent.ts'
import { StartButton } from './start.tsx'

type Field = FormField<Profile>

const companyFields: readonly Field[] = [
  {
    name: 'website',
    label: 'Website',
    hint: 'The website of what you sell. Only its domain is kept.',
    inputMode: 'url',
    autoComplete: 'url',
    placeholder: 'www.example.com',
  },
  {
    name: 'summary',
    label: 'What you sell',
    optional: true,
    hint: `In a sentence or two, at most ${bounds.agentSummary} characters.`,
    rows: 3,
    maxLength: bounds.agentSummary,
  },
]

const buyerFields: readonly Field[] = [
  {
    name: 'titles',
    label: 'Job titles',
    optional: true,
    wide: true,
    max: bounds.agentTitles,
    placeholder: 'Such as Head of Growth',
    hint: 'A person with another title never fits, so name the ones you sell to.',
  },
  {
    name: 'industries',
    label: 'Industries',
    optional: true,
    max: bounds.agentIndustries,
    placeholder: 'Such as Software Development',
  },
  {
    name: 'countries',
    label: 'Countries',
    optional: true,
    max: bounds.agentCountries,
    placeholder: 'Such as Germany',
  },
  { name: 'companySizes', label: 'Company size', wide: true, control: (props) => <Sizes {...props} /> },
]

const topicFields: readonly Field[] = [
  {
    name: 'topics',
    label: 'Topics',
    max: bounds.agentTopics,
    placeholder: 'Such as outbound sales',
    hint: 'Each becomes a search that runs every day. Two or three good ones are better than many.',
  },
  {
    name: 'competitors',
    label: 'Competitors',
    optional: true,
    max: bounds.agentCompetitors,
    placeholder: 'Such as Acme, acme.com',
    hint: 'A name, or a name and a domain after a comma.',
  },
]

const limitFields: readonly Field[] = [
  {
    name: 'dailyCredits',
    label: 'Credits a day at most',
    hint: 'From 50 to 20,000. Half is for watching people, the rest for topics; what is not needed for people also goes to topics.',
    className: 'max-w-md',
    inputMode: 'numeric',
  },
]

function Sizes({ value, onValue }: ControlProps<Profile['companySizes']>) {
  const others = (size: string) => value.filter((each) => each !== size)
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">
        Company size, in employees <span className="font-normal text-muted">(optional)</span>
      </legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {sizes.map((size) => (
          <Checkbox
            key={size}
            label={size}
            value={value.includes(size)}
            onValue={(on) => onValue(on ? [...others(size), size] : others(size))}
          />
        ))}
      </div>
    </fieldset>
  )
}

export function TrialMeters({ trial }: { trial: NonNullable<Agent['trial']> }) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>
        The free trial pays for the agent itself
        {trial.endsAt && (
          <>
            ; it ends <TimeUntil at={trial.endsAt} />
          </>
        )}
        .
      </p>
      <Meter
        label="People checked"
        value={trial.checked}
        max={trial.checkedLimit}
        tone={trial.checked >= trial.checkedLimit ? 'bad' : 'good'}
      />
      <Meter label="People watched" value={trial.watched} max={trial.watchLimit} />
    </div>
  )
}

/** Quotes a start: sends it without consent and reads the refusal. Starts nothing. */
async function askQuote(agentId: string, dailyCredits: number | null, signal: AbortSignal): Promise<SpendQuote> {
  try {
    await ask(
      'startAgent',
      { agentId, ...(dailyCredits === null ? {} : { dailyCredits }), confirmSpend: false },
      { signal },
    )
  } catch (error) {
    if (asksToSpend(error)) return error.body
    throw error
  }
  throw new Error('The agent started without asking you to confirm: stop it if you did not mean to start it.')
}

type Split = { readonly perTopic: number; readonly people: number; readonly total: number }

function ofWords(remaining: unknown, isTrial: boolean): string {
  if (typeof remaining !== 'number') return 'credits'
  return isTrial
    ? `of ${credits(remaining)} left of the agent’s own free trial; your team’s credits are not used`
    : `of ${credits(remaining)} your team has`
}

function Plan({ agentId, dailyCredits, topics }: { agentId: string; dailyCredits: number | null; topics: number }) {
  const daily = useSettled(dailyCredits, 500)
  const valid = dailyCredits === null || (Number.isInteger(dailyCredits) && dailyCredits > 0)
  const { data, error } = useQuery({
    queryKey: keyOf('agent', 'quote', agentId, daily, topics),
    queryFn: ({ signal }) => askQuote(agentId, daily, signal),
    enabled: valid && topics > 0,
    staleTime: 60_000,
    retry: false,
  })
  if (topics === 0) return <Notice tone="warn">The agent has no topics yet: name some first.</Notice>
  if (!valid) return <p className="text-sm text-danger-text">The daily limit must be a whole number.</p>
  if (error) return <Notice tone="bad">{error.message}</Notice>
  if (!data) return <Skeleton lines={3} />
  const plan = data.plan as Split | undefined
  return (
    <div className="flex flex-col gap-4" aria-live="polite">
      {plan && (
        <Stats
          stats={[
            ['Each topic, a day', count(plan.perTopic), `credits, for ${countOf(topics, 'topic')}`],
            ['People watched', count(plan.people), '25 credits a sync each'],
            ['At most a day', count(plan.total), ofWords(data.remainingBalance, dailyCredits === null)],
          ]}
        />
      )}
      <Bullets
        className="text-sm text-muted"
        lines={spendWords(
          { ...data, plan: undefined },
          dailyCredits === null ? 'the agent’s own free trial has' : undefined,
        )}
      />
    </div>
  )
}

/** The parts of a profile: cards of its form, and steps of the setup. */
export const parts = [
  {
    step: 'company',
    title: 'Your website',
    text: 'What you sell, so that you recognise this agent.',
    fields: companyFields,
  },
  { step: 'buyers', title: 'Who buys', text: 'People are ranked by how well they match.', fields: buyerFields },
  {
    step: 'topics',
    title: 'What they talk about',
    text: 'The agent searches for posts about these topics every day.',
    fields: topicFields,
  },
  { step: 'budget', title: 'Daily limit', text: 'What the agent may spend, and how it is split.', fields: limitFields },
] as const

type PartFieldsProps = {
  part: (typeof parts)[number]
  profile: Profile
  onChange: (change: Partial<Profile>) => void
  agent: Agent | null
}

export function PartFields({ part: { step, fields }, profile, onChange, agent }: PartFieldsProps) {
  const trial = agent?.trial ?? null
  const isLimit = step === 'budget'
  return (
    <div className={cx('grid gap-4', step === 'buyers' && 'lg:grid-cols-2')}>
      {isLimit && trial ? (
        <TrialMeters trial={trial} />
      ) : (
        <FormFields fields={fields} form={profile} onChange={onChange} />
      )}
      {isLimit && agent !== null && (
        <Plan
          agentId={agent.id}
          dailyCredits={trial ? null : numberOf(profile.dailyCredits)}
          topics={agent.profile.topics.length}
        />
      )}
    </div>
  )
}

export function ProfileForm({ agent }: { agent: Agent }) {
  const { value: profile, before, isEdited, change: onChange, saved } = useEdited(profileOf(agent))
  const update = useWrite('updateAgent', { quiet: true, done: 'The profile was saved' })
  // Only edited fields are sent, since another member may have changed the others.
  const edits = editedOf(changeOf(profile, agent.trial !== null), profile, before)
  return (
    <div className="flex flex-col gap-5">
      <Notice tone="info">
        Ranking uses your changes at once. Topics and the daily limit take effect when you start the agent again.
      </Notice>
      {parts.map((part) => (
        <Card key={part.step} title={part.title}>
          <PartFields {...{ part, profile, onChange, agent }} />
        </Card>
      ))}
      <Failure error={update.error} title="It was not saved" />
      <div className="flex flex-wrap gap-2">
        <RoleButton
          variant={isEdited ? 'primary' : 'secondary'}
          busy={update.isPending}
          reason={!isEdited && 'Nothing has been changed.'}
          onClick={() => update.mutate({ agentId: agent.id, ...edits }, { onSuccess: saved })}
        >
          Save the profile
        </RoleButton>
        <StartButton
          agent={agent}
          label={agent.status === 'active' ? 'Start again with this' : 'Start the agent'}
          reason={isEdited ? 'Save the profile first.' : noTopic(agent)}
        />
      </div>
      {isEdited && <p className="text-sm text-muted">Save first, then start.</p>}
    </div>
  )
}
