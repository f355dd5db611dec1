import { X } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button, type Reason } from './button.tsx'
import { Field, Input } from './field.tsx'

/**
 * `value`, frozen while a pointer is down. A list that grows when its field loses the focus would push the pressed button away,
 * and the click would be lost.
 */
function useStill<T>(value: T): T {
  const [held, setHeld] = useState<{ readonly value: T } | null>(null)
  useEffect(() => {
    const press = () => setHeld({ value })
    // The click follows in the same task.
    const release = () => setTimeout(() => setHeld(null))
    const removal = new AbortController()
    const { signal } = removal
    window.addEventListener('mousedown', press, { capture: true, signal })
    window.addEventListener('mouseup', release, { capture: true, signal })
    // A press that becomes a drag, or ends in another window, has no `mouseup`.
    window.addEventListener('dragend', release, { capture: true, signal })
    window.addEventListener('blur', release, { signal })
    return () => removal.abort()
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
  readonly reason?: Reason
  readonly busy?: boolean
}

/** A list of short texts: Enter or "Add" adds one, pasting lines adds each, and entries can be removed. */
export function ListField(props: ListFieldProps) {
  const { label, hint, error, value, onValue, max, placeholder, optional, reason, busy = false } = props
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [left, setLeft] = useState(0)
  const drawn = useStill(value)
  const full = value.length >= max && `At most ${max}: remove one first.`
  const why = reason || full
  const isLocked = busy || Boolean(why)
  const isEmpty = text.trim() === ''
  const join = (texts: readonly string[]) => {
    const all = [...new Set([...value, ...texts.map((each) => each.trim()).filter((each) => each !== '')])]
    setLeft(Math.max(0, all.length - max))
    onValue(all.slice(0, max))
  }
  const add = () => {
    join([text])
    setText('')
  }
  const remove = (entry: string, byKey: boolean) => {
    onValue(value.filter((each) => each !== entry))
    // The button disappears with its entry, so the focus moves to the field.
    if (byKey) field.current?.focus()
  }
  const entries = drawn.length > 0 && (
    <ul aria-label={`${label}: chosen`} className="flex flex-wrap gap-1.5">
      {drawn.map((entry) => (
        <li
          key={entry}
          className="flex max-w-full items-center gap-1 rounded-full border border-line bg-sunken py-0.5 pr-1 pl-2.5 text-[0.8125rem]"
        >
          <span className="min-w-0 break-words">{entry}</span>
          <Button
            variant="ghost"
            busy={busy}
            reason={reason}
            icon={X}
            iconSize={12}
            aria-label={`Remove ${entry}`}
            onClick={({ detail }) => remove(entry, detail === 0)}
            className="h-auto! min-h-0! rounded-full! p-1! text-muted!"
          />
        </li>
      ))}
    </ul>
  )
  const overflow = full && left > 0 && (
    <p role="status" className="text-[0.8125rem] text-danger-text">
      {`The list is full: ${left} of the pasted values did not fit.`}
    </p>
  )
  return (
    <Field label={label} hint={hint} error={error} optional={optional} className="min-w-0">
      {entries}
      <div className="flex gap-2">
        <Input
          ref={field}
          className="min-w-0"
          value={text}
          readOnly={busy}
          reason={why}
          placeholder={full ? `${max} at most` : placeholder}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            if (!isLocked) add()
          }}
          onPaste={(event) => {
            const lines = event.clipboardData.getData('text').split(/\r?\n/)
            if (lines.length < 2) return
            event.preventDefault()
            if (!isLocked) join(lines)
          }}
          onBlur={() => !isLocked && !isEmpty && add()}
        />
        <Button busy={busy} reason={why || (isEmpty && 'Type a value to add first.')} onClick={add}>
          Add
        </Button>
      </div>
      {overflow}
    </Field>
  )
}
