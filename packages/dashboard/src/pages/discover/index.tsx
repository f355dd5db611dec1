import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { bounds } from 'virtual:values'
import { asksToSpend, useV1Mutation, useV1Query } from '../../api/index.ts'
import { textOf } from '../../shell/navigation.ts'
import {
  Badge,
  Card,
  count,
  countOf,
  Dialog,
  EmptyState,
  ListField,
  PageFrame,
  RoleButton,
  Served,
  TimeAgo,
  toast,
  useSpend,
  type Column,
  Failure,
  TextField,
  RecordList,
} from '../../ui/index.ts'
import { errorWords, stateOf, wantedWords, type Run } from './words.ts'

const asNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

type Draft = {
  readonly keywords: readonly string[]
  readonly countries: readonly string[]
  readonly least: string
  readonly most: string
}

const emptyDraft: Draft = {
  keywords: [],
  countries: [],
  least: String(bounds.discoverMinEngagement.default),
  most: String(bounds.discoverInfluencers.default),
}

function RunFields({
  draft: { keywords, countries, least, most },
  change,
}: {
  draft: Draft
  change: (part: Partial<Draft>) => void
}) {
  const cost = asNumber(most)
  return (
    <>
      <ListField
        label="Topics"
        value={keywords}
        onValue={(keywords) => change({ keywords })}
        max={bounds.discoverKeywords.max}
        placeholder="Such as sales automation"
        hint="Plain words, without quotation marks or brackets. A post that matches any topic counts."
      />
      <ListField
        label="Countries"
        optional
        value={countries}
        onValue={(countries) => change({ countries })}
        max={bounds.discoverCountries}
        placeholder="Such as Germany"
        hint="Only people whose profile names one of these countries. Looking them up is free."
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="People at most"
          hint={
            Number.isFinite(cost) && cost > 0
              ? `One credit each: at most ${countOf(cost, 'credit')}.`
              : `From ${bounds.discoverInfluencers.min} to ${bounds.discoverInfluencers.max}, one credit each.`
          }
          inputMode="numeric"
          value={most}
          onValue={(most) => change({ most })}
        />
        <TextField
          label="Least engagement a post"
          hint="Reactions and comments, on average over a person’s posts."
          inputMode="numeric"
          value={least}
          onValue={(least) => change({ least })}
        />
      </div>
    </>
  )
}

/** What is typed of a run, and the act that starts it after a yes to its cost. */
function useNewRun() {
  const navigate = useNavigate()
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const { keywords, countries, least, most } = draft
  const start = useV1Mutation('startDiscover', { quiet: true, refreshes: ['discover', 'credits'] })
  const spend = useSpend(start)
  const run = () =>
    spend.run(
      {
        keywords: [...keywords],
        ...(countries.length > 0 ? { countries: [...countries] } : {}),
        minEngagement: asNumber(least),
        maxInfluencers: asNumber(most),
      },
      ({ id }) => {
        toast.good('The run has started', 'People appear as they are found.')
        void navigate({ to: '/discover/$id', params: { id } })
      },
    )
  return {
    ...{ draft, spend, run },
    change: (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part })),
    failed: start.error !== null && !asksToSpend(start.error) ? start.error.message : null,
  }
}

function NewRunDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { draft, change, spend, run, failed } = useNewRun()
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title="New Discover run"
        text="Searches the posts of the past month, once."
        cancel
        actions={
          <RoleButton
            needs="member"
            variant="primary"
            busy={spend.pending}
            reason={draft.keywords.length === 0 && 'Name at least one topic first.'}
            onClick={run}
          >
            Show the cost and start
          </RoleButton>
        }
      >
        <div className="flex flex-col gap-4">
          <RunFields draft={draft} change={change} />
          <Failure error={failed} />
        </div>
      </Dialog>
      {spend.dialog}
    </>
  )
}

function State({ run }: { run: Run }) {
  const [words, tone] = stateOf(run)
  const why = errorWords(run)
  return (
    <div className="flex flex-col items-start gap-1">
      <Badge tone={tone}>{words}</Badge>
      {why && <span className="text-[0.8125rem] text-muted">{why}</span>}
    </div>
  )
}

const columns: readonly Column<Run>[] = [
  {
    id: 'topic',
    header: 'Topic',
    cell: (run) => (
      <div className="min-w-40">
        <Link
          to="/discover/$id"
          params={{ id: run.id }}
          className="font-medium text-accent-text underline-offset-2 hover:underline"
        >
          {run.keywords.join(', ')}
        </Link>
        <p className="text-[0.8125rem] text-muted">{wantedWords(run)}</p>
      </div>
    ),
  },
  { id: 'state', header: 'State', cell: (run) => <State run={run} /> },
  {
    id: 'found',
    header: 'People added',
    align: 'end',
    sortBy: (run) => run.found,
    cell: (run) => `${count(run.found)} of ${count(run.maxInfluencers)}`,
  },
  {
    id: 'made',
    header: 'Started',
    wide: true,
    sortBy: (run) => run.createdAt,
    cell: (run) => <TimeAgo at={run.createdAt} />,
  },
]

export function Page() {
  const { new: isMaking = false } = useSearch({ from: '/signed-in/team/discover' })
  const navigate = useNavigate({ from: '/discover' })
  const open = (next: boolean) => void navigate({ search: next ? { new: true } : {}, replace: !next })
  const query = useV1Query('listDiscoverRuns', {}, { topic: 'discover' })
  const make = (
    <RoleButton needs="member" variant="primary" icon={Plus} onClick={() => open(true)}>
      New run
    </RoleButton>
  )
  return (
    <PageFrame title="Discover" text={textOf('/discover')} actions={make}>
      <Served>
        <Card flush>
          <RecordList
            query={query}
            label="Discover runs"
            columns={columns}
            rows={query.data?.runs ?? []}
            rowId={(run) => run.id}
            empty={
              <EmptyState
                icon={Users}
                title="No run yet"
                text={
                  'Name a topic, and a run finds people whose posts about it ' +
                  'are widely read. Then track them, or send them to a campaign.'
                }
                action={make}
              />
            }
          />
        </Card>
      </Served>
      <NewRunDialog open={isMaking} onClose={() => open(false)} />
    </PageFrame>
  )
}
