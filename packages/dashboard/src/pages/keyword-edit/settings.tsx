import { readMemberId } from '@les/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { bounds } from 'virtual:values'
import { api, useSessionQuery } from '../../api/index.ts'
import {
  Badge,
  Card,
  count,
  Field,
  Input,
  ListField,
  Notice,
  Select,
  Switch,
  TextArea,
  timeZone,
} from '../../ui/index.ts'
import { ages, contents, filters, orders, vendors, type Change, type Draft } from './draft.ts'
import { complaintOf, lookUpPeople } from './look-up-people.ts'

const askFor = async (username: string): Promise<string> => (await api.v1('resolveProfileUrn', { username })).entityUrn

/** A list of member ids that also takes profile addresses and handles: the service looks their ids up, free of charge. */
function PeopleField({
  label,
  hint,
  value,
  looking,
  onChange,
  onLooking,
}: {
  label: string
  hint: string
  value: readonly string[]
  /** Somebody is being looked up: the list stays as it is until then. */
  looking: boolean
  onChange: (value: readonly string[]) => void
  onLooking: (looking: boolean) => void
}) {
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

type Name = (typeof filters)[number]['name']

/** Who wrote the posts, and who is mentioned in them. */
function Filters({ draft, onChange }: { draft: Draft; onChange: Change }) {
  const set = (name: Name, values: readonly string[]) =>
    onChange((now) => ({ targeting: { ...now.targeting, [name]: values } }))
  const setLooking = (name: Name, on: boolean) =>
    onChange(({ looking }) => ({ looking: [...looking.filter((each) => each !== name), ...(on ? [name] : [])] }))
  return filters.map(({ name, label, takes, hint }) => {
    const list = { label, hint, value: draft.targeting[name] }
    const onValues = (values: readonly string[]) => set(name, values)
    return takes === 'person' ? (
      <PeopleField
        key={name}
        {...list}
        looking={draft.looking.includes(name)}
        onChange={onValues}
        onLooking={(on) => setLooking(name, on)}
      />
    ) : (
      <ListField key={name} {...list} optional max={bounds.targetingValues} onChange={onValues} />
    )
  })
}

/** Which posts count: their age, their kind, and who wrote or is mentioned in them. */
export function Targeting({ draft, onChange }: { draft: Draft; onChange: Change }) {
  const used = filters.filter(({ name }) => draft.targeting[name].length > 0).length
  // Whoever takes the last value away goes on where they are.
  const [startsOpen] = useState(used > 0)
  return (
    <Card title="Which posts count">
      <div className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-3">
          <Field label="Posted in">
            <Select value={draft.datePosted} onValue={(datePosted) => onChange({ datePosted })} choices={ages} />
          </Field>
          <Field label="Kind of post">
            <Select value={draft.contentType} onValue={(contentType) => onChange({ contentType })} choices={contents} />
          </Field>
          <Field label="Order" hint="Kept; runs go by relevance for now.">
            <Select value={draft.sort} onValue={(sort) => onChange({ sort })} choices={orders} />
          </Field>
        </div>
        <details open={startsOpen || undefined}>
          <summary className="w-fit rounded text-sm font-medium">
            Authors and mentions{used > 0 ? ` (${used} set)` : ''}
          </summary>
          <div className="mt-3 grid gap-4 lg:grid-cols-2">
            <Filters draft={draft} onChange={onChange} />
          </div>
        </details>
      </div>
    </Card>
  )
}

function People({ draft, onChange }: { draft: Draft; onChange: Change }) {
  return (
    <>
      <Field
        label="Spread over posts"
        hint={
          draft.captureMode === 'depth'
            ? 'Posts are worked through one after the other, each to its end.'
            : 'A few people of each post, so that many posts are covered.'
        }
      >
        <Select
          value={draft.captureMode}
          onValue={(captureMode) => onChange({ captureMode })}
          choices={[
            { value: 'depth', label: 'Many people per post' },
            { value: 'breadth', label: 'Few people of many posts' },
          ]}
        />
      </Field>
      {draft.captureMode === 'breadth' && (
        <Field label="People a post at most" optional>
          <Input
            inputMode="numeric"
            value={draft.maxEngagementsPerPost}
            onChange={(event) => onChange({ maxEngagementsPerPost: event.target.value })}
          />
        </Field>
      )}
      <div className="flex flex-col gap-3 sm:col-span-2">
        <Switch
          checked={draft.captureEngagers}
          onChecked={(captureEngagers) =>
            onChange({ captureEngagers, ...(captureEngagers ? {} : { capturePostAuthors: true }) })
          }
          label="Capture who reacts and comments"
          hint="One credit for each person."
        />
        <Switch
          checked={draft.capturePostAuthors}
          onChecked={(capturePostAuthors) =>
            onChange({ capturePostAuthors, ...(capturePostAuthors ? {} : { captureEngagers: true }) })
          }
          label="Capture the authors of the posts"
        />
        <Switch
          checked={draft.captureReplies}
          onChecked={(captureReplies) => onChange({ captureReplies })}
          label="Capture replies to comments"
          reason={!draft.captureEngagers && 'Only where those who react and comment are captured.'}
        />
      </div>
    </>
  )
}

/** Who is captured from the posts, and what a run may spend. */
export function Capture({ draft, onChange }: { draft: Draft; onChange: Change }) {
  return (
    <Card title="What to capture">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Capture">
          <Select
            value={draft.mode}
            onValue={(mode) => onChange({ mode })}
            choices={[
              { value: 'engagers', label: 'People who engage' },
              { value: 'posts_only', label: 'Posts only, nobody' },
            ]}
          />
        </Field>
        {draft.mode === 'posts_only' && (
          <Field label="Posts a run" hint={`From ${bounds.postsPerSync.min} to ${bounds.postsPerSync.max}.`}>
            <Input
              inputMode="numeric"
              value={draft.postsPerSync}
              onChange={(event) => onChange({ postsPerSync: event.target.value })}
            />
          </Field>
        )}
        <Field label="Credits a run may use" hint="The run stops there.">
          <Input
            inputMode="numeric"
            value={draft.creditCap}
            onChange={(event) => onChange({ creditCap: event.target.value })}
          />
        </Field>
        {draft.mode === 'engagers' && <People draft={draft} onChange={onChange} />}
        <div className="sm:col-span-2">
          <Switch
            checked={draft.enrichLeads}
            onChecked={(enrichLeads) => onChange({ enrichLeads })}
            label="Look up each person’s job, company and country"
            hint="Off: they are kept as raw leads, which are not judged and not sent."
          />
        </div>
      </div>
    </Card>
  )
}

/** Which vendors the team has stored a key of; null while that is not known. */
function useStored(): ReadonlySet<string> | null {
  const { data } = useSessionQuery('getSettings', {}, { topic: 'settings' })
  return data === undefined ? null : new Set(data.credentials.filter((each) => each.stored).map((each) => each.kind))
}

function NoKey() {
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
function Instruction({ draft, onChange }: { draft: Draft; onChange: Change }) {
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
export function AiFilter({ draft, onChange }: { draft: Draft; onChange: Change }) {
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

/** How often the search runs and when it ends. */
export function Schedule({ draft, onChange }: { draft: Draft; onChange: Change }) {
  return (
    <Card title="When it runs">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Runs">
          <Select
            value={draft.repeat}
            onValue={(repeat) => onChange({ repeat })}
            choices={[
              { value: 'daily', label: 'Every day' },
              { value: 'once', label: 'Once' },
              { value: 'runs', label: 'A number of times, daily' },
            ]}
          />
        </Field>
        {draft.repeat === 'runs' && (
          <Field label="Number of runs" hint={`At most ${count(bounds.maxRuns.max)}.`}>
            <Input
              inputMode="numeric"
              value={draft.maxRuns}
              onChange={(event) => onChange({ maxRuns: event.target.value })}
            />
          </Field>
        )}
        <Field label="No run after" optional hint={`In your time zone, ${timeZone}.`}>
          <Input
            type="datetime-local"
            value={draft.endAt}
            onChange={(event) => onChange({ endAt: event.target.value })}
          />
        </Field>
      </div>
    </Card>
  )
}
