import { deliveryStates, engagementNames, enrichmentStates, excludedInWords, sourceKindNames } from '@les/contract'
import { Link } from '@tanstack/react-router'
import { Check, Coins, MessageSquare, PenLine, ThumbsUp, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { count, countOf } from '../../ui/format.ts'
import { TextLink } from '../../ui/link.tsx'
import { Badge, Bullets, Facts, Notice, SaidBadge, Section } from '../../ui/show.tsx'
import { Avatar, CopyButton, safeHref, SafeLink, TimeAgo, TimeUntil } from '../../ui/text.tsx'
import { SourceLink, type Lead } from './columns.tsx'
import type { Detail } from './detail.tsx'
import { deliveryWords, fitWords } from './filters.ts'

const shorter = (address: string): string => address.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')

const companyFacts = (lead: Lead): readonly (readonly [string, ReactNode])[] => [
  [
    'Website',
    lead.companyUrl && <SafeLink href={lead.companyUrl}>{lead.companyDomain ?? shorter(lead.companyUrl)}</SafeLink>,
  ],
  ['Industry', lead.companyIndustry],
  ['Headquarters', lead.companyLocation],
  ['Employees', lead.companyEmployeeCount === null ? null : count(lead.companyEmployeeCount)],
  ['Size', lead.companyStaffRange],
  [
    'Page',
    lead.companyLinkedinUrl && <SafeLink href={lead.companyLinkedinUrl}>{shorter(lead.companyLinkedinUrl)}</SafeLink>,
  ],
]

export function DetailExcluded({ lead: { excluded } }: { lead: Lead }) {
  if (excluded === null) return null
  return (
    <Notice
      tone="warn"
      title="Excluded: leads of this person are not delivered"
      action={
        <TextLink to="/exclusions" search={excluded.entryId === null ? { tab: 'settings' } : { list: excluded.list }}>
          {excluded.entryId === null ? 'Settings of exclusions' : 'The list'}
        </TextLink>
      }
    >
      <p>{excludedInWords(excluded)}</p>
    </Notice>
  )
}

export function DetailPerson({ lead }: { lead: Lead }) {
  return (
    <>
      <div className="flex items-start gap-4">
        <Avatar src={lead.avatarUrl} name={lead.name ?? '?'} size={56} />
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <Facts
            facts={[
              ['Job title', lead.jobTitle],
              ['Country', lead.country],
              [
                'Profile',
                <SafeLink key="profile" href={lead.linkedinUrl}>
                  {shorter(lead.linkedinUrl)}
                </SafeLink>,
              ],
            ]}
          />
          <div className="flex flex-wrap items-center gap-1.5">
            <SaidBadge said={fitWords(lead.isIcp)} />
            <SaidBadge said={deliveryWords[lead.webhookStatus]} />
            <SaidBadge said={enrichmentStates[lead.enrichmentStatus]} />
            {safeHref(lead.linkedinUrl) !== undefined && (
              <CopyButton value={lead.linkedinUrl} label="Copy profile address" />
            )}
          </div>
        </div>
      </div>
      <Section title={lead.companyName ?? 'Company'}>
        {lead.companyDescription && (
          <p className="line-clamp-4 text-sm whitespace-pre-line">{lead.companyDescription}</p>
        )}
        <Facts facts={companyFacts(lead)} />
        {lead.companyName === null && (
          <p className="text-sm text-muted">
            {lead.enrichmentStatus === 'pending' || lead.enrichmentStatus === 'processing'
              ? 'Where they work is being looked up.'
              : 'Where they work is not known.'}
          </p>
        )}
      </Section>
    </>
  )
}

const reasonInWords = ({ message, remedy }: Detail['whyNotDelivered'][number]): string =>
  [message, remedy].filter(Boolean).join(' ')

export function DetailDelivery({ detail: { lead, deliveries, whyNotDelivered, sends } }: { detail: Detail }) {
  return (
    <>
      <Section title="Webhook">
        {whyNotDelivered.length === 0 ? null : (
          <Notice
            tone="warn"
            title="Why it was not delivered"
            action={
              lead.sourceId !== null && (
                <Link
                  to="/sources/$id"
                  params={{ id: lead.sourceId }}
                  search={{ tab: 'webhook' }}
                  className="font-medium underline underline-offset-2"
                >
                  Webhook of its source
                </Link>
              )
            }
          >
            {whyNotDelivered.length === 1 ? (
              <p>{reasonInWords(whyNotDelivered[0]!)}</p>
            ) : (
              <Bullets lines={whyNotDelivered.map(reasonInWords)} />
            )}
          </Notice>
        )}
        {deliveries.length > 0 ? (
          <ul className="flex flex-col divide-y divide-line">
            {deliveries.map((delivery) => (
              <li key={delivery.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
                <SaidBadge said={deliveryStates[delivery.state]} />
                <span className="min-w-0 truncate">{delivery.ownerLabel}</span>
                <span className="text-muted tabular-nums">
                  {countOf(delivery.attempts, 'attempt')}
                  {delivery.lastStatus === null ? '' : `, last answer ${delivery.lastStatus}`}
                </span>
                <span className="text-muted">
                  {delivery.finishedAt !== null ? (
                    <TimeAgo at={delivery.finishedAt} />
                  ) : delivery.nextAttemptAt !== null ? (
                    <>
                      next <TimeUntil at={delivery.nextAttemptAt} />
                    </>
                  ) : null}
                </span>
                <TextLink to="/webhooks" search={{ tab: 'log', delivery: delivery.id }} className="ml-auto">
                  Payload and attempts
                </TextLink>
              </li>
            ))}
          </ul>
        ) : (
          whyNotDelivered.length === 0 && <p className="text-sm text-muted">Nothing was sent to a webhook yet.</p>
        )}
      </Section>
      <Section title="Campaigns">
        {sends.length === 0 && <p className="text-sm text-muted">Not sent to any campaign.</p>}
        {sends.length > 0 && (
          <ul className="flex flex-col divide-y divide-line">
            {sends.map((send) => (
              <li key={`${send.campaignId} ${send.at}`} className="flex flex-wrap items-baseline gap-x-3 py-2 text-sm">
                <span className="font-medium">{send.campaignName ?? `Campaign ${send.campaignId}`}</span>
                <span className="text-muted">
                  {send.state.replaceAll('_', ' ')}, <TimeAgo at={send.at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

export function DetailFit({ fit }: { fit: Detail['fit'] }) {
  return (
    <Section title="Fit, and why">
      {fit.length === 0 && (
        <p className="text-sm text-muted">
          No source of this person has an ideal customer profile, so nobody is judged. Set one on the page of a source.
        </p>
      )}
      {fit.map((judged) => (
        <div key={judged.sourceId} className="rounded-lg border border-line p-3">
          <p className="mb-2 flex flex-wrap items-center gap-2 text-sm">
            <TextLink
              to="/sources/$id"
              params={{ id: judged.sourceId }}
              search={{ tab: 'fit' }}
              className="min-w-0 truncate font-medium"
            >
              {judged.sourceLabel}
            </TextLink>
            <SaidBadge said={fitWords(judged.isIcp)} />
            <span className="text-[0.8125rem] text-muted">
              {judged.matchMode === 'all' ? 'every row must pass' : 'one row is enough'}
            </span>
          </p>
          <ul className="flex flex-col gap-1">
            {judged.rows.map((row) => (
              <li key={row.text} className="flex items-start gap-2 text-sm">
                {row.passed ? (
                  <Check aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-accent-text" />
                ) : (
                  <X aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-danger-text" />
                )}
                <span className="min-w-0 break-words">
                  <span className="sr-only">{row.passed ? 'Passes: ' : 'Misses: '}</span>
                  {row.text}
                  <span className="text-muted"> · {row.value === null ? 'not known' : row.value}</span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  )
}

type Engagement = Detail['engagements'][number]

const icons = { Like: ThumbsUp, Comment: MessageSquare, Author: PenLine }

function Entry({ entry }: { entry: Engagement }) {
  const Icon = icons[entry.engagementType]
  const reaction =
    entry.engagementType === 'Like' && entry.reaction !== null && entry.reaction.toUpperCase() !== 'LIKE'
      ? ` (${entry.reaction.toLowerCase()})`
      : ''
  return (
    <li className="relative flex gap-3 pb-4 last:pb-0">
      <span aria-hidden="true" className="flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken">
        <Icon size={14} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 text-sm">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <span className="font-medium">
            {engagementNames[entry.engagementType]}
            {reaction}
          </span>
          <span className="text-muted">
            <TimeAgo at={entry.commentPostedAt ?? entry.at} />
          </span>
          {entry.charged && (
            <>
              <Badge tone="info" icon={Coins}>
                Cost the credit
              </Badge>
              <TextLink to="/credits" search={{ tab: 'ledger', leadId: entry.leadId }} className="text-[0.8125rem]">
                Why was I charged?
              </TextLink>
            </>
          )}
        </p>
        {entry.commentText !== null && entry.commentText !== '' && (
          <blockquote className="rounded-lg bg-sunken px-3 py-2 break-words whitespace-pre-line">
            {entry.commentText}
          </blockquote>
        )}
        {entry.postText !== null && entry.postText !== '' && (
          <p className="line-clamp-3 border-l-2 border-line pl-3 break-words text-muted">{entry.postText}</p>
        )}
        <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-[0.8125rem] text-muted">
          {entry.postUrl !== null && <SafeLink href={entry.postUrl}>The post</SafeLink>}
          {entry.postPostedAt !== null && (
            <span>
              posted <TimeAgo at={entry.postPostedAt} />
            </span>
          )}
          <span className="min-w-0 max-w-full">
            found by <SourceLink id={entry.source.id} label={entry.source.label} /> (
            {sourceKindNames[entry.source.kind].toLowerCase()})
          </span>
        </p>
      </div>
    </li>
  )
}

export function DetailTimeline({ detail: { engagements, engagementCount } }: { detail: Detail }) {
  return (
    <Section
      title="What they did"
      aside={
        engagementCount > engagements.length
          ? `the newest ${engagements.length} of ${countOf(engagementCount, 'engagement')}`
          : countOf(engagementCount, 'engagement')
      }
    >
      <ol className="flex flex-col">
        {engagements.map((entry) => (
          <Entry key={entry.leadId} entry={entry} />
        ))}
      </ol>
      <p className="text-[0.8125rem] text-muted">
        A person costs one credit for each source that finds them, at their first engagement; every other engagement is
        free.
      </p>
    </Section>
  )
}
