import { X } from 'lucide-react'
import {
  useEffect,
  useId,
  useRef,
  useState,
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { Button, cx, useReason, type Reason } from './button.tsx'

/**
 * `value`, or while a mouse button or a finger is down what it was when that began. A list that grows as its field is left would push
 * what was pressed from under the pointer, and the press would be lost.
 */
function useStill<T>(value: T): T {
  const [held, setHeld] = useState<{ readonly value: T } | null>(null)
  useEffect(() => {
    const press = () => setHeld({ value })
    // A click follows in the same task.
    const release = () => setTimeout(() => setHeld(null))
    window.addEventListener('mousedown', press, true)
    window.addEventListener('mouseup', release, true)
    // A press that becomes a drag, or ends in another window, ends without a `mouseup`.
    window.addEventListener('dragend', release, true)
    window.addEventListener('blur', release)
    return () => {
      window.removeEventListener('mousedown', press, true)
      window.removeEventListener('mouseup', release, true)
      window.removeEventListener('dragend', release, true)
      window.removeEventListener('blur', release)
    }
  }, [value])
  return held ? held.value : value
}

type ListFieldProps = {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: ReactNode
  readonly value: readonly string[]
  readonly onValue: (value: readonly string[]) => void
  readonly max: number
  readonly placeholder?: string
  readonly optional?: boolean
  /** Why nothing can be changed now. */
  readonly reason?: Reason
  readonly busy?: boolean
}

/** The list with more texts, each once, and how many of them it has no room for. */
function joined(texts: readonly string[], value: readonly string[], max: number) {
  const all = [...new Set([...value, ...texts.map((text) => text.trim()).filter((text) => text !== '')])]
  return { value: all.slice(0, max), left: Math.max(0, all.length - max) }
}

function Entries({
  label,
  value,
  drawn,
  busy,
  reason,
  describedBy,
  onValue,
  field,
}: Pick<ListFieldProps, 'label' | 'value' | 'reason' | 'onValue'> & {
  drawn: readonly string[]
  busy: boolean
  /** What says the reason to those who listen. */
  describedBy: string | undefined
  field: RefObject<HTMLInputElement | null>
}) {
  const remove = (entry: string, byKey: boolean) => {
    onValue(value.filter((each) => each !== entry))
    // The button goes with its entry: whoever pressed it by a key goes on in the field.
    if (byKey) field.current?.focus()
  }
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {drawn.map((entry) => (
        <li
          key={entry}
          className="flex max-w-full items-center gap-1 rounded-full border border-line bg-sunken py-0.5 pr-1 pl-2.5 text-[0.8125rem]"
        >
          <span className="min-w-0 break-words">{entry}</span>
          <button
            type="button"
            aria-disabled={busy || Boolean(reason) || undefined}
            aria-describedby={reason ? describedBy : undefined}
            data-tip={reason || undefined}
            aria-label={`Remove ${entry}`}
            onClick={({ detail }) => !busy && !reason && remove(entry, detail === 0)}
            className="rounded-full p-1 text-muted hover:bg-surface hover:text-ink"
          >
            <X aria-hidden="true" size={12} />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** What is typed in the field, and how it joins the list: Enter, leaving the field, or pasting lines. */
function useTyped({
  value,
  max,
  locked,
  onValue,
}: Pick<ListFieldProps, 'value' | 'max' | 'onValue'> & { locked: boolean }) {
  const [text, setText] = useState('')
  const [left, setLeft] = useState(0)
  const join = (texts: readonly string[]) => {
    const after = joined(texts, value, max)
    setLeft(after.left)
    onValue(after.value)
  }
  const add = () => {
    join([text])
    setText('')
  }
  return {
    isEmpty: text.trim() === '',
    left,
    add,
    input: {
      value: text,
      onChange: (event: ChangeEvent<HTMLInputElement>) => setText(event.target.value),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
        event.preventDefault()
        if (!locked) add()
      },
      onPaste: (event: ClipboardEvent) => {
        const lines = event.clipboardData.getData('text').split(/\r?\n/)
        if (lines.length < 2) return
        event.preventDefault()
        if (!locked) join(lines)
      },
      onBlur: () => !locked && text.trim() !== '' && add(),
    },
  }
}

function Below({ id, hint, error, left }: Pick<ListFieldProps, 'hint' | 'error'> & { id: string; left: number }) {
  return (
    <>
      {left > 0 && (
        <p role="status" className="text-[0.8125rem] text-danger-text">
          {`The list is full: ${left} of what was pasted did not fit.`}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-[0.8125rem] text-danger-text">
          {error}
        </p>
      )}
    </>
  )
}

/** A list of short texts: Enter or "Add" adds what is typed, pasting lines adds each, every entry can be removed. */
export function ListField(props: ListFieldProps) {
  const { label, hint, error, value, onValue, max, placeholder, optional, reason, busy = false } = props
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const drawn = useStill(value)
  const full = value.length >= max && `At most ${max}: remove one first.`
  const why = reason || full
  const typed = useTyped({ value, max, onValue, locked: busy || Boolean(why) })
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const { isOff, attributes, words } = useReason(why, describedBy)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {drawn.length > 0 && (
        <Entries
          {...{ value, drawn, busy, reason, onValue, field }}
          label={`${label}: chosen`}
          describedBy={attributes['aria-describedby']}
        />
      )}
      <div className="flex gap-2">
        <input
          ref={field}
          id={id}
          {...typed.input}
          readOnly={busy || isOff}
          placeholder={full ? `${max} at most` : placeholder}
          {...attributes}
          aria-invalid={error ? true : undefined}
          className={cx(
            'h-9 w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-sm placeholder:text-muted',
            'aria-disabled:opacity-60 aria-invalid:border-danger',
          )}
        />
        {words}
        <Button busy={busy} reason={why || (typed.isEmpty && 'Type something to add first.')} onClick={typed.add}>
          Add
        </Button>
      </div>
      <Below id={id} hint={hint} error={error} left={full ? typed.left : 0} />
    </div>
  )
}
