import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import type { Search } from './filters.ts'

export function SaveDialog({ onClose, query }: { onClose: () => void; query: Search }) {
  const [name, setName] = useState('')
  const save = useWrite('saveView', { done: 'View saved for the team', quiet: true, onSuccess: onClose })
  return (
    <FormDialog
      onClose={onClose}
      size="sm"
      title="Save this view"
      text="The list with its filters, under a name that the whole team sees."
      submit="Save view"
      reason={name.trim() === '' && 'Type a name first.'}
      busy={save.isPending}
      onSubmit={() =>
        save.mutate({ page: 'leads', name: name.trim(), query: query as Record<string, string | boolean> })
      }
    >
      <TextField
        label="Name"
        hint="A view of the same name is replaced."
        error={save.error?.message}
        value={name}
        maxLength={80}
        onValue={setName}
        placeholder="Fits, not delivered"
      />
    </FormDialog>
  )
}
