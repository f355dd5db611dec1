/** The tables of the operators' page. */
import { teamStates } from '@les/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, type SessionResult } from '../../api/index.ts'
import { Badge, Button, count, countOf, planName, TimeAgo, TimeUntil, toast, type Column } from '../../ui/index.ts'

/** What operators see at one moment. */
export type Overview = SessionResult<'getOperatorOverview'>
type Team = Overview['teams'][number]
type Vendor = Overview['vendors'][number]
type Margin = Overview['margins'][number]
type Queue = Overview['queues'][number]
type Poison = Overview['poison'][number]

/** The key of what operators see. */
export const queryKey = ['operator', 'overview'] as const
const dollars = (amount: number | null): string => (amount === null ? '–' : `$${amount.toFixed(2)}`)

/** Teams and their credits. */
export const teamColumns: readonly Column<Team>[] = [
  {
    id: 'name',
    header: 'Team',
    sortBy: (team) => team.name,
    cell: (team) => (
      <>
        <span className="font-medium">{team.name}</span>
        <div className="font-mono text-xs text-muted">{team.id}</div>
      </>
    ),
  },
  { id: 'plan', header: 'Plan', wide: true, cell: (team) => planName(team.plan) },
  {
    id: 'status',
    header: 'Standing',
    cell: (team) => <Badge tone={team.status === 'expired' ? 'warn' : 'neutral'}>{teamStates[team.status].text}</Badge>,
  },
  {
    id: 'credits',
    header: 'Credits left',
    align: 'end',
    sortBy: (team) => team.credits,
    cell: (team) => count(team.credits),
  },
  {
    id: 'used',
    header: 'Used this period',
    align: 'end',
    wide: true,
    sortBy: (team) => team.usedThisPeriod,
    cell: (team) => count(team.usedThisPeriod),
  },
  {
    id: 'sources',
    header: 'Sources',
    align: 'end',
    sortBy: (team) => team.activeSources,
    cell: (team) => count(team.activeSources),
  },
]

const keyWords: Readonly<Record<Vendor['key'], string>> = {
  good: 'Key good',
  refused: 'Key refused',
  unknown: 'Not read',
}
/** Vendors, with their balance and what was spent there today. */
export const vendorColumns: readonly Column<Vendor>[] = [
  {
    id: 'vendor',
    header: 'Vendor',
    cell: (vendor) => (
      <>
        <span className="inline-flex gap-1">
          <span className="font-medium">{vendor.vendor}</span>
          <span className="text-muted">{vendor.plan}</span>
        </span>
        {vendor.held !== null && <div className="text-[0.8125rem] text-warn-text">Held: {vendor.held.inWords}</div>}
      </>
    ),
  },
  {
    id: 'key',
    header: 'Key',
    cell: (vendor) => (
      <Badge tone={vendor.key === 'good' ? 'good' : vendor.key === 'refused' ? 'bad' : 'neutral'}>
        {keyWords[vendor.key]}
      </Badge>
    ),
  },
  {
    id: 'balance',
    header: 'Balance',
    align: 'end',
    cell: (vendor) => (
      <>
        {dollars(vendor.balance)}
        {vendor.daysLeft !== null && (
          <div className="text-[0.8125rem] text-muted">about {countOf(vendor.daysLeft, 'day')}</div>
        )}
      </>
    ),
  },
  {
    id: 'today',
    header: 'Today',
    align: 'end',
    cell: (vendor) => (
      <>
        {dollars(vendor.today.dollars)}
        <div className="text-[0.8125rem] text-muted">
          {countOf(vendor.today.calls, 'call')}
          {vendor.dailyCap === null ? '' : `, cap ${dollars(vendor.dailyCap)}`}
        </div>
      </>
    ),
  },
  { id: 'flight', header: 'In flight', align: 'end', wide: true, cell: (vendor) => count(vendor.inFlight) },
]

/** What teams cost and bring. */
export const marginColumns: readonly Column<Margin>[] = [
  { id: 'name', header: 'Team', cell: (team) => team.name },
  {
    id: 'credits',
    header: 'Credits charged',
    align: 'end',
    sortBy: (team) => team.credits,
    cell: (team) => count(team.credits),
  },
  { id: 'cost', header: 'Cost', align: 'end', sortBy: (team) => team.dollars, cell: (team) => dollars(team.dollars) },
  { id: 'revenue', header: 'Revenue', align: 'end', wide: true, cell: (team) => dollars(team.revenue) },
  { id: 'margin', header: 'Margin', align: 'end', sortBy: (team) => team.margin, cell: (team) => dollars(team.margin) },
]

/** What waits, by kind of work. */
export const queueColumns: readonly Column<Queue>[] = [
  { id: 'kind', header: 'Kind of work', cell: (queue) => queue.kind },
  {
    id: 'waiting',
    header: 'Waiting',
    align: 'end',
    cell: (queue) => `${count(queue.waiting)}${queue.atLeast ? ' or more' : ''}`,
  },
  { id: 'oldest', header: 'Oldest since', cell: (queue) => <TimeAgo at={queue.oldest} /> },
]

function Retry({ work }: { readonly work: Poison }): ReactNode {
  const client = useQueryClient()
  const retry = useMutation({
    mutationFn: () => api.session('retryPoisonWork', { kind: work.kind, teamId: work.teamId, id: work.id }),
    onSuccess: ({ due }) =>
      due ? toast.good('It is tried now') : toast.info('Nothing to try: it is under way, over, or well again'),
    onError: (error) => toast.bad('It could not be tried', error.message),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <Button size="sm" busy={retry.isPending} onClick={() => retry.mutate()}>
      Try again
    </Button>
  )
}

/** Work that fails again and again. */
export const poisonColumns: readonly Column<Poison>[] = [
  {
    id: 'work',
    header: 'Work',
    cell: (work) => (
      <>
        {work.kind} <span className="text-muted">of {work.teamName}</span>
        <div className="font-mono text-xs text-muted">{work.id}</div>
      </>
    ),
  },
  { id: 'failures', header: 'Failures in a row', align: 'end', cell: (work) => count(work.failures) },
  { id: 'next', header: 'Next try', wide: true, cell: (work) => <TimeUntil at={work.nextTryAt} none="–" /> },
  { id: 'retry', header: 'Try again', hideHeader: true, cell: (work) => <Retry work={work} /> },
]
