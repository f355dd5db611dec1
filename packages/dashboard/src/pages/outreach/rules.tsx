import type { ResultOf } from '../../api/index.ts'
import { leadRows, rowWords, type EditedRow } from '../../ui/filter-words.ts'
import { ActButton } from '../../ui/form.tsx'
import { count, countOf } from '../../ui/format.ts'
import { LinkButton, NameLink, PrimaryLink } from '../../ui/link.tsx'
import { Badge, Card, EmptyState } from '../../ui/show.tsx'
import { pauseWords } from './words.ts'

type Listed = ResultOf<'listOutreachResults'>['rules'][number]
type Owned = ResultOf<'getOutreach'>['autoPush'][number]

function StartAgain({ rule }: { rule: Owned }) {
  if (rule.sourceId === null)
    return (
      <LinkButton to="/agent" size="sm">
        Open the agent
      </LinkButton>
    )
  const id = rule.sourceId
  if (rule.pausedReason === 'campaign_closed')
    return (
      <LinkButton to="/sources/$id" params={{ id }} search={{ tab: 'outreach' }} size="sm">
        Choose another campaign
      </LinkButton>
    )
  return (
    <ActButton
      size="sm"
      does="updateSourceOutreach"
      input={{ id, campaignId: rule.campaignId, autoSend: rule.autoSend, filters: leadRows(rule.filters) }}
      done="The rule sends again"
    >
      Start again
    </ActButton>
  )
}

function Line({ listed, owned }: { listed: Listed; owned: Owned | undefined }) {
  const pause = pauseWords(owned?.pausedReason ?? null)
  const isPaused = listed.paused !== null || pause !== null
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-1 text-sm">
          <p className="flex flex-wrap items-center gap-2">
            {listed.ownerKind === 'source' ? (
              <NameLink to="/sources/$id" params={{ id: listed.ownerId }} search={{ tab: 'outreach' }}>
                {listed.label}
              </NameLink>
            ) : (
              <NameLink to="/agent">{listed.label}</NameLink>
            )}
            <span aria-hidden="true">→</span>
            <span className="sr-only">goes to</span>
            <span className="break-words">{owned?.campaignName ?? `campaign ${listed.campaignId}`}</span>
            <Badge tone={isPaused ? 'bad' : listed.autoSend ? 'good' : 'neutral'}>
              {isPaused ? 'Paused' : listed.autoSend ? 'Sends by itself' : 'By hand'}
            </Badge>
          </p>
          <p className="text-[0.8125rem] text-muted">
            {owned && owned.filters.length > 0
              ? `Only if ${owned.filters.map((row) => rowWords(row as EditedRow)).join(' and ')}`
              : listed.filters > 0
                ? `${countOf(listed.filters, 'row')} of filters`
                : 'Every enriched lead'}{' '}
            · {count(listed.queued)} waiting
          </p>
          {isPaused && <p className="text-danger-text">{pause ? `${pause.why} ${pause.how}` : listed.paused}</p>}
        </div>
        {isPaused && owned && <StartAgain rule={owned} />}
      </div>
    </li>
  )
}

export function Rules({ listed, owned }: { listed: readonly Listed[]; owned: readonly Owned[] }) {
  const ownedOf = (rule: Listed) => owned.find((each) => (each.sourceId ?? each.agentId) === rule.ownerId)
  return (
    <Card title="Rules" text="Of sources and of the agent." flush>
      {listed.length === 0 ? (
        <EmptyState
          title="No rule sends automatically"
          text="Open a source and choose a campaign under Outreach: its leads are then sent automatically, once each."
          action={<PrimaryLink to="/sources">Choose a source</PrimaryLink>}
        />
      ) : (
        <ul className="divide-y divide-line">
          {listed.map((rule) => (
            <Line key={rule.ownerId} listed={rule} owned={ownedOf(rule)} />
          ))}
        </ul>
      )}
    </Card>
  )
}
