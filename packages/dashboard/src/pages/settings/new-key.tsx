import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { useV1Mutation } from '../../api/index.ts'
import { Button, CopyField, Dialog, Field, Input, Notice } from '../../ui/index.ts'

/** Makes an API key and shows it once; it is kept nowhere in the pages. */
export function NewKeyDialog({
  open,
  onOpen,
}: {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}): ReactNode {
  const [name, setName] = useState('')
  const make = useV1Mutation('createKey', { quiet: true, refreshes: ['settings'] })
  const close = () => {
    make.reset()
    setName('')
    onOpen(false)
  }
  const made = make.data
  const actions = made ? (
    <Button variant="primary" onClick={close}>
      I have stored it
    </Button>
  ) : (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button variant="primary" type="submit" form="new-key" busy={make.isPending}>
        Create key
      </Button>
    </>
  )
  return (
    <Dialog
      open={open}
      onOpen={(next) => (next ? onOpen(true) : close())}
      size="sm"
      title={made ? 'Your new key' : 'New API key'}
      actions={actions}
    >
      {made ? (
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
      ) : (
        <form
          id="new-key"
          onSubmit={(event) => {
            event.preventDefault()
            make.mutate({ name })
          }}
        >
          <Field label="Name" hint="What uses it, such as CRM sync." error={make.error?.message}>
            <Input
              required
              maxLength={bounds.keyName.max}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
        </form>
      )}
    </Dialog>
  )
}
