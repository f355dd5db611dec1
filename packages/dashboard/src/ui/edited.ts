import { useEffect, useMemo, useRef, useState } from 'react'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Merges a new stored value into an edited form: untouched fields follow `stored`, edited ones stay; compares fields by JSON. */
export const followed = <T extends object>(edited: T, before: T, stored: T): T => {
  const entries = (Object.keys(stored) as (keyof T)[]).map((name) => [
    name,
    isSame(edited[name], before[name]) ? stored[name] : edited[name],
  ])
  return Object.fromEntries(entries) as T
}

export const editedOf = <R extends object, T extends object>(request: R, edited: T, before: T): Partial<R> =>
  Object.fromEntries(
    Object.entries(request).filter(([name]) => !isSame(edited[name as keyof T], before[name as keyof T])),
  ) as Partial<R>

type Edited<T> = {
  readonly value: T
  readonly before: T
  readonly isEdited: boolean
  readonly change: (part: Partial<T>) => void
  /** Call it once `value` is stored; later edits stay edited. */
  readonly saved: () => void
}

/** A form over a stored value that may change meanwhile, by others or its own save: untouched fields follow, edited ones stay. */
export function useEdited<T extends object>(stored: T): Edited<T> {
  const [seen, setSeen] = useState(stored)
  const [{ before, value }, setForm] = useState({ before: stored, value: stored })
  if (!isSame(seen, stored)) {
    setSeen(stored)
    setForm((now) => ({ before: stored, value: followed(now.value, now.before, stored) }))
  }
  return {
    value,
    before,
    isEdited: !isSame(value, before),
    change: (part) => setForm((now) => ({ ...now, value: { ...now.value, ...part } })),
    saved: () => setForm((now) => ({ ...now, before: followed(value, before, now.before) })),
  }
}

/** The state of a form, and a function that changes part of it. */
export function useForm<T extends object>(start: T | (() => T)): readonly [T, (part: Partial<T>) => void] {
  const [form, setForm] = useState(start)
  return [form, (part) => setForm((now) => ({ ...now, ...part }))]
}

/** Text as a number; NaN for none is sent too, so that the service names the field. */
export const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

export const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** A JSON value once it has been stable for a while, so that not every letter typed is sent. */
export function useSettled<T>(value: T, afterMs = 350): T {
  const text = JSON.stringify([value])
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs)
    return () => clearTimeout(timer)
  }, [text, afterMs])
  return useMemo(() => (JSON.parse(settled) as [T])[0], [settled])
}

const pauseMs = 300

/** Typed text, sent once typing pauses; external changes of the address, such as Back, replace it. */
export function useTyped(value: string | undefined, onValue: (value: string | undefined) => void) {
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
