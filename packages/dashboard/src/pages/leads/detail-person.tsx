import type { ReactNode } from 'react'
import { Avatar, CopyButton, count, SafeLink, safeHref } from '../../ui/index.ts'
import { State } from './cells.tsx'
import type { Lead } from './columns.tsx'
import { Section } from './section.tsx'
import { deliveryWords, enrichmentWords, fitWords } from './words.ts'

const shorter = (address: string): string => address.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')

function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }): ReactNode {
  const known = facts.filter(([, value]) => value !== null && value !== '' && value !== undefined)
  if (known.length === 0) return null
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {known.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

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

/** Who it is, and where they work. */
export function DetailPerson({ lead }: { readonly lead: Lead }): ReactNode {
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
            <State said={fitWords(lead.isIcp)} />
            <State said={deliveryWords[lead.webhookStatus]} />
            <State said={enrichmentWords[lead.enrichmentStatus]} />
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
