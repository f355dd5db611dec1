import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSessionQuery, type SessionResult } from '../../api/index.ts'
import { Card, countOf, Loaded, warningTone } from '../../ui/index.ts'
import { byReason } from './by-reason.ts'

const shown = 8
const link = 'text-accent-text underline underline-offset-2'

type Source = SessionResult<'listSourceHealth'>['sources'][number]

function Reason({
  warning,
  sources,
}: {
  readonly warning: Source['warnings'][number]
  readonly sources: readonly Source[]
}): ReactNode {
  const [source] = sources
  return (
    <li className="flex flex-col gap-1 py-2 text-sm">
      <span className="flex flex-wrap items-center gap-2">
        {sources.length > 1 ? (
          <Link to="/sources" className={link}>
            {countOf(sources.length, 'source')}
          </Link>
        ) : (
          <Link to="/sources/$id" params={{ id: source!.id }} className={link}>
            {source!.label}
          </Link>
        )}
        <span className="font-medium text-danger-text">{warning.text}</span>
      </span>
      <span className="text-muted">{warning.advice}</span>
    </li>
  )
}

/** What stopped or stands still, each reason once, with what mends it. */
export function Stopped(): ReactNode {
  const health = useSessionQuery('listSourceHealth', { limit: '200' }, { topic: 'sources', staleTime: 30_000 })
  return (
    <Card title="Needs you" text="What stopped or stands still, and what mends it.">
      <Loaded query={health}>
        {({ sources }) => {
          const wrong = sources.flatMap((source) =>
            source.warnings.filter(({ kind }) => warningTone(kind) === 'bad').map((warning) => ({ source, warning })),
          )
          if (wrong.length === 0)
            return (
              <p className="text-sm text-muted">
                {sources.length === 0 ? 'Nothing is tracked yet.' : 'Everything runs.'}
              </p>
            )
          // What stops many sources for one reason is said once.
          const groups = byReason(wrong)
          return (
            <ul className="flex flex-col divide-y divide-line">
              {groups.slice(0, shown).map(({ warning, sources: of }) => (
                <Reason key={`${of[0]!.id} ${warning.kind}`} warning={warning} sources={of} />
              ))}
              {groups.length > shown && (
                <li className="py-2 text-sm">
                  <Link to="/sources" className={link}>
                    {countOf(groups.length - shown, 'more warning')}
                  </Link>
                </li>
              )}
            </ul>
          )
        }}
      </Loaded>
    </Card>
  )
}
