import { discoverError, discoverState } from '@les/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useRead, type ResultOf } from '../../api/index.ts'
import { ActButton } from '../../ui/form.tsx'
import { count, countOf } from '../../ui/format.ts'
import { BackLink, PrimaryLink } from '../../ui/link.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Card, Loaded, Meter, Notice, SaidBadge } from '../../ui/show.tsx'
import { TimeAgo } from '../../ui/text.tsx'
import { wantedWords } from '../discover/words.ts'
import { People } from './people.tsx'

function Progress({ run }: { run: ResultOf<'getDiscoverRun'> }) {
  const why = discoverError(run.error)
  return (
    <Card title="Progress" text={wantedWords(run)} actions={<SaidBadge said={discoverState(run)} />}>
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

function Delete({ id }: { id: string }) {
  const navigate = useNavigate()
  return (
    <ActButton
      icon={Trash2}
      does="deleteDiscoverRun"
      input={{ id }}
      done="The run was deleted"
      onDone={() => navigate({ to: '/discover' })}
      asks={{
        title: 'Delete this run?',
        text: 'The run and its list of people disappear. Leads it has added stay, and credits are not given back. If it is under way, it stops.',
        confirm: 'Delete the run',
      }}
    >
      Delete
    </ActButton>
  )
}

export function Page() {
  const { id } = useParams({ from: '/signed-in/team/discover/$id' })
  const query = useRead('getDiscoverRun', { id })
  return (
    <PageFrame
      title={query.data?.keywords.join(', ') ?? 'Discover run'}
      text="People who post about this and draw engagement."
      back={<BackLink to="/discover">Discover</BackLink>}
      actions={query.data && <Delete id={id} />}
      served
    >
      <Loaded
        query={query}
        lines={8}
        gone={{
          title: 'There is no such run',
          text: 'It was deleted, or belongs to another team.',
          action: <PrimaryLink to="/discover">All runs</PrimaryLink>,
        }}
      >
        {(run) => (
          <>
            <Progress run={run} />
            <People people={run.influencers} isRunning={run.state === 'running'} />
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}
