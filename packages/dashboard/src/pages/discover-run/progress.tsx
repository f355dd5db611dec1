import type { ReactNode } from 'react'
import type { V1Result } from '../../api/index.ts'
import { Badge, Card, Meter, Notice, TimeAgo, count, countOf } from '../../ui/index.ts'
import { errorWords, stateOf, wantedWords } from '../discover/words.ts'

/** How far a run has come, and what its country filter has left out. */
export function Progress({ run }: { readonly run: V1Result<'getDiscoverRun'> }): ReactNode {
  const [words, tone] = stateOf(run)
  const why = errorWords(run)
  return (
    <Card title="Progress" text={wantedWords(run)} actions={<Badge tone={tone}>{words}</Badge>}>
      <div className="flex flex-col gap-4 text-sm" aria-live="polite">
        {why && <Notice tone={run.state === 'failed' ? 'bad' : 'warn'}>{why}</Notice>}
        <Meter label="People added" value={run.found} max={run.maxInfluencers} />
        {run.countries.length > 0 && (
          <Meter
            label="In one of the countries"
            value={run.countryMatched}
            max={run.countryChecked}
            text={
              run.countryChecked === 0
                ? 'no profile looked at yet'
                : `${count(run.countryMatched)} of ${countOf(run.countryChecked, 'profile')} looked at`
            }
          />
        )}
        <p className="text-muted">
          {run.qualified > 0
            ? `${countOf(run.qualified, 'person', 'people')} met the criteria. `
            : run.state === 'running'
              ? 'Posts are being read. '
              : 'Nobody met the criteria. '}
          {countOf(run.found, 'credit')} used. Started <TimeAgo at={run.createdAt} />
          {run.finishedAt && (
            <>
              , finished <TimeAgo at={run.finishedAt} />
            </>
          )}
          .
        </p>
      </div>
    </Card>
  )
}
