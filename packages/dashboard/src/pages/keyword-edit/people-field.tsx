import { normalizeHandle, readMemberId, readNetworkAddress } from '@les/contract'
import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { api } from '../../api/index.ts'
import { ListField } from '../../ui/index.ts'

/** The handle or member id in a profile's address, or the text itself. */
function handleIn(text: string): string {
  const address = readNetworkAddress(text)
  return normalizeHandle(address?.kind === 'person' ? address.name : text)
}

/** A list of member ids that also takes profile addresses and handles: the service looks their ids up, free of charge. */
export function PeopleField({
  label,
  hint,
  value,
  onChange,
}: {
  readonly label: string
  readonly hint: string
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
}): ReactNode {
  const [looking, setLooking] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const change = async (next: readonly string[]) => {
    setFailed(null)
    const isKnown = (text: string) => value.includes(text) || readMemberId(text) !== null
    const handles = next.filter((text) => !isKnown(text))
    if (handles.length === 0) return onChange(next)
    setLooking(true)
    const found = await Promise.allSettled(
      handles.map((text) => api.v1('resolveProfileUrn', { username: handleIn(text) })),
    )
    setLooking(false)
    const missing = handles.filter((_, index) => found[index]?.status === 'rejected')
    if (missing.length > 0) setFailed(`Not found: ${missing.join(', ')}`)
    onChange([
      ...new Set([
        ...next.filter(isKnown),
        ...found.flatMap((each) => (each.status === 'fulfilled' ? [each.value.entityUrn] : [])),
      ]),
    ])
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
