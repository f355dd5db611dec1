import { useState, type ReactNode } from 'react'
import { useMe, useSessionMutation, type SessionResult } from '../../api/index.ts'
import { Button, Dialog, Field, Input, toast } from '../../ui/index.ts'

type Kind = SessionResult<'getSettings'>['credentials'][number]['kind']

/** The key that is typed, and the act that tries it out and stores it. */
function useStoreKey(name: string, onStored: () => void) {
  const [key, setKey] = useState('')
  const { sandbox } = useMe()
  const close = () => {
    setKey('')
    put.reset()
    onStored()
  }
  const put = useSessionMutation('putCredential', {
    quiet: true,
    refreshes: ['settings', 'outreach', 'keywords'],
    onSuccess: ({ checked }) => {
      if (sandbox)
        toast.info(`The ${name} key was stored`, 'Nobody real was asked: in the sandbox a stand-in takes any key.')
      else if (checked) toast.good(`The ${name} key works and was stored`)
      else toast.info(`The ${name} key was stored`, 'It could not be tried out: the service did not answer.')
      close()
    },
  })
  return { key, setKey, put, close, sandbox }
}

/** Takes the key of a third party; the service tries it out before it stores it. */
export function StoreKeyDialog({
  kind,
  name,
  open,
  onOpen,
}: {
  readonly kind: Kind
  readonly name: string
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}): ReactNode {
  const { key, setKey, put, close, sandbox } = useStoreKey(name, () => onOpen(false))
  return (
    <Dialog
      open={open}
      onOpen={(next) => (next ? onOpen(true) : close())}
      size="sm"
      title={`Key for ${name}`}
      text={
        sandbox
          ? 'This service runs on the sandbox: a stand-in answers for the vendor, and no real key is needed or tried.'
          : 'It is tried out now. Once stored, nobody can read it here.'
      }
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" form={`store-${kind}`} busy={put.isPending}>
            Try it and store it
          </Button>
        </>
      }
    >
      <form
        id={`store-${kind}`}
        onSubmit={(event) => {
          event.preventDefault()
          put.mutate({ kind, key })
        }}
      >
        <Field label="Key" error={put.error?.message}>
          <Input
            type="password"
            required
            maxLength={4_000}
            autoComplete="off"
            spellCheck={false}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
