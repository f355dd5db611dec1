import { creditAPersonSaid, readMemberId } from '@les/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { bounds } from 'virtual:values'
import { api, useSessionQuery } from '../../api/index.ts'
import {
  Badge,
  Card,
  count,
  ListField,
  Notice,
  Switch,
  timeZone,
  SelectField,
  TextField,
  bound,
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
      onValue={(next) => void change(next)}
    />
  )
}

type Name = (typeof filters)[number]['name']

export function Targeting({ draft, onChange }: { draft: Draft; onChange: Change }) {
  const used = filters.filter(({ name }) => draft.targeting[name].length > 0).length
  // Whoever takes the last value away goes on where they are.
  const [startsOpen] = useState(used > 0)
  const set = (name: Name, values: readonly string[]) =>
    onChange((now) => ({ targeting: { ...now.targeting, [name]: values } }))
  const setLooking = (name: Name, on: boolean) =>
    onChange(({ looking }) => ({ looking: [...looking.filter((each) => each !== name), ...(on ? [name] : [])] }))
  return (
    <Card title="Which posts count">
      <div className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-3">
          <SelectField label="Posted in" {...bound(draft, onChange, 'datePosted')} choices={ages} />
          <SelectField label="Kind of post" {...bound(draft, onChange, 'contentType')} choices={contents} />
          <SelectField
            label="Order"
            hint="Kept; runs go by relevance for now."
            {...bound(draft, onChange, 'sort')}
            choices={orders}
          />
        </div>
        <details open={startsOpen || undefined}>
          <summary className="w-fit rounded text-sm font-medium">
            Authors and mentions{used > 0 ? ` (${used} set)` : ''}
          </summary>
          <div className="mt-3 grid gap-4 lg:grid-cols-2">
            {filters.map(({ name, label, takes, hint }) => {
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
                <ListField key={name} {...list} optional max={bounds.targetingValues} onValue={onValues} />
              )
            })}
          </div>
        </details>
      </div>
    </Card>
  )
}

function People({ draft, onChange }: { draft: Draft; onChange: Change }) {
  return (
    <>
      <SelectField
        label="Spread over posts"
        hint={
          draft.captureMode === 'depth'
            ? 'Posts are worked through one after the other, each to its end.'
            : 'A few people of each post, so that many posts are covered.'
        }
        {...bound(draft, onChange, 'captureMode')}
        choices={[
          { value: 'depth', label: 'Many people per post' },
          { value: 'breadth', label: 'Few people of many posts' },
        ]}
      />
      {draft.captureMode === 'breadth' && (
        <TextField
          label="People a post at most"
          optional
          inputMode="numeric"
          {...bound(draft, onChange, 'maxEngagementsPerPost')}
        />
      )}
      <div className="flex flex-col gap-3 sm:col-span-2">
        <Switch
          value={draft.captureEngagers}
          onValue={(captureEngagers) =>
            onChange({ captureEngagers, ...(captureEngagers ? {} : { capturePostAuthors: true }) })
          }
          label="Capture who reacts and comments"
          hint={`${creditAPersonSaid}.`}
        />
        <Switch
          value={draft.capturePostAuthors}
          onValue={(capturePostAuthors) =>
            onChange({ capturePostAuthors, ...(capturePostAuthors ? {} : { captureEngagers: true }) })
          }
          label="Capture the authors of the posts"
        />
        <Switch
          {...bound(draft, onChange, 'captureReplies')}
          label="Capture replies to comments"
          reason={!draft.captureEngagers && 'Only where those who react and comment are captured.'}
        />
      </div>
    </>
  )
}

export function Capture({ draft, onChange }: { draft: Draft; onChange: Change }) {
  return (
    <Card title="What to capture">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Capture"
          {...bound(draft, onChange, 'mode')}
          choices={[
            { value: 'engagers', label: 'People who engage' },
            { value: 'posts_only', label: 'Posts only, nobody' },
          ]}
        />
        {draft.mode === 'posts_only' && (
          <TextField
            label="Posts a run"
            hint={`From ${bounds.postsPerSync.min} to ${bounds.postsPerSync.max}.`}
            inputMode="numeric"
            {...bound(draft, onChange, 'postsPerSync')}
          />
        )}
        <TextField
          label="Credits a run may use"
          hint="The run stops there."
          inputMode="numeric"
          {...bound(draft, onChange, 'creditCap')}
        />
        {draft.mode === 'engagers' && <People draft={draft} onChange={onChange} />}
        <div className="sm:col-span-2">
          <Switch
            {...bound(draft, onChange, 'enrichLeads')}
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
        <SelectField
          label="AI vendor"
          value={draft.aiProvider}
          onValue={(aiProvider) => onChange({ aiProvider, aiModel: '' })}
          choices={choices}
        />
        {missing && (
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
        )}
        {draft.aiProvider !== '' && (
          <>
            <TextField
              label="Which posts to keep"
              hint="In your own words. The whole post is read, nothing else."
              rows={4}
              maxLength={bounds.aiPrompt}
              {...bound(draft, onChange, 'aiPrompt')}
              placeholder="Posts in which somebody looks for a tool or asks for advice about outbound sales."
            />
            <TextField
              label="Model"
              optional
              hint="Blank: the vendor’s usual model."
              {...bound(draft, onChange, 'aiModel')}
              maxLength={bounds.aiModel}
            />
          </>
        )}
      </div>
    </Card>
  )
}

export function Schedule({ draft, onChange }: { draft: Draft; onChange: Change }) {
  return (
    <Card title="When it runs">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Runs"
          {...bound(draft, onChange, 'repeat')}
          choices={[
            { value: 'daily', label: 'Every day' },
            { value: 'once', label: 'Once' },
            { value: 'runs', label: 'A number of times, daily' },
          ]}
        />
        {draft.repeat === 'runs' && (
          <TextField
            label="Number of runs"
            hint={`At most ${count(bounds.maxRuns.max)}.`}
            inputMode="numeric"
            {...bound(draft, onChange, 'maxRuns')}
          />
        )}
        <TextField
          label="No run after"
          optional
          hint={`In your time zone, ${timeZone}.`}
          type="datetime-local"
          {...bound(draft, onChange, 'endAt')}
        />
      </div>
    </Card>
  )
}
