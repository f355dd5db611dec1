import { teamStates } from '@les/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask, type ResultOf } from '../../api/index.ts'
import { Button } from '../../ui/button.tsx'
import { column, countColumn, TwoLines, type Column } from '../../ui/columns.tsx'
import { count, countOf, planName } from '../../ui/format.ts'
import { ListCard } from '../../ui/list-card.tsx'
import { PageFrame, Tabs } from '../../ui/page.tsx'
import { Badge, Loaded, Notice } from '../../ui/show.tsx'
import { TimeAgo, TimeUntil } from '../../ui/text.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAddress } from '../../app/address.ts'

type Overview = ResultOf<'getOperatorOverview'>
type Team = Overview['teams'][number]
type Vendor = Overview['vendors'][number]
type Margin = Overview['margins'][number]
type Queue = Overview['queues'][number]
type Poison = Overview['poison'][number]

const queryKey = ['operator', 'overview'] as const
const dollars = (amount: number | null): string => (amount === null ? '–' : `$${amount.toFixed(2)}`)

const teamColumns: readonly Column<Team>[] = [
  column('Team', { sortBy: (team) => team.name }, (team) => <TwoLines first={team.name} second={team.id} mono />),
  column('Plan', (team) => planName(team.plan)),
  column('Standing', (team) => (
    <Badge tone={team.status === 'expired' ? 'warn' : 'neutral'}>{teamStates[team.status].text}</Badge>
  )),
  countColumn('Credits left', (team) => team.credits),
  countColumn('Used this period', (team) => team.usedThisPeriod),
  countColumn('Sources', (team) => team.activeSources),
]

const keyWords: Readonly<Record<Vendor['key'], string>> = {
  good: 'Key good',
  refused: 'Key refused',
  unknown: 'Not read',
}
const vendorColumns: readonly Column<Vendor>[] = [
  column('Vendor', (vendor) => (
    <>
      <span className="inline-flex gap-1">
        <span className="font-medium">{vendor.vendor}</span>
        <span className="text-muted">{vendor.plan}</span>
      </span>
      {vendor.held !== null && <div className="text-[0.8125rem] text-warn-text">Held: {vendor.held.inWords}</div>}
    </>
  )),
  column('Key', (vendor) => (
    <Badge tone={vendor.key === 'good' ? 'good' : vendor.key === 'refused' ? 'bad' : 'neutral'}>
      {keyWords[vendor.key]}
    </Badge>
  )),
  column('Balance', { align: 'end' }, (vendor) => (
    <TwoLines
      plain
      first={dollars(vendor.balance)}
      second={vendor.daysLeft !== null && `about ${countOf(vendor.daysLeft, 'day')}`}
    />
  )),
  column('Today', { align: 'end' }, (vendor) => (
    <TwoLines
      plain
      first={dollars(vendor.today.dollars)}
      second={
        countOf(vendor.today.calls, 'call') + (vendor.dailyCap === null ? '' : `, cap ${dollars(vendor.dailyCap)}`)
      }
    />
  )),
  column('In flight', { align: 'end' }, (vendor) => count(vendor.inFlight)),
]

const marginColumns: readonly Column<Margin>[] = [
  column('Team', (team) => team.name),
  countColumn('Credits charged', (team) => team.credits),
  column('Cost', { align: 'end', sortBy: (team) => team.dollars }, (team) => dollars(team.dollars)),
  column('Revenue', { align: 'end' }, (team) => dollars(team.revenue)),
  column('Margin', { align: 'end', sortBy: (team) => team.margin }, (team) => dollars(team.margin)),
]

const queueColumns: readonly Column<Queue>[] = [
  column('Kind of work', (queue) => queue.kind),
  column('Waiting', { align: 'end' }, (queue) => `${count(queue.waiting)}${queue.atLeast ? ' or more' : ''}`),
  column('Oldest since', (queue) => <TimeAgo at={queue.oldest} />),
]

function Retry({ work }: { work: Poison }) {
  const client = useQueryClient()
  const retry = useMutation({
    mutationFn: () => ask('retryPoisonWork', { kind: work.kind, teamId: work.teamId, id: work.id }),
    onSuccess: ({ due }) =>
      due
        ? toast.good('It is being tried again')
        : toast.info('Nothing to try: it is under way, finished, or working again'),
    onError: (error) => toast.bad('It could not be tried again', error.message),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <Button size="sm" busy={retry.isPending} onClick={() => retry.mutate()}>
      Try again
    </Button>
  )
}

const poisonColumns: readonly Column<Poison>[] = [
  column('Work', (work) => (
    <>
      {work.kind} <span className="text-muted">of {work.teamName}</span>
      <div className="font-mono text-xs text-muted">{work.id}</div>
    </>
  )),
  column('Failures in a row', { align: 'end' }, (work) => count(work.failures)),
  column('Next try', (work) => <TimeUntil at={work.nextTryAt} none="–" />),
  column('Try again', { hideHeader: true }, (work) => <Retry work={work} />),
]

function Overviewed({ data }: { data: Overview }) {
  const { tabs } = useAddress('/signed-in/team/operations')
  return (
    <div className="flex flex-col gap-4">
      {data.alerts.length === 0 ? (
        <Notice tone="good">Nothing needs you.</Notice>
      ) : (
        <div className="flex flex-col gap-2">
          {data.alerts.map(({ level, text, advice }) => (
            <Notice key={text} tone={level} title={text}>
              {advice}
            </Notice>
          ))}
        </div>
      )}
      <Tabs
        label="What operators see"
        {...tabs('teams')}
        tabs={[
          {
            value: 'teams',
            label: 'Teams and credits',
            content: (
              <>
                <ListCard label="Teams" columns={teamColumns} rows={data.teams} empty={{ title: 'No team yet' }} />
                {data.moreTeams && <p className="mt-2 text-sm text-muted">Only the newest teams are listed.</p>}
              </>
            ),
          },
          {
            value: 'vendors',
            label: 'Vendors',
            content: (
              <ListCard
                label="Vendors"
                columns={vendorColumns}
                rows={data.vendors}
                rowId={({ vendor }) => vendor}
                empty={{ title: 'No vendor is set up' }}
              />
            ),
          },
          {
            value: 'costs',
            label: 'Costs and margins',
            content: (
              <ListCard
                label="Costs of 30 days"
                columns={marginColumns}
                rows={data.margins}
                rowId={({ teamId }) => teamId}
                empty={{ title: 'Nothing was spent in 30 days' }}
              />
            ),
          },
          {
            value: 'work',
            label: `Work${data.poison.length > 0 ? ` (${data.poison.length})` : ''}`,
            content: (
              <div className="flex flex-col gap-4">
                <ListCard
                  title="What waits"
                  label="Queues"
                  columns={queueColumns}
                  rows={data.queues}
                  rowId={({ kind }) => kind}
                  empty={{ title: 'Nothing waits' }}
                />
                <ListCard
                  title="What fails"
                  label="Work that fails"
                  columns={poisonColumns}
                  rows={data.poison}
                  rowId={({ kind, id }) => `${kind} ${id}`}
                  empty={{ title: 'No work fails' }}
                />
              </div>
            ),
          },
        ]}
      />
    </div>
  )
}

export function Page() {
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => ask('getOperatorOverview', {}, { signal }),
    refetchInterval: 30_000,
  })
  return (
    <PageFrame title="Operations" text="The whole service: only people named in LES_OPERATORS see this page.">
      <Loaded query={query}>{(data) => <Overviewed data={data} />}</Loaded>
    </PageFrame>
  )
}
