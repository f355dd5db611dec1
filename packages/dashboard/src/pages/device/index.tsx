import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../api/me.ts'
import { send } from '../../api/send.ts'
import { AuthForm, AuthFrame, SignedInAs, YesOrNo } from '../../shell/auth.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice, Skeleton } from '../../ui/show.tsx'
import { FirstTeam } from '../consent/first-team.tsx'

const root = '/app/api/auth/device'

const tidyCode = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 12)

type Waiting = { readonly user_code: string; readonly status: string; readonly client_id?: string }

const clients: Readonly<Record<string, string>> = { 'les-cli': 'The command line client (les)' }

type Owned = readonly { readonly name: string }[]

function KeyFor({ owned }: { owned: Owned }) {
  return owned.length === 0 ? (
    <Notice tone="warn">
      Only owners of a team may make API keys, and you do not own a team. Ask an owner for a key and give it to{' '}
      <code>les auth login --with-key</code>.
    </Notice>
  ) : (
    <p>
      It then makes an API key for itself,{' '}
      {owned.length === 1 ? (
        <>
          for <strong className="break-words">{owned[0]!.name}</strong>
        </>
      ) : (
        <>
          for one of your teams, which the terminal asks you to choose:{' '}
          <span className="break-words">{owned.map(({ name }) => name).join(', ')}</span>
        </>
      )}
      . You can revoke the key under Settings, API keys.
    </p>
  )
}

function Decide({ code, onOther }: { code: string; onOther: () => void }) {
  const { teams } = useMe()
  const waiting = useQuery({
    queryKey: ['device', code],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => send<Waiting>('GET', `${root}?${new URLSearchParams({ user_code: code })}`),
  })
  const answer = useMutation({
    mutationFn: (yes: boolean) => send('POST', `${root}/${yes ? 'approve' : 'deny'}`, { userCode: code }),
  })
  if (waiting.isPending) return <Skeleton />
  if (waiting.isError || waiting.data.status !== 'pending')
    return (
      <>
        <p role="alert" className="mb-4 text-sm">
          That code is not valid: it may be mistyped, already used, or older than 10 minutes. Ask for a new one with{' '}
          <code>les auth login</code>.
        </p>
        <Button className="w-full" onClick={onOther}>
          Enter another code
        </Button>
      </>
    )
  if (answer.isSuccess)
    return (
      <p role="status" className="text-sm">
        {answer.variables
          ? 'Approved. Go back to the terminal: it continues automatically in a few seconds.'
          : 'Denied. The terminal gets no access.'}
      </p>
    )
  if (teams.length === 0) return <FirstTeam />
  const owned = teams.filter(({ role }) => role === 'owner')
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p>
        <strong>{clients[waiting.data.client_id ?? ''] ?? 'A command line'}</strong> asks to sign in as you. Its
        terminal shows this code:
      </p>
      <p className="rounded-md bg-sunken py-3 text-center font-mono text-xl tracking-widest">{code}</p>
      <KeyFor owned={owned} />
      <Notice tone="warn">
        Approve only a code that you see in your own terminal. If somebody sent you this code or this link, deny it.
      </Notice>
      <YesOrNo
        yes="Approve"
        no="Deny"
        reason={owned.length === 0 && 'Only owners of a team may sign in a command line.'}
        answer={answer}
      />
    </div>
  )
}

export function Page() {
  const { user_code: given = '' } = useSearch({ from: '/signed-in/device' })
  const [code, setCode] = useState(tidyCode(given))
  return (
    <AuthFrame title="Sign in a command line" footer={<SignedInAs />}>
      {code === '' ? (
        <AuthForm
          submit="Go on"
          fields={[
            {
              name: 'code',
              label: 'Code',
              autoComplete: 'one-time-code',
              maxLength: 20,
              hint: 'The terminal shows it after les auth login.',
            },
          ]}
          onSubmit={async ({ code: typed = '' }) => setCode(tidyCode(typed))}
        />
      ) : (
        <Decide key={code} code={code} onOther={() => setCode('')} />
      )}
    </AuthFrame>
  )
}
