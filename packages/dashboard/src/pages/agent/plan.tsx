import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, asksToSpend, keyOf } from '../../api/index.ts'
import { Notice, Skeleton, Stat, count, countOf, credits, useSettled } from '../../ui/index.ts'
import { spendWords, type SpendQuote } from '../../ui/spend-words.ts'

/** What a start would come to: the refusal of a start that carries no yes. Nothing is started by it. */
async function askQuote(agentId: string, dailyCredits: number | null, signal: AbortSignal): Promise<SpendQuote> {
  try {
    await api.v1(
      'startAgent',
      { agentId, ...(dailyCredits === null ? {} : { dailyCredits }), confirmSpend: false },
      { signal },
    )
  } catch (error) {
    if (asksToSpend(error)) return error.body
    throw error
  }
  throw new Error('The agent was started without a yes: stop it if that was not meant.')
}

type Split = { readonly perTopic: number; readonly people: number; readonly total: number }

/** What the whole is taken of. */
function ofWords(remaining: unknown, isTrial: boolean): string {
  if (typeof remaining !== 'number') return 'credits'
  return isTrial
    ? `of ${credits(remaining)} left of the agent’s own free trial; your team’s credits are not used`
    : `of ${credits(remaining)} your team has`
}

function SplitFigures({
  plan,
  topics,
  of,
}: {
  readonly plan: Split
  readonly topics: number
  readonly of: string
}): ReactNode {
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Stat label="Each topic, a day" value={count(plan.perTopic)} hint={`credits, for ${countOf(topics, 'topic')}`} />
      <Stat label="People watched" value={count(plan.people)} hint="25 credits a sync each" />
      <Stat label="At most a day" value={count(plan.total)} hint={of} />
    </div>
  )
}

/** How a daily limit would be split, in the service's own figures; null on a free trial, which has none. */
export function Plan({
  agentId,
  dailyCredits,
  topics,
}: {
  readonly agentId: string
  readonly dailyCredits: number | null
  readonly topics: number
}): ReactNode {
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
      {plan && <SplitFigures plan={plan} topics={topics} of={ofWords(data.remainingBalance, dailyCredits === null)} />}
      <ul className="list-disc pl-5 text-sm text-muted">
        {spendWords(
          { ...data, plan: undefined },
          dailyCredits === null ? 'the agent’s own free trial has' : undefined,
        ).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
