import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe, type MyTeam } from '../../api/me.ts'
import { send } from '../../api/send.ts'
import { pickTeam } from '../../api/team.ts'
import { oauthQuery } from '../../app/arrival.ts'
import { AuthFrame, AuthWaiting, DeadEnd, SignedInAs, YesOrNo } from '../../shell/auth.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Notice } from '../../ui/show.tsx'
import { destinationOf, readRequest, cleanName, type AppRequest } from './request.ts'
import { FirstTeam } from './first-team.tsx'

const root = '/app/api/auth/oauth2'

const sees = 'See the sources, leads and credits of the team, and its API keys without their text.'
const works = [
  sees,
  'Track sources, run searches and agents, and send leads. This can spend credits.',
  'Change where leads are delivered, and read the signing secret of webhooks.',
]

/** What the tools may do for each role, as `edge/mcp` allows. */
const mayDo: Readonly<Record<MyTeam['role'], readonly string[]>> = {
  viewer: [`${sees} It cannot change anything, because you cannot.`],
  member: works,
  owner: works,
}

const roles = { owner: 'you own it', member: 'you are a member', viewer: 'you can only view' } as const

function Ask({ query, request, name }: { query: string; request: AppRequest; name: string }) {
  const { teams } = useMe()
  const [chosen, choose] = useState(pickTeam(teams, null)?.id)
  const team = teams.find(({ id }) => id === chosen) ?? teams[0]
  const answer = useMutation({
    mutationFn: (accept: boolean) =>
      send<{ url: string }>('POST', `${root}/consent?${new URLSearchParams({ team: team?.id ?? '' })}`, {
        accept,
        oauth_query: query,
      }),
    onSuccess: ({ url }) => {
      if (destinationOf(url) !== null) location.assign(url)
    },
  })
  if (team === undefined) return <FirstTeam />
  return (
    <div className="flex flex-col gap-4 text-sm">
      <SelectField
        label="Team"
        hint="The app sees this team and no other."
        value={team.id}
        onValue={choose}
        choices={teams.map(({ id, name: called, role }) => ({ value: id, label: `${called} (${roles[role]})` }))}
      />
      <div>
        <p className="font-medium">It will be able to</p>
        <ul className="mt-1 list-disc pl-5">
          {mayDo[team.role].map((words) => (
            <li key={words}>{words}</li>
          ))}
          {request.wantsName && <li>Read your name and email address.</li>}
        </ul>
        <p className="mt-1">It cannot make or revoke API keys, or let anybody into the team.</p>
      </div>
      <Notice tone="warn">
        Anybody can give an app any name. Continue only if you have just started this yourself. Your answer goes to{' '}
        <strong className="break-all">{request.destination.text}</strong>.
      </Notice>
      {answer.isSuccess ? (
        <p role="status">Done. You can close this page if the app does not open.</p>
      ) : (
        <YesOrNo yes={`Allow for ${team.name}`} no="Do not allow" answer={answer} />
      )}
      <p className="text-[0.8125rem] text-muted">
        Access lasts until you end it under Settings, Your sessions, or leave the team; anything the app has set up by
        then stays. {name} never sees your password.
      </p>
    </div>
  )
}

export function Page() {
  const query = oauthQuery()
  const request = readRequest(query)
  const client = useQuery({
    queryKey: ['oauth-client', request?.clientId],
    enabled: request !== null,
    retry: false,
    queryFn: () =>
      send<{ client_name?: string | null }>(
        'GET',
        `${root}/public-client?${new URLSearchParams({ client_id: request!.clientId })}`,
      ),
  })
  const footer = <SignedInAs />
  if (query === undefined || request === null || client.isError)
    return (
      <DeadEnd title="This request is not valid" footer={footer}>
        It may be too old, or incomplete. Start again in the app that sent you here.
      </DeadEnd>
    )
  if (client.isPending) return <AuthWaiting title="Connect an app" />
  const name = cleanName(client.data.client_name)
  return (
    <AuthFrame
      title="Connect an app"
      text={
        <>
          <bdi className="font-medium break-words text-ink">{name}</bdi> asks for access to one of your teams.
        </>
      }
      footer={footer}
    >
      <Ask query={query} request={request} name={name} />
    </AuthFrame>
  )
}
