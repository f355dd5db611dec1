import type { ReactNode } from 'react'
import { Button, Dialog } from '../../ui/index.ts'

/** A window that makes a secret and then shows it this once: it is closed by the word that it has been stored. */
export function ShownOnceDialog({
  open,
  onOpen,
  onClose,
  isMade,
  title,
  act,
  children,
}: {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  readonly onClose: () => void
  readonly isMade: boolean
  readonly title: string
  /** The button that makes it. */
  readonly act: ReactNode
  readonly children: ReactNode
}): ReactNode {
  const actions = isMade ? (
    <Button variant="primary" onClick={onClose}>
      I have stored it
    </Button>
  ) : (
    <>
      <Button onClick={onClose}>Cancel</Button>
      {act}
    </>
  )
  return (
    <Dialog open={open} onOpen={(next) => (next ? onOpen(true) : onClose())} size="sm" title={title} actions={actions}>
      {children}
    </Dialog>
  )
}
