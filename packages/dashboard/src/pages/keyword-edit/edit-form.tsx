import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { useV1Mutation } from '../../api/index.ts'
import { Button, Card, Field, Input, Notice, RoleButton, toast } from '../../ui/index.ts'
import type { SearchRow } from '../keyword/words.ts'
import { changed, draftOf, waitsFor, type Change, type Draft } from './draft.ts'
import { Form } from './form.tsx'
import { useGates } from './gates.tsx'
import { editOf } from './requests.ts'

function Subject({
  row,
  draft,
  onChange,
}: {
  readonly row: SearchRow
  readonly draft: Draft
  readonly onChange: Change
}): ReactNode {
  return (
    <Card
      title="What it looks for"
      text="This is what the search is, so it cannot be edited: make another one instead."
    >
      <div className="flex flex-col gap-4">
        {row.expression ? (
          <code className="font-mono text-sm break-words">{row.expression}</code>
        ) : (
          <ul className="flex list-disc flex-col pl-5 text-sm">
            {(row.keywords ?? []).map((term) => (
              <li key={term} className="break-words">
                {term}
              </li>
            ))}
          </ul>
        )}
        <Field label="Name" optional>
          <Input
            value={draft.name}
            maxLength={bounds.searchName}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </Field>
      </div>
    </Card>
  )
}

/** Edits the settings of a stored search; what binds, binds from the next run. */
export function EditForm({ row }: { readonly row: SearchRow }): ReactNode {
  const [before, setBefore] = useState(() => draftOf(row))
  const [draft, setDraft] = useState(before)
  const edit = useGates(useV1Mutation('editKeyword', { quiet: true, refreshes: ['keywords', 'sources', 'syncs'] }))
  const change: Change = (part) => setDraft((now) => changed(now, part))
  const request = editOf(row.id, before, draft)
  const cannot = waitsFor(draft) || (request === null && 'Nothing has been changed.')
  const save = () =>
    request !== null &&
    edit.run(request, () => {
      setBefore(draft)
      toast.good('Saved', 'It binds from the next run.')
    })
  const foot = (
    <div className="flex flex-col gap-3">
      {edit.error && (
        <Notice tone="bad" title="It was not saved">
          {edit.error.message}
        </Notice>
      )}
      {row.status === 'inactive' && <Notice tone="info">The search is stopped: start it again to edit it.</Notice>}
      <div className="flex gap-2">
        <RoleButton
          needs="member"
          variant="primary"
          busy={edit.pending}
          reason={row.status === 'inactive' ? 'Start the search again to edit it.' : cannot}
          onClick={save}
        >
          Save changes
        </RoleButton>
        <Button reason={cannot} onClick={() => setDraft(before)}>
          Discard changes
        </Button>
      </div>
    </div>
  )
  return (
    <>
      <Form
        draft={draft}
        onChange={change}
        isNew={false}
        head={<Subject row={row} draft={draft} onChange={change} />}
        foot={foot}
      />
      {edit.dialogs}
    </>
  )
}
