import { SelectField } from '../../ui/index.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { meQuery, type MyTeam } from '../../api/me.ts'
import { AuthForm } from '../../shell/auth.tsx'

const roles = { owner: 'you own it', member: 'you are a member', viewer: 'you may only look' } as const

export function TeamChoice({
  teams,
  value,
  onValue,
  hint,
}: {
  teams: readonly MyTeam[]
  value: string
  onValue: (id: string) => void
  hint: string
}) {
  return (
    <SelectField
      label="Team"
      hint={hint}
      value={value}
      onValue={onValue}
      choices={teams.map(({ id, name, role }) => ({ value: id, label: `${name} (${roles[role]})` }))}
    />
  )
}

/** Making the first team on the way, so that what was asked is not lost. */
export function FirstTeam() {
  const client = useQueryClient()
  const make = useMutation({
    mutationFn: (name: string) => api.session('createTeam', { name }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  })
  return (
    <>
      <p className="mb-4 text-sm">You are in no team yet. Name yours first; it begins with a free trial.</p>
      <AuthForm
        submit="Create team"
        fields={[{ name: 'name', label: 'Team name', autoComplete: 'organization', maxLength: 200 }]}
        onSubmit={({ name = '' }) => make.mutateAsync(name).then(() => {})}
      />
    </>
  )
}
