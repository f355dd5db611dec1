import { Play, Square } from 'lucide-react'
import { useState } from 'react'
import { ApiError, asksToSpend, hasCode, useV1Mutation, type V1Result } from '../../api/index.ts'
import { Button, ConfirmDialog, Dialog, Notice, RoleButton, countOf, useSpend, type Reason } from '../../ui/index.ts'
import { nameOf, type Agent } from './agent.ts'

type Launch = V1Result<'startAgent'>['launch']
type Failed = Launch['failed']

const partName = (part: string): string =>
  part === 'people_search' ? 'The search for people to watch' : `Topic “${part}”`

function FailedParts({ failed }: { failed: Failed }) {
  return (
    <ul className="list-disc pl-5">
      {failed.map(({ part, error }) => (
        <li key={part}>
          <strong>{partName(part)}</strong>: {error}
        </li>
      ))}
    </ul>
  )
}

function Done({ launch }: { launch: Launch }) {
  const lines = [
    launch.created > 0 && `${countOf(launch.created, 'daily search', 'daily searches')} made.`,
    launch.reused > 0 &&
      `${countOf(launch.reused, 'search', 'searches')} of your team taken as ${launch.reused === 1 ? 'it is' : 'they are'}.`,
    launch.discoverRun !== null &&
      'A one-off search for people to watch is under way; whom it finds is watched from then on.',
    launch.stopped > 0 && `${countOf(launch.stopped, 'source')} of the start before stopped.`,
  ].filter((line): line is string => typeof line === 'string')
  return (
    <div className="flex flex-col gap-3 text-sm">
      <ul className="list-disc pl-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {launch.failed.length > 0 && (
        <Notice tone="warn" title="Refused">
          <FailedParts failed={launch.failed} />
        </Notice>
      )}
      {launch.notStopped.length > 0 && (
        <Notice tone="warn" title="Could not be stopped">
          <ul className="list-disc pl-5">
            {launch.notStopped.map(({ id, label, error }) => (
              <li key={id}>
                {label}: {error}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}

const failedIn = (error: Error): Failed =>
  error instanceof ApiError && Array.isArray(error.body.failed) ? (error.body.failed as Failed) : []

export function StartButton({
  agent,
  dailyCredits,
  onStarted,
  label = 'Start the agent',
  reason,
}: {
  agent: Agent
  dailyCredits?: number | undefined
  onStarted?: () => void
  label?: string
  reason?: Reason
}) {
  const [launch, setLaunch] = useState<Launch | null>(null)
  const start = useV1Mutation('startAgent', {
    quiet: true,
    refreshes: ['agent', 'keywords', 'sources', 'discover', 'credits', 'syncs'],
  })
  const spend = useSpend(start)
  const close = () => {
    setLaunch(null)
    onStarted?.()
  }
  const error = start.error !== null && !asksToSpend(start.error) ? start.error : null
  return (
    <>
      <RoleButton
        needs="member"
        variant="primary"
        busy={spend.pending}
        reason={reason}
        icon={Play}
        onClick={() =>
          spend.run({ agentId: agent.id, ...(dailyCredits === undefined ? {} : { dailyCredits }) }, (result) =>
            setLaunch(result.launch),
          )
        }
      >
        {label}
      </RoleButton>
      {error && (
        <div className="w-full">
          <Notice tone="bad" title="The agent was not started">
            <p>{error.message}</p>
            {hasCode(error, 'agent_not_started') && <FailedParts failed={failedIn(error)} />}
          </Notice>
        </div>
      )}
      {spend.dialog}
      <Dialog
        open={launch !== null}
        onClose={close}
        title="The agent is at work"
        text="Leads appear as they are captured; nothing to reload."
        actions={
          <Button variant="primary" onClick={close}>
            Go to the leads
          </Button>
        }
      >
        {launch && <Done launch={launch} />}
      </Dialog>
    </>
  )
}

export function StopButton({ agent }: { agent: Agent }) {
  const [asking, setAsking] = useState(false)
  const [left, setLeft] = useState<V1Result<'stopAgent'>['stop']['notStopped']>([])
  const stop = useV1Mutation('stopAgent', {
    quiet: true,
    done: ({ stop: { stopped } }) => `The agent was stopped: ${countOf(stopped, 'source')}`,
    refreshes: ['agent', 'keywords', 'sources', 'syncs'],
    onSuccess: (result) => setLeft(result.stop.notStopped),
  })
  return (
    <>
      <RoleButton needs="member" icon={Square} onClick={() => setAsking(true)}>
        Stop
      </RoleButton>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        danger
        title={`Stop the agent of ${nameOf(agent)}?`}
        text={
          'Its searches and the people it watches are no longer synced. Leads ' +
          'stay. Searches of your team that it only took as they are go on.'
        }
        confirm="Stop the agent"
        onConfirm={() => stop.mutateAsync({ agentId: agent.id })}
      />
      {left.length > 0 && (
        <div className="w-full">
          <Notice tone="warn" title="Could not be stopped">
            <ul className="list-disc pl-5">
              {left.map(({ id, label, error }) => (
                <li key={id}>
                  {label}: {error}
                </li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
    </>
  )
}
