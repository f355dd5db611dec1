import { Target } from 'lucide-react'
import { useRead, type ResultOf } from '../../api/index.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { choicesOf } from '../../ui/form.tsx'
import { count, decimal } from '../../ui/format.ts'
import { Funnel } from '../../ui/funnel.tsx'
import { LinkButton, PrimaryLink } from '../../ui/link.tsx'
import { PageFrame, Tabs } from '../../ui/page.tsx'
import { Card, EmptyState, Loaded, Stats } from '../../ui/show.tsx'
import { useAddress } from '../../app/address.ts'
import { compact } from '../../app/search.ts'
import { resultGroups } from '../../app/searches.ts'
import { CostChart, Figures, groupNames, type Row } from './costs.tsx'
import { Suggestions } from './suggestions.tsx'

const steps = [
  { key: 'people', label: 'Captured', text: 'new people, a credit each' },
  { key: 'sent', label: 'Written to', text: 'in a campaign' },
  { key: 'accepted', label: 'Accepted', text: 'are connected now' },
  { key: 'replied', label: 'Replied', text: 'have answered' },
  { key: 'meetings', label: 'Meeting', text: 'have met you' },
  { key: 'won', label: 'Won', text: 'have bought' },
] as const

const moneyIn = (amount: number, currency: string | null): string =>
  currency === null
    ? count(amount)
    : new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 }).format(amount)

const nothing = {
  icon: Target,
  title: 'No results yet',
  text: 'Replies arrive automatically once the outreach platform is connected; stages of a CRM destination count too. Record others on a lead, or through the API.',
  action: (
    <>
      <PrimaryLink to="/outreach">Connect outreach</PrimaryLink>
      <LinkButton to="/leads">Record one at a lead</LinkButton>
    </>
  ),
}

const isEmpty = ({ people, sent, replied, meetings, won }: Row) => people + sent + replied + meetings + won === 0

function Overview({ summary, by }: { summary: ResultOf<'getResultsSummary'>; by: keyof typeof groupNames }) {
  const { total, rows } = summary
  if (isEmpty(total))
    return (
      <Card>
        <EmptyState {...nothing} />
      </Card>
    )
  return (
    <div className="flex flex-col gap-4">
      <Stats
        stats={[
          ['Replied', count(total.replied), `of ${count(total.sent)} written to`],
          ['Credits a reply', decimal(total.costPerReply), `${count(total.credits)} credits in all`],
          ['Credits a meeting', decimal(total.costPerMeeting), `${count(total.meetings)} met`],
          [
            'Won',
            count(total.won),
            [{ amount: total.amount, currency: total.currency }, ...total.otherAmounts]
              .filter(({ amount }) => amount > 0)
              .map(({ amount, currency }) => moneyIn(amount, currency))
              .join(', '),
          ],
        ]}
      />
      <Card
        title="From captured to won"
        text="How many people got that far, and what share of those written to that is."
      >
        <Funnel
          steps={steps.map((step) => ({ ...step, value: total[step.key] }))}
          whole={{ value: total.sent, after: 'sent' }}
        />
      </Card>
      <CostChart rows={rows} by={by} />
    </div>
  )
}

export function Page() {
  const { search, change, tabs } = useAddress('/signed-in/team/results')
  const { by = 'source', from, to } = search
  const query = useRead('getResultsSummary', { groupBy: by, ...compact({ from, to }) }, { keepPrevious: true })
  return (
    <PageFrame of="/results" served>
      {search.tab !== 'suggestions' && (
        <div className="flex flex-wrap gap-3">
          <SelectField
            label="By"
            className="w-44"
            value={by}
            onValue={(value) => change({ by: resultGroups.find((each) => each === value) })}
            choices={choicesOf(groupNames)}
          />
          {(['from', 'to'] as const).map((name) => (
            <TextField
              key={name}
              label={name === 'from' ? 'From' : 'To'}
              className="w-40"
              type="date"
              value={search[name] ?? ''}
              onValue={(value) => change({ [name]: value === '' ? undefined : value })}
            />
          ))}
        </div>
      )}
      <Tabs
        label="Results"
        {...tabs('overview', { keeps: true })}
        tabs={[
          {
            value: 'overview',
            label: 'Overview',
            content: <Loaded query={query}>{(summary) => <Overview summary={summary} by={by} />}</Loaded>,
          },
          { value: 'figures', label: 'Figures', content: <Figures query={query} by={by} empty={nothing} /> },
          { value: 'suggestions', label: 'Suggestions', content: <Suggestions /> },
        ]}
      />
    </PageFrame>
  )
}
