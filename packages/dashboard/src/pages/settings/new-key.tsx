import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { useV1Mutation, type V1Result } from '../../api/index.ts'
import { Button, CopyField, Field, Input, Notice } from '../../ui/index.ts'
import { ShownOnceDialog } from './shown-once.tsx'

function MadeKey({ made }: { readonly made: V1Result<'createKey'> }): ReactNode {
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="warn">Copy it now: it is shown this once, and nobody can read it again.</Notice>
      {made.key === null ? (
        <p className="text-sm">This key was shown before. Revoke it and make another.</p>
      ) : (
        <CopyField
          label={made.name}
          value={made.key}
          hint="Send it as the header X-API-Key. Whoever has it can act for the team."
        />
      )}
    </div>
  )
}

function NameForm({
  error,
  onMake,
}: {
  readonly error: string | undefined
  readonly onMake: (name: string) => void
}): ReactNode {
  const [name, setName] = useState('')
  return (
    <form
      id="new-key"
      onSubmit={(event) => {
        event.preventDefault()
        onMake(name)
      }}
    >
      <Field label="Name" hint="What uses it, such as CRM sync." error={error}>
        <Input
          required
          maxLength={bounds.keyName.max}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
    </form>
  )
}

/** Makes an API key and shows it once; it is kept nowhere in the pages. */
export function NewKeyDialog({
  open,
  onOpen,
}: {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}): ReactNode {
  const make = useV1Mutation('createKey', { quiet: true, refreshes: ['settings'] })
  const close = () => {
    make.reset()
    onOpen(false)
  }
  const made = make.data
  return (
    <ShownOnceDialog
      open={open}
      onOpen={onOpen}
      onClose={close}
      isMade={made !== undefined}
      title={made ? 'Your new key' : 'New API key'}
      act={
        <Button variant="primary" type="submit" form="new-key" busy={make.isPending}>
          Create key
        </Button>
      }
    >
      {made ? (
        <MadeKey made={made} />
      ) : (
        <NameForm error={make.error?.message} onMake={(name) => make.mutate({ name })} />
      )}
    </ShownOnceDialog>
  )
}
