import { Play, Square } from 'lucide-react'
import { asksToSpend, hasCode, useWrite, type ResultOf } from '../../api/index.ts'
import { Button, RoleButton, type Reason } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ConfirmButton } from '../../ui/form.tsx'
import { countOf } from '../../ui/format.ts'
import { Bullets, Notice } from '../../ui/show.tsx'
import { useSpend } from '../../ui/spend.tsx'
import { nameOf, type Agent } from './agent.ts'

type Launch = ResultOf<'startAgent'>['launch']

const partName = (part: string): string =>
  part === 'people_search' ? 'The search for people to watch' : `Topic “${part}”`

const failedLines = (failed: Launch['failed']) => failed.map(({ part, error }) => `${partName(part)}: ${error}`)

function NotStopped({ left }: { left: Launch['notStopped'] }) {
  if (left.length === 0) return null
  return (
    <div className="w-full">
      <Notice tone="warn" title="Could not be stopped">
        <Bullets lines={left.map(({ label, error }) => `${label}: ${error}`)} />
      </Notice>
    </div>
  )
}

function Done({ launch }: { launch: Launch }) {
  const lines = [
    launch.created > 0 && `${countOf(launch.created, 'daily search', 'daily searches')} made.`,
    launch.reused > 0 &&
      `${countOf(launch.reused, 'search', 'searches')} of your team used as ${launch.reused === 1 ? 'it is' : 'they are'}.`,
    launch.discoverRun !== null &&
      'A one-off search for people to watch is running; the people it finds are watched from then on.',
    launch.stopped > 0 && `${countOf(launch.stopped, 'source')} of the previous start stopped.`,
  ].filter((line): line is string => typeof line === 'string')
  return (
    <div className="flex flex-col gap-3 text-sm">
      <Bullets lines={lines} />
      {launch.failed.length > 0 && (
        <Notice tone="warn" title="Refused">
          <Bullets lines={failedLines(launch.failed)} />
        </Notice>
      )}
      <NotStopped left={launch.notStopped} />
    </div>
  )
}

type StartButtonProps = { agent: Agent; onStarted?: () => void; label?: string; reason?: Reason }

export function StartButton({ agent, onStarted, label = 'Start the agent', reason }: StartButtonProps) {
  const start = useWrite('startAgent', { quiet: true })
  const spend = useSpend(start)
  const close = () => {
    start.reset()
    onStarted?.()
  }
  const error = asksToSpend(start.error) ? null : start.error
  return (
    <>
      <RoleButton
        variant="primary"
        busy={spend.pending}
        reason={reason}
        icon={Play}
        onClick={() => spend.run({ agentId: agent.id })}
      >
        {label}
      </RoleButton>
      {error && (
        <div className="w-full">
          <Notice tone="bad" title="The agent was not started">
            <p>{error.message}</p>
            {hasCode(error, 'agent_not_started') && (
              <Bullets lines={failedLines((error.body.failed ?? []) as Launch['failed'])} />
            )}
          </Notice>
        </div>
      )}
      {spend.dialog}
      {start.data && (
        <Dialog
          onClose={close}
          title="The agent is at work"
          text="Leads appear as they are captured; no need to reload."
          actions={
            <Button variant="primary" onClick={close}>
              Go to the leads
            </Button>
          }
        >
          <Done launch={start.data.launch} />
        </Dialog>
      )}
    </>
  )
}

export function StopButton({ agent }: { agent: Agent }) {
  const stop = useWrite('stopAgent', {
    quiet: true,
    done: ({ stop: { stopped } }) => `The agent was stopped: ${countOf(stopped, 'source')}`,
  })
  return (
    <>
      <ConfirmButton
        icon={Square}
        title={`Stop the agent of ${nameOf(agent)}?`}
        text={
          'Its searches and the people it watches are no longer synced. Leads stay. Searches of your team that it used as they are keep running.'
        }
        confirm="Stop the agent"
        onConfirm={() => stop.mutateAsync({ agentId: agent.id })}
      >
        Stop
      </ConfirmButton>
      <NotStopped left={stop.data?.stop.notStopped ?? []} />
    </>
  )
}
