import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSessionQuery, useTeam, useV1Query } from '../../api/index.ts'
import { useQuiet } from '../../app/quiet.ts'
import { buttonClass, Card, countOf, credits } from '../../ui/index.ts'
import { gainsOf, type Gain } from './gains.ts'

const act = `${buttonClass('secondary', 'sm')} shrink-0`

/** What an act would bring, in a sentence. */
function wordsOf(gain: Gain): string {
  switch (gain.kind) {
    case 'send':
      return (
        `${countOf(gain.leads, 'lead')} that ${gain.leads === 1 ? 'fits has' : 'fit have'} ` +
        `gone nowhere: sent to a campaign or a webhook, somebody can talk to them.`
      )
    case 'judge':
      return gain.sources === 1
        ? `${countOf(gain.leads, 'lead')} of ${gain.source.label} would be judged at once.`
        : `${countOf(gain.leads, 'lead')} of ${countOf(gain.sources, 'source')} are judged by nothing: begin with ${gain.source.label}.`
    case 'raise':
      return `${gain.source.label} reached its cap before it had everybody: a higher one captures the rest.`
    case 'narrow':
      return `${gain.source.label} cost ${credits(gain.credits)} in 30 days and brings hardly anybody who fits.`
  }
}

const titles: Readonly<Record<Gain['kind'], string>> = {
  send: 'Send those who fit',
  judge: 'Say who fits',
  raise: 'Raise a cap',
  narrow: 'Stop or narrow a source',
}

function Act({ gain }: { readonly gain: Gain }): ReactNode {
  if (gain.kind === 'send')
    return (
      <Link to="/leads" search={{ isIcp: true, webhookStatus: 'no_webhook' }} className={act}>
        See them
      </Link>
    )
  return (
    <Link
      to="/sources/$id"
      params={{ id: gain.source.id }}
      search={{ tab: gain.kind === 'judge' ? 'fit' : 'settings' }}
      className={act}
    >
      {gain.kind === 'judge' ? 'Set criteria' : 'Settings'}
    </Link>
  )
}

/** What would bring more than is brought now; nothing when there is no such act, or nobody to do it. */
export function Gains(): ReactNode {
  const { can } = useTeam()
  const health = useSessionQuery('listSourceHealth', { limit: '200' }, { topic: 'sources', staleTime: 30_000 })
  const unsent = useV1Query(
    'listLeads',
    { isIcp: true, webhookStatus: 'no_webhook', limit: 1 },
    { topic: 'leads', staleTime: 60_000, enabled: useQuiet() },
  )
  if (!can('member') || health.data === undefined || unsent.data === undefined) return null
  const gains = gainsOf(health.data.sources, unsent.data.total)
  if (gains.length === 0) return null
  return (
    <Card title="Worth doing" text="What would bring you more, and how much.">
      <ul className="flex flex-col divide-y divide-line">
        {gains.map((gain) => (
          <li key={gain.kind} className="flex items-start gap-3 py-2.5 text-sm first:pt-0 last:pb-0">
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{titles[gain.kind]}</span>
              <span className="block text-[0.8125rem] break-words text-muted">{wordsOf(gain)}</span>
            </span>
            <Act gain={gain} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
