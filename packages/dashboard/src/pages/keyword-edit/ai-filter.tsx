import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { useSessionQuery } from '../../api/index.ts'
import { Badge, Card, Field, Input, Notice, Select, TextArea } from '../../ui/index.ts'
import type { Change, Draft } from './draft.ts'
import { vendors } from './words.ts'

/** Which vendors the team has stored a key of; null while that is not known. */
function useStored(): ReadonlySet<string> | null {
  const { data } = useSessionQuery('getSettings', {}, { topic: 'settings' })
  return data === undefined ? null : new Set(data.credentials.filter((each) => each.stored).map((each) => each.kind))
}

function NoKey(): ReactNode {
  return (
    <Notice
      tone="warn"
      action={
        <Link to="/settings" search={{ tab: 'credentials' }} className="font-medium underline underline-offset-2">
          Store a key under Settings
        </Link>
      }
    >
      Until a key is stored, each run ends without keeping a post.
    </Notice>
  )
}

/** What the AI is told, and which model reads it. */
function Instruction({ draft, onChange }: { readonly draft: Draft; readonly onChange: Change }): ReactNode {
  return (
    <>
      <Field label="Which posts to keep" hint="In your own words. The whole post is read, nothing else.">
        <TextArea
          rows={4}
          maxLength={bounds.aiPrompt}
          value={draft.aiPrompt}
          placeholder="Posts in which somebody looks for a tool or asks for advice about outbound sales."
          onChange={(event) => onChange({ aiPrompt: event.target.value })}
        />
      </Field>
      <Field label="Model" optional hint="Blank: the vendor’s usual model.">
        <Input
          value={draft.aiModel}
          maxLength={bounds.aiModel}
          onChange={(event) => onChange({ aiModel: event.target.value })}
        />
      </Field>
    </>
  )
}

/** The AI that decides which posts are kept, with the team's own key. */
export function AiFilter({ draft, onChange }: { readonly draft: Draft; readonly onChange: Change }): ReactNode {
  const stored = useStored()
  const choices = vendors.map((vendor) =>
    vendor.value === '' || stored === null
      ? vendor
      : { ...vendor, label: `${vendor.label} (${stored.has(vendor.value) ? 'key stored' : 'no key'})` },
  )
  const missing = draft.aiProvider !== '' && stored !== null && !stored.has(draft.aiProvider)
  return (
    <Card
      title="AI filter"
      text="Reads each post and keeps only those you describe, before anybody is captured and charged."
      actions={
        draft.aiProvider !== '' &&
        stored !== null && <Badge tone={missing ? 'warn' : 'good'}>{missing ? 'no key stored' : 'key stored'}</Badge>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="AI vendor">
          <Select
            value={draft.aiProvider}
            onValue={(aiProvider) => onChange({ aiProvider, aiModel: '' })}
            choices={choices}
          />
        </Field>
        {missing && <NoKey />}
        {draft.aiProvider !== '' && <Instruction draft={draft} onChange={onChange} />}
      </div>
    </Card>
  )
}
