import { discoverError, discoverState } from '@les/contract'
import { useNavigate } from '@tanstack/react-router'
import { Plus, Users } from 'lucide-react'
import { bounds } from 'virtual:values'
import { useRead, useWrite } from '../../api/index.ts'
import { RoleButton } from '../../ui/button.tsx'
import { column, TwoLines, whenColumn, type Column } from '../../ui/columns.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { numberOf, useForm } from '../../ui/edited.ts'
import { FormFields, type FormField } from '../../ui/form.tsx'
import { count, countOf } from '../../ui/format.ts'
import { NameLink } from '../../ui/link.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { PageFrame, Served } from '../../ui/page.tsx'
import { Failure, SaidBadge } from '../../ui/show.tsx'
import { useSpend } from '../../ui/spend.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAddress } from '../../app/address.ts'
import { wantedWords, type Run } from './words.ts'

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

const fields: readonly FormField<Draft>[] = [
  {
    name: 'keywords',
    label: 'Topics',
    wide: true,
    max: bounds.discoverKeywords.max,
    placeholder: 'Such as sales automation',
    hint: 'Plain words, without quotation marks or brackets. A post that matches any topic counts.',
  },
  {
    name: 'countries',
    label: 'Countries',
    optional: true,
    wide: true,
    max: bounds.discoverCountries,
    placeholder: 'Such as Germany',
    hint: 'Only people whose profile names one of these countries. Looking them up is free.',
  },
  {
    name: 'most',
    label: 'People at most',
    hint: ({ most }) =>
      numberOf(most) > 0
        ? `One credit each: at most ${countOf(numberOf(most), 'credit')}.`
        : `From ${bounds.discoverInfluencers.min} to ${bounds.discoverInfluencers.max}, one credit each.`,
    inputMode: 'numeric',
  },
  {
    name: 'least',
    label: 'Least engagement a post',
    hint: 'Reactions and comments, on average over a person’s posts.',
    inputMode: 'numeric',
  },
]

function NewRunDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const [draft, change] = useForm(emptyDraft)
  const spend = useSpend(useWrite('startDiscover', { quiet: true }))
  const { keywords, countries, least, most } = draft
  const request = {
    keywords: [...keywords],
    ...(countries.length > 0 ? { countries: [...countries] } : {}),
    minEngagement: numberOf(least),
    maxInfluencers: numberOf(most),
  }
  const run = () =>
    spend.run(request, ({ id }) => {
      toast.good('The run has started', 'People appear as they are found.')
      void navigate({ to: '/discover/$id', params: { id } })
    })
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
            variant="primary"
            busy={spend.pending}
            reason={keywords.length === 0 && 'Name at least one topic first.'}
            onClick={run}
          >
            Show the cost and start
          </RoleButton>
        }
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <FormFields fields={fields} form={draft} onChange={change} />
          <Failure error={spend.error} className="sm:col-span-full" />
        </div>
      </Dialog>
      {spend.dialog}
    </>
  )
}

const columns: readonly Column<Run>[] = [
  column('Topic', (run) => (
    <TwoLines
      first={
        <NameLink to="/discover/$id" params={{ id: run.id }}>
          {run.keywords.join(', ')}
        </NameLink>
      }
      second={wantedWords(run)}
    />
  )),
  column('State', (run) => (
    <TwoLines plain first={<SaidBadge said={discoverState(run)} />} second={discoverError(run.error)} />
  )),
  column(
    'People added',
    { align: 'end', sortBy: (run) => run.found },
    (run) => `${count(run.found)} of ${count(run.maxInfluencers)}`,
  ),
  whenColumn('Started', (run) => run.createdAt),
]

export function Page() {
  const { search, change } = useAddress('/signed-in/team/discover')
  const open = (next: boolean) => change({ new: next || undefined }, { replace: !next })
  const query = useRead('listDiscoverRuns', {})
  const make = (
    <RoleButton variant="primary" icon={Plus} onClick={() => open(true)}>
      New run
    </RoleButton>
  )
  return (
    <PageFrame of="/discover" actions={make}>
      <Served>
        <ListCard
          query={query}
          label="Discover runs"
          columns={columns}
          rows={query.data?.runs ?? []}
          empty={{
            icon: Users,
            title: 'No run yet',
            text: 'Name a topic, and a run finds people whose posts about it are widely read. Then track them, or send them to a campaign.',
            action: make,
          }}
        />
      </Served>
      <NewRunDialog open={search.new === true} onClose={() => open(false)} />
    </PageFrame>
  )
}
