import { teamStates } from '@les/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useSessionMutation, useSessionQuery, useTeam, type SessionResult } from '../../api/index.ts'
import { meQuery } from '../../api/me.ts'
import {
  Badge,
  Card,
  Field,
  Input,
  Loaded,
  Meter,
  Notice,
  RoleButton,
  Stat,
  count,
  day,
  planName,
} from '../../ui/index.ts'

type Settings = SessionResult<'getSettings'>

function Name({ name }: { readonly name: string }): ReactNode {
  const client = useQueryClient()
  const { can } = useTeam()
  const [text, setText] = useState(name)
  const rename = useSessionMutation('renameTeam', {
    done: 'The team was renamed',
    refreshes: ['settings'],
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  })
  return (
    <Card title="Name">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (can('owner') && text.trim() !== '' && text.trim() !== name) rename.mutate({ name: text })
        }}
      >
        <Field label="Name of the team" className="min-w-48 flex-1">
          <Input
            value={text}
            maxLength={200}
            readOnly={!can('owner')}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <RoleButton
          needs="owner"
          type="submit"
          busy={rename.isPending}
          reason={text.trim() === '' ? 'Type a name first.' : text.trim() === name && 'That is its name already.'}
        >
          Rename
        </RoleButton>
      </form>
    </Card>
  )
}

function Standing({ team }: { readonly team: Settings['team'] }): ReactNode {
  if (team.status === 'expired')
    return (
      <Notice tone="bad" title="The subscription of this team has ended">
        Nothing is captured, shown or sent until it subscribes; what was captured is kept. Ask whoever runs this service
        to extend it.
      </Notice>
    )
  if (team.status === 'trial')
    return (
      <Notice tone="info" title={team.trialEndsAt ? `Free trial until ${day(team.trialEndsAt)}` : 'Free trial'}>
        {team.captureAllowed
          ? 'Sources are synced and people are captured as on a paid plan, within the trial’s allowance.'
          : 'People are captured once the team subscribes.'}
      </Notice>
    )
  return team.captureAllowed ? null : (
    <Notice tone="warn">The plan does not allow capture: sources are kept, but not synced.</Notice>
  )
}

function Limits({ team }: { readonly team: Settings['team'] }): ReactNode {
  const lines: readonly (readonly [string, string])[] = [
    ['Leads the team may hold', team.leadCap === null ? 'no limit' : count(team.leadCap)],
    ['Credits all keyword searches may use a day', count(team.keywordDailyCeiling)],
    ['API reads a minute', count(team.limits.reads)],
    ['API writes a minute', count(team.limits.writes)],
    ['Live reads of posts a minute', count(team.limits.untrackedPosts)],
  ]
  return (
    <Card title="Limits">
      <dl className="text-sm">
        {lines.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-4 border-b border-line py-2 last:border-0">
            <dt className="text-muted">{label}</dt>
            <dd className="font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

/** The team: its name, plan, trial state, credits and limits. */
export function TeamTab(): ReactNode {
  const query = useSessionQuery('getSettings', {}, { topic: 'settings' })
  return (
    <Loaded query={query} lines={8}>
      {({ team, credits }) => (
        <div className="flex flex-col gap-5">
          <Standing team={team} />
          <div className="grid gap-3 sm:grid-cols-3">
            <Stat
              label="Plan"
              value={planName(team.plan)}
              hint={<Badge tone={teamStates[team.status].tone}>{teamStates[team.status].text}</Badge>}
            />
            <Stat
              label="Credits left"
              value={count(credits.balance)}
              hint={`They renew on ${day(credits.nextReset)}`}
            />
            <Stat label="Team since" value={day(team.createdAt)} />
          </div>
          <Card title="Credits of this period">
            <Meter
              label="Used"
              value={credits.used}
              max={credits.limit}
              tone={credits.used >= credits.limit ? 'bad' : 'good'}
            />
          </Card>
          <Name key={team.name} name={team.name} />
          <Limits team={team} />
        </div>
      )}
    </Loaded>
  )
}
