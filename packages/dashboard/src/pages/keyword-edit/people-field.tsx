import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { api } from '../../api/index.ts'
import { ListField } from '../../ui/index.ts'

const memberId = /^(?:urn:li:person:)?AC[A-Za-z0-9_-]{8,98}$/i

/** The handle in a profile's address, or the text itself. */
const handleIn = (text: string): string => /linkedin\.com\/in\/([^/?#]+)/i.exec(text)?.[1] ?? text.replace(/^@/, '')

/** A list of member ids that also takes profile addresses and handles: the service looks their ids up, free of charge. */
export function PeopleField({ label, hint, value, onChange }: { readonly label: string; readonly hint: string; readonly value: readonly string[]; readonly onChange: (value: readonly string[]) => void }): ReactNode {
  const [looking, setLooking] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const change = async (next: readonly string[]) => {
    setFailed(null)
    const isKnown = (text: string) => value.includes(text) || memberId.test(text)
    const handles = next.filter((text) => !isKnown(text))
    if (handles.length === 0) return onChange(next)
    setLooking(true)
    const found = await Promise.allSettled(handles.map((text) => api.v1('resolveProfileUrn', { username: handleIn(text) })))
    setLooking(false)
    const missing = handles.filter((_, index) => found[index]?.status === 'rejected')
    if (missing.length > 0) setFailed(`Not found: ${missing.join(', ')}`)
    onChange([...new Set([...next.filter(isKnown), ...found.flatMap((each) => (each.status === 'fulfilled' ? [each.value.entityUrn] : []))])])
  }
  return <ListField label={label} hint={looking ? 'Looking the person up…' : hint} error={failed} optional max={bounds.targetingValues} value={value} disabled={looking} onChange={(next) => void change(next)} />
}
