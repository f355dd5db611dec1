import { useSourceNames } from '../../api/index.ts'
import { Drawer } from '../../ui/dialog.tsx'
import { countOf } from '../../ui/format.ts'
import { Bullets, Meter, SaidBadge, Section } from '../../ui/show.tsx'
import { Avatar, SafeLink, TimeAgo } from '../../ui/text.tsx'
import { ExcludedBadge, ExcludeMenu } from '../exclusions/exclude.tsx'
import { leadName, outcomes, partNames, signals, type AgentLead } from './agent.ts'

function Engagement({ engagement }: { engagement: AgentLead['engagements'][number] }) {
  const { nameOf } = useSourceNames()
  return (
    <li className="flex flex-col gap-1 border-l-2 border-line pl-3 text-sm">
      <p>
        <span className="font-medium">{engagement.engagementType}</span> ·{' '}
        {nameOf(engagement.sourceId, engagement.sourceLabel)} · <TimeAgo at={engagement.detectedAt} />
      </p>
      {engagement.commentText && <blockquote className="break-words">{engagement.commentText}</blockquote>}
      <p className="text-[0.8125rem] break-words text-muted">
        {engagement.signalReasons.join('; ')}
        {engagement.topic && ` · about ${engagement.topic}`}
        {engagement.posterTopic && ` · author stands for ${engagement.posterTopic}`}
        {engagement.postUrl && (
          <>
            {' '}
            · <SafeLink href={engagement.postUrl}>Open the post</SafeLink>
          </>
        )}
      </p>
    </li>
  )
}

export function LeadDetail({ lead, onClose }: { lead: AgentLead | null; onClose: () => void }) {
  return (
    <Drawer
      open={lead !== null}
      onClose={onClose}
      title={lead === null ? 'Lead' : leadName(lead)}
      actions={lead && <ExcludeMenu person={lead} />}
    >
      {lead && (
        <div className="flex flex-col gap-6">
          <div className="flex items-start gap-3">
            <Avatar src={lead.avatarUrl} name={leadName(lead)} size={48} />
            <div className="min-w-0 text-sm">
              <p className="break-words">
                {[lead.jobTitle, lead.company].filter(Boolean).join(' at ') || 'No details yet'}
              </p>
              <p className="text-muted">{lead.country ?? 'Country unknown'}</p>
              <SafeLink href={lead.linkedinUrl}>Profile</SafeLink>
              {lead.excluded && <ExcludedBadge excluded={lead.excluded} />}
            </div>
          </div>
          <Section title="Fit">
            {lead.icp === null ? (
              <p className="text-sm text-muted">The profile has no criteria, so nobody is judged.</p>
            ) : (
              <Meter
                label="Fit with the profile"
                value={lead.icp}
                max={100}
                text={`${lead.icp}%`}
                tone={lead.icp >= 60 ? 'good' : lead.icp >= 30 ? 'warn' : 'bad'}
              />
            )}
            <ul className="flex flex-col gap-1.5 text-sm">
              {lead.icpParts.map((part) => (
                <li key={part.part} className="flex flex-wrap items-center gap-2">
                  <SaidBadge said={outcomes[part.outcome]} />
                  <span className="font-medium">{partNames[part.part]}</span>
                  <span className="min-w-0 break-words text-muted">
                    {part.value ?? 'unknown'}
                    {part.matched && part.matched !== part.value ? ` (as ${part.matched})` : ''}
                  </span>
                  <span className="ml-auto text-[0.8125rem] text-muted tabular-nums">
                    {Math.round(part.earned)} of {Math.round(part.weight)}
                  </span>
                </li>
              ))}
            </ul>
            {lead.icpReasons.length > 0 && <Bullets className="text-[0.8125rem] text-muted" lines={lead.icpReasons} />}
          </Section>
          <Section title="Signal">
            <p>
              <SaidBadge said={signals[lead.signal]} />
            </p>
            <Bullets className="text-sm" lines={lead.signalReasons} />
          </Section>
          <Section title={countOf(lead.engagementCount, 'engagement')}>
            <ul className="flex flex-col gap-3">
              {lead.engagements.map((engagement) => (
                <Engagement
                  key={
                    `${engagement.sourceId} ${engagement.detectedAt} ` +
                    `${engagement.engagementType} ${engagement.postUrl} ${engagement.commentText}`
                  }
                  engagement={engagement}
                />
              ))}
            </ul>
          </Section>
        </div>
      )}
    </Drawer>
  )
}
