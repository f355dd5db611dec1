import { WriteDialog, type FormField } from '../../ui/form.tsx'
import type { Search } from './filters.ts'

const fields: readonly FormField<{ name: string }>[] = [
  {
    name: 'name',
    label: 'Name',
    hint: 'A view of the same name is replaced.',
    maxLength: 80,
    placeholder: 'Fits, not delivered',
  },
]

export const SaveDialog = ({ onClose, query }: { onClose: () => void; query: Search }) => (
  <WriteDialog
    onClose={onClose}
    size="sm"
    title="Save this view"
    text="The list with its filters, under a name that the whole team sees."
    submit="Save view"
    reason={({ name }) => name.trim() === '' && 'Type a name first.'}
    does="saveView"
    start={{ name: '' }}
    fields={fields}
    inputOf={({ name }) => ({
      page: 'leads' as const,
      name: name.trim(),
      query: query as Record<string, string | boolean>,
    })}
    errorAt="name"
    done="View saved for the team"
  />
)
