import { useQueryClient } from '@tanstack/react-query'
import { ask } from '../../api/api.ts'
import { meQuery } from '../../api/me.ts'
import { AuthForm } from '../../shell/auth.tsx'

/** Creates a first team here, so that the app's request is not lost. */
export function FirstTeam() {
  const client = useQueryClient()
  return (
    <>
      <p className="mb-4 text-sm">You are not in a team yet. Name yours first; it starts with a free trial.</p>
      <AuthForm
        submit="Create team"
        fields={[{ name: 'name', label: 'Team name', autoComplete: 'organization', maxLength: 200 }]}
        onSubmit={async ({ name = '' }) => {
          await ask('createTeam', { name })
          await client.invalidateQueries({ queryKey: meQuery.queryKey })
        }}
      />
    </>
  )
}
