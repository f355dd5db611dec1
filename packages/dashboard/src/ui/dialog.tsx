import { Button, cx, IconButton } from './button.tsx'
import { Failure, Loaded, type QueryLike } from './show.tsx'
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'

type DialogProps = {
  readonly open?: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly text?: ReactNode
  readonly actions?: ReactNode
  readonly cancel?: boolean
  readonly size?: 'sm' | 'md' | 'lg'
  readonly children?: ReactNode
}

const widths = { sm: 'sm:max-w-md', md: 'sm:max-w-xl', lg: 'sm:max-w-3xl' }

type FramedProps = DialogProps & { popup: string }

function Framed({ open = true, onClose, title, text, cancel, actions, size = 'md', children, popup }: FramedProps) {
  return (
    <Base.Root open={open} onOpenChange={() => onClose()}>
      <Base.Portal>
        <Base.Backdrop
          className={cx(
            'fixed inset-0 z-40 bg-black/45 transition-opacity data-ending-style:opacity-0',
            'data-starting-style:opacity-0',
          )}
        />
        <Base.Popup
          className={cx(
            'fixed z-40 flex flex-col border border-line bg-surface text-ink shadow-xl outline-none',
            'transition-[opacity,transform] duration-150',
            popup,
            widths[size],
          )}
        >
          <header className="border-b border-line py-3.5 pr-14 pl-5">
            <Base.Title className="text-base font-semibold break-words">{title}</Base.Title>
            {text && <Base.Description className="mt-0.5 text-sm text-muted">{text}</Base.Description>}
          </header>
          {children !== undefined && <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>}
          {actions && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              {cancel && <Button onClick={onClose}>Cancel</Button>}
              {actions}
            </footer>
          )}
          {/* Last, so that the focus starts in the content. */}
          <IconButton
            tip={false}
            label="Close"
            icon={X}
            size="sm"
            className="absolute top-3 right-3"
            onClick={() => onClose()}
          />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

const inTheMiddle = cx(
  'inset-x-0 bottom-0 max-h-[90dvh] rounded-t-xl sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-1/2',
  'sm:w-[calc(100vw-2rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-xl data-ending-style:opacity-0',
  'data-starting-style:opacity-0',
)
const atTheRight =
  'inset-y-0 right-0 w-full border-y-0 border-r-0 data-ending-style:translate-x-full data-starting-style:translate-x-full'

/** A window over the page; traps the focus and returns it, Escape closes. */
export const Dialog = (props: DialogProps) => <Framed {...props} popup={inTheMiddle} />

/** A panel at the right edge, full width on a phone, for the detail of a row. */
export const Drawer = (props: DialogProps) => <Framed {...props} popup={atTheRight} />

type DetailDrawerProps<D> = Pick<DialogProps, 'title' | 'text' | 'onClose'> & {
  /** The query is read while this is true. */
  readonly open: boolean
  readonly query: QueryLike<D>
  readonly children: (detail: D) => ReactNode
}

/** The detail of a row, read when opened. */
export const DetailDrawer = <D,>({ query, children, ...drawer }: DetailDrawerProps<D>) => (
  <Drawer {...drawer}>{drawer.open && <Loaded query={query}>{children}</Loaded>}</Drawer>
)

type ConfirmDialogProps = {
  readonly open?: boolean
  readonly onClose: () => void
  readonly title: string
  readonly text?: ReactNode
  readonly confirm: string
  readonly danger?: boolean
  /** Closes when it resolves; stays open with the message when it rejects. */
  readonly onConfirm: () => unknown
  readonly children?: ReactNode
}

/** Asks before something that costs or cannot be undone. */
export function ConfirmDialog({
  onClose,
  confirm,
  danger = false,
  onConfirm,
  text,
  children,
  ...rest
}: ConfirmDialogProps) {
  const run = useMutation({ mutationFn: async () => onConfirm(), onSuccess: onClose, networkMode: 'always' })
  const actions = (
    <Button variant={danger ? 'danger' : 'primary'} busy={run.isPending} onClick={() => run.mutate()}>
      {confirm}
    </Button>
  )
  return (
    <Dialog {...rest} onClose={onClose} size="sm" cancel actions={actions}>
      <div className="flex flex-col gap-3 text-sm">
        {text && <div>{text}</div>}
        {children}
        <Failure error={run.error} />
      </div>
    </Dialog>
  )
}
