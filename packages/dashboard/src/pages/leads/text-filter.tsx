import { Search as SearchIcon } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Field, Input } from '../../ui/index.ts'

const pauseMs = 300

/** What is typed, sent once typing pauses; a change of the address by something else, such as Back or a chip, is taken over. */
function useTyped(value: string | undefined, onValue: (value: string | undefined) => void) {
  const [typed, setTyped] = useState(value ?? '')
  const sent = useRef(value ?? '')
  useEffect(() => {
    if ((value ?? '') === sent.current) return
    sent.current = value ?? ''
    setTyped(value ?? '')
  }, [value])
  const send = (next: string) => {
    if (next === sent.current) return
    sent.current = next
    onValue(next === '' ? undefined : next)
  }
  const latest = useRef(send)
  latest.current = send
  useEffect(() => {
    const timer = setTimeout(() => latest.current(typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return { typed, setTyped, sendNow: () => send(typed.trim()) }
}

/** A text that narrows the list once typing pauses, or at Enter. */
export function TextFilter({
  label,
  value,
  onValue,
  placeholder,
  hideLabel = false,
  error,
  hint,
  icon = false,
}: {
  readonly label: string
  readonly value: string | undefined
  readonly onValue: (value: string | undefined) => void
  readonly placeholder?: string
  readonly hideLabel?: boolean
  readonly error?: string | undefined
  readonly hint?: string
  readonly icon?: boolean
}): ReactNode {
  const { typed, setTyped, sendNow } = useTyped(value, onValue)
  return (
    <Field label={label} hideLabel={hideLabel} error={error} hint={hint} className="min-w-0">
      <span className="relative block">
        {icon && (
          <SearchIcon
            aria-hidden="true"
            size={16}
            className="pointer-events-none absolute top-2.5 left-2.5 text-muted"
          />
        )}
        <Input
          type="search"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          {...(placeholder ? { placeholder } : {})}
          {...(icon ? { className: 'pl-8' } : {})}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && sendNow()}
        />
      </span>
    </Field>
  )
}
