import { ask } from '../../api/api.ts'
import { useMe } from '../../api/me.ts'
import { AuthForm, AuthFrame, linkClass } from '../../shell/auth.tsx'
import { SampleButton } from '../../shell/sample-note.tsx'
import { signOut, switchTeam } from '../../shell/leave.ts'

export function Page() {
  const { teams, user } = useMe()
  const footer =
    teams.length > 0 ? (
      <a href="/" className={linkClass}>
        Back to {teams[0]!.name}
      </a>
    ) : (
      <span className="flex flex-wrap justify-center gap-x-4 gap-y-2">
        <SampleButton className={linkClass} />
        <button type="button" onClick={() => void signOut()} className={linkClass}>
          Sign out
        </button>
      </span>
    )
  return (
    <AuthFrame
      title={teams.length > 0 ? 'Create another team' : 'Name your team'}
      text={
        teams.length > 0
          ? 'Each team has its own sources, leads and credits.'
          : `Signed in as ${user.email}. If a colleague invited you, open the link in their mail instead.`
      }
      footer={footer}
    >
      <AuthForm
        submit="Create team"
        fields={[
          {
            name: 'name',
            label: 'Team name',
            autoComplete: 'organization',
            maxLength: 200,
            hint: 'Usually the name of your company.',
          },
        ]}
        onSubmit={({ name = '' }) => ask('createTeam', { name }).then(({ team }) => switchTeam(team.id))}
      />
    </AuthFrame>
  )
}
