import { readMemberId } from '@les/contract'
import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { api } from '../../api/index.ts'
import { ListField } from '../../ui/index.ts'
import { complaintOf, lookUpPeople } from './look-up-people.ts'

const askFor = async (username: string): Promise<string> => (await api.v1('resolveProfileUrn', { username })).entityUrn

/** A list of member ids that also takes profile addresses and handles: the service looks their ids up, free of charge. */
export function PeopleField({
  label,
  hint,
  value,
  looking,
  onChange,
  onLooking,
}: {
  readonly label: string
  readonly hint: string
  readonly value: readonly string[]
  /** Somebody is being looked up: the list stays as it is until then. */
  readonly looking: boolean
  readonly onChange: (value: readonly string[]) => void
  readonly onLooking: (looking: boolean) => void
}): ReactNode {
  const [failed, setFailed] = useState<string | null>(null)
  const change = async (next: readonly string[]) => {
    setFailed(null)
    const named = next.filter((text) => !value.includes(text) && readMemberId(text) === null)
    if (named.length === 0) return onChange(next)
    onLooking(true)
    const lookedUp = await lookUpPeople(named, askFor)
    setFailed(complaintOf(lookedUp))
    onChange([...new Set(next.flatMap((text) => (named.includes(text) ? (lookedUp.ids.get(text) ?? []) : text)))])
    onLooking(false)
  }
  return (
    <ListField
      label={label}
      hint={looking ? 'Looking the person up…' : hint}
      error={failed}
      optional
      max={bounds.targetingValues}
      value={value}
      busy={looking}
      onChange={(next) => void change(next)}
    />
  )
}
