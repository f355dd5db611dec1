import { Toast as Base } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './button.tsx'

const manager = Base.createToastManager()

type ToastAction = { readonly label: string; readonly onClick: () => void }

type Kind = 'good' | 'bad' | 'info'

const shown =
  (type: Kind) =>
  (title: string, text?: string, action?: ToastAction): string =>
    manager.add({
      type,
      title,
      description: text,
      timeout: type === 'bad' ? 12_000 : action ? 10_000 : 5_000,
      priority: type === 'bad' ? 'high' : 'low',
      ...(action ? { actionProps: { children: action.label, onClick: action.onClick } } : {}),
    })

/** Shows a message in the corner for some seconds; failures stay longer and interrupt a screen reader. */
export const toast = {
  good: shown('good'),
  bad: shown('bad'),
  info: shown('info'),
  close: (id: string): void => manager.close(id),
}

const edges: Record<string, string> = { good: 'border-l-accent', bad: 'border-l-danger', info: 'border-l-(--chart-2)' }

function List() {
  const { toasts } = Base.useToastManager()
  return toasts.map((item) => (
    <Base.Root
      key={item.id}
      toast={item}
      swipeDirection={['right', 'down']}
      className={cx(
        'pointer-events-auto rounded-lg border border-l-4 border-line bg-raised text-ink shadow-lg',
        'transition-opacity data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0',
        edges[item.type ?? 'info'],
      )}
    >
      <Base.Content className="flex items-start gap-3 px-3.5 py-2.5">
        <div className="min-w-0 flex-1">
          <Base.Title className="text-sm font-medium break-words" />
          <Base.Description className="text-[0.8125rem] break-words text-muted" />
        </div>
        <Base.Action className="rounded px-1.5 py-0.5 text-sm font-semibold text-accent-text hover:bg-sunken" />
        <Base.Close aria-label="Dismiss" className="rounded p-1 text-muted hover:bg-sunken hover:text-ink">
          <X aria-hidden="true" size={14} />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ))
}

/** Where toasts appear; rendered once, by `Root`. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Base.Provider toastManager={manager} limit={4}>
      {children}
      <Base.Portal>
        <Base.Viewport className="pointer-events-none fixed right-4 bottom-4 z-60 flex w-[calc(100vw-2rem)] flex-col gap-2 sm:w-96">
          <List />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}
