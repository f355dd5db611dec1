import { creditAPersonSaid, readMemberId } from '@les/contract'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { bounds } from 'virtual:values'
import { ask, useRead, type ResultOf } from '../../api/index.ts'
import { cx } from '../../ui/button.tsx'
import { useSettled } from '../../ui/edited.ts'
import { SelectField } from '../../ui/field.tsx'
import { choicesOf, FormFields, type FormField } from '../../ui/form.tsx'
import { count, timeZone } from '../../ui/format.ts'
import { TextLink } from '../../ui/link.tsx'
import { ListField } from '../../ui/list-field.tsx'
import { Badge, Card, Notice } from '../../ui/show.tsx'
import { filters, type Change, type Draft } from './draft.ts'
import { complaintOf, lookUpPeople } from './look-up-people.ts'

type Field = FormField<Draft>
type PartProps = { readonly draft: Draft; readonly onChange: Change }

export const nameField: Field = {
  name: 'name',
  label: 'Name',
  optional: true,
  hint: 'A label for your team.',
  maxLength: bounds.searchName,
}

const subjectFields: readonly Field[] = [
  {
    name: 'terms',
    label: 'Terms',
    when: ({ kind }) => kind === 'terms',
    max: bounds.keywords.max,
    placeholder: 'Such as revenue operations',
    hint: 'A few words per term, Enter after each. Words in double quotes must appear side by side: “head of growth”.',
  },
  {
    name: 'expression',
    label: 'Expression',
    when: ({ kind }) => kind === 'expression',
    hint: 'AND, OR and NOT in capitals; NOT binds first, then AND; to exclude a word write AND NOT. Words in double quotes are a phrase. No parentheses.',
    rows: 3,
    spellCheck: false,
    controlClass: 'font-mono',
    maxLength: bounds.expressionInput,
    placeholder: '"head of growth" AND hiring AND NOT intern',
  },
]

const postFields: readonly Field[] = [
  {
    name: 'datePosted',
    label: 'Posted in',
    choices: choicesOf({
      PAST_24_HOURS: 'The last 24 hours',
      PAST_WEEK: 'The last week',
      PAST_MONTH: 'The last month',
    }),
  },
  {
    name: 'contentType',
    label: 'Kind of post',
    choices: choicesOf({
      '': 'Any post',
      VIDEO: 'With a video',
      IMAGE: 'With a picture',
      DOCUMENT: 'With a document',
      JOB: 'With a job',
      LIVE_VIDEO: 'With a live video',
      COLLABORATIVE_ARTICLE: 'Collaborative articles',
    }),
  },
  {
    name: 'sort',
    label: 'Order',
    hint: 'Saved, but runs use relevance for now.',
    choices: choicesOf({ DATE_POSTED: 'Newest first', RELEVANCE: 'Most relevant first' }),
  },
]

const capturesPeople = ({ mode }: Draft): boolean => mode === 'engagers'

const captureFields: readonly Field[] = [
  {
    name: 'mode',
    label: 'Capture',
    choices: choicesOf({ engagers: 'People who engage', posts_only: 'Posts only, nobody' }),
  },
  {
    name: 'postsPerSync',
    label: 'Posts a run',
    when: ({ mode }) => mode === 'posts_only',
    hint: `From ${bounds.postsPerSync.min} to ${bounds.postsPerSync.max}.`,
    inputMode: 'numeric',
  },
  { name: 'creditCap', label: 'Credits a run may use', hint: 'The run stops there.', inputMode: 'numeric' },
  {
    name: 'captureMode',
    label: 'Spread over posts',
    when: capturesPeople,
    hint: ({ captureMode }) =>
      captureMode === 'depth'
        ? 'Posts are read one after the other, each to its end.'
        : 'A few people from each post, so that many posts are covered.',
    choices: choicesOf({ depth: 'Many people per post', breadth: 'Few people of many posts' }),
  },
  {
    name: 'maxEngagementsPerPost',
    label: 'People a post at most',
    when: (draft) => capturesPeople(draft) && draft.captureMode === 'breadth',
    optional: true,
    inputMode: 'numeric',
  },
  {
    name: 'captureEngagers',
    label: 'Capture who reacts and comments',
    when: capturesPeople,
    wide: true,
    hint: `${creditAPersonSaid}.`,
    set: (captureEngagers) => ({ captureEngagers, ...(captureEngagers ? {} : { capturePostAuthors: true }) }),
  },
  {
    name: 'capturePostAuthors',
    label: 'Capture the authors of the posts',
    when: capturesPeople,
    wide: true,
    set: (capturePostAuthors) => ({ capturePostAuthors, ...(capturePostAuthors ? {} : { captureEngagers: true }) }),
  },
  {
    name: 'captureReplies',
    label: 'Capture replies to comments',
    when: capturesPeople,
    wide: true,
    reason: (draft) => !draft.captureEngagers && 'Only if people who react and comment are captured.',
  },
  {
    name: 'enrichLeads',
    label: 'Look up each person’s job, company and country',
    wide: true,
    hint: 'Off: they are kept as raw leads, which are not judged and not sent.',
  },
]

const vendors = choicesOf<Draft['aiProvider']>({
  '': 'No AI filter',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  mistral: 'Mistral',
})

const aiFields: readonly Field[] = [
  {
    name: 'aiPrompt',
    label: 'Which posts to keep',
    hint: 'In your own words. The whole post is read, nothing else.',
    rows: 4,
    maxLength: bounds.aiPrompt,
    placeholder: 'Posts in which somebody looks for a tool or asks for advice about outbound sales.',
  },
  {
    name: 'aiModel',
    label: 'Model',
    optional: true,
    hint: 'Blank: the vendor’s usual model.',
    maxLength: bounds.aiModel,
  },
]

const scheduleFields: readonly Field[] = [
  {
    name: 'repeat',
    label: 'Runs',
    choices: choicesOf({ daily: 'Every day', once: 'Once', runs: 'A number of times, daily' }),
  },
  {
    name: 'maxRuns',
    label: 'Number of runs',
    when: ({ repeat }) => repeat === 'runs',
    hint: `At most ${count(bounds.maxRuns.max)}.`,
    inputMode: 'numeric',
  },
  {
    name: 'endAt',
    label: 'No run after',
    optional: true,
    hint: `In your time zone, ${timeZone}.`,
    type: 'datetime-local',
  },
]

const tables = [nameField, ...postFields, ...captureFields, ...aiFields, ...scheduleFields]
const settingNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...tables, ...filters].map(({ name, label }) => [name, label])),
  datePosted: 'Age of posts',
  mode: 'What is captured',
  aiProvider: 'AI vendor',
  aiModel: 'AI model',
  aiPrompt: 'AI instruction',
  runOnce: 'One run only',
}
const choices = [...tables.flatMap((field) => ('choices' in field ? field.choices : [])), ...vendors]
const valueNames = new Map<unknown, string>(choices.map(({ value, label }) => [value, label]))

export const settingName = (field: string): string => settingNames[field] ?? field

export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ')
  return valueNames.get(value) ?? String(value)
}

type Reading = ResultOf<'parseExpression'>

function Fault({ expression, error }: { expression: string; error: NonNullable<Reading['error']> }) {
  // Positions start at 1.
  const start = Math.min(Math.max(0, error.position - 1), expression.length)
  const end = Math.min(expression.length, start + Math.max(1, error.token.length))
  return (
    <div className="rounded-lg bg-danger-soft px-3 py-2 text-sm text-danger-text">
      <p>{error.message}</p>
      <p className="mt-1 font-mono text-[0.8125rem] break-words whitespace-pre-wrap">
        {expression.slice(0, start)}
        <mark className="rounded-sm bg-danger px-0.5 text-danger-ink">{expression.slice(start, end) || ' '}</mark>
        {expression.slice(end)}
      </p>
    </div>
  )
}

/** How the service parses an expression being typed: its canonical form, or the fault and its position. */
function Parsed({ expression }: { expression: string }) {
  const settled = useSettled(expression)
  const { data, error } = useRead(
    'parseExpression',
    { expression: settled },
    { enabled: settled.trim() !== '', keepPrevious: true, staleTime: Number.POSITIVE_INFINITY },
  )
  if (settled.trim() === '' || expression.trim() === '') return null
  return (
    <div role="status" aria-live="polite">
      {error && <p className="text-sm text-danger-text">{error.message}</p>}
      {!error && data?.error && <Fault expression={settled} error={data.error} />}
      {!error && data?.ok && (
        <div className="flex flex-col gap-1.5 text-sm">
          <p className="flex items-start gap-2 text-accent-text">
            <Check aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
            <span>
              Read as <code className="font-mono text-[0.8125rem] break-words">{data.canonical}</code>
            </span>
          </p>
          {data.warnings.map((warning) => (
            <Notice key={warning} tone="warn">
              {warning}
            </Notice>
          ))}
          {data.terms.length > 0 && (
            <p className="flex flex-wrap items-center gap-1.5 text-[0.8125rem] text-muted">
              Terms that are looked up:{' '}
              {data.terms.map((term) => (
                <Badge key={term}>{term}</Badge>
              ))}
            </p>
          )}
        </div>
      )}
    </div>
  )
}

const ways = [
  { value: 'terms', label: 'Terms', text: 'A post must have one of them.' },
  { value: 'expression', label: 'Expression', text: 'Terms joined by AND, OR and NOT.' },
] as const

function Ways({ value, onValue }: { value: Draft['kind']; onValue: (kind: Draft['kind']) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">How to say what to look for</legend>
      {ways.map((way) => (
        <label
          key={way.value}
          className={cx(
            'flex min-w-48 flex-1 cursor-pointer items-start gap-2.5 rounded-lg border px-3 py-2 text-sm',
            value === way.value ? 'border-accent bg-accent-soft' : 'border-line hover:bg-sunken',
          )}
        >
          <input
            type="radio"
            name="way"
            className="mt-1 accent-(--accent)"
            checked={value === way.value}
            onChange={() => onValue(way.value)}
          />
          <span>
            <span className="font-medium">{way.label}</span>
            <span className="block text-[0.8125rem] text-muted">{way.text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** What a search looks for: terms or an expression; `bare` leaves out the name and that choice. */
export function LooksFor({ draft, onChange, bare = false }: PartProps & { bare?: boolean }) {
  return (
    <Card title="What to look for" stack>
      {!bare && <Ways value={draft.kind} onValue={(kind) => onChange({ kind })} />}
      <FormFields fields={subjectFields} form={draft} onChange={onChange} />
      {draft.kind === 'expression' && <Parsed expression={draft.expression} />}
      {!bare && <FormFields fields={[nameField]} form={draft} onChange={onChange} />}
    </Card>
  )
}

const askFor = async (username: string): Promise<string> => (await ask('resolveProfileUrn', { username })).entityUrn

/** A list of a filter. For people it accepts profile addresses and handles too, whose ids are looked up free of charge. */
function FilterField({ filter, draft, onChange }: PartProps & { filter: (typeof filters)[number] }) {
  const { name, label, hint, isPeople = false } = filter
  const [failed, setFailed] = useState<string | null>(null)
  const value = draft.targeting[name]
  const isLooking = draft.looking.includes(name)
  const set = (values: readonly string[]) =>
    onChange(({ targeting, looking }) => ({
      targeting: { ...targeting, [name]: values },
      looking: looking.filter((each) => each !== name),
    }))
  const change = async (next: readonly string[]) => {
    setFailed(null)
    const named = isPeople ? next.filter((text) => !value.includes(text) && readMemberId(text) === null) : []
    if (named.length === 0) return set(next)
    onChange(({ looking }) => ({ looking: [...looking, name] }))
    const lookedUp = await lookUpPeople(named, askFor)
    setFailed(complaintOf(lookedUp))
    set([...new Set(next.flatMap((text) => (named.includes(text) ? (lookedUp.ids.get(text) ?? []) : text)))])
  }
  return (
    <ListField
      label={label}
      hint={isLooking ? 'Looking the person up…' : hint}
      error={failed}
      optional
      max={bounds.targetingValues}
      value={value}
      busy={isLooking}
      onValue={(next) => void change(next)}
    />
  )
}

function Targeting({ draft, onChange }: PartProps) {
  const used = filters.filter(({ name }) => draft.targeting[name].length > 0).length
  // Stays open when the last value is removed, to keep the focus.
  const [startsOpen] = useState(used > 0)
  return (
    <Card title="Which posts count" stack>
      <div className="grid gap-4 sm:grid-cols-3">
        <FormFields fields={postFields} form={draft} onChange={onChange} />
      </div>
      <details open={startsOpen || undefined}>
        <summary className="w-fit rounded text-sm font-medium">
          Authors and mentions{used > 0 ? ` (${used} set)` : ''}
        </summary>
        <div className="mt-3 grid gap-4 lg:grid-cols-2">
          {filters.map((filter) => (
            <FilterField key={filter.name} filter={filter} draft={draft} onChange={onChange} />
          ))}
        </div>
      </details>
    </Card>
  )
}

function useStored(): ReadonlySet<string> | null {
  const { data } = useRead('getSettings', {})
  return data === undefined ? null : new Set(data.credentials.filter((each) => each.stored).map((each) => each.kind))
}

export function AiFilter({ draft, onChange }: PartProps) {
  const stored = useStored()
  const said = (vendor: string) => (stored?.has(vendor) ? 'key stored' : 'no key')
  const hasFilter = draft.aiProvider !== ''
  const isMissing = hasFilter && stored !== null && !stored.has(draft.aiProvider)
  return (
    <Card
      title="AI filter"
      text="Reads each post and keeps only those you describe, before anybody is captured and charged."
      actions={
        hasFilter &&
        stored !== null && (
          <Badge tone={isMissing ? 'warn' : 'good'}>{isMissing ? 'no key stored' : 'key stored'}</Badge>
        )
      }
      stack
    >
      <SelectField
        label="AI vendor"
        value={draft.aiProvider}
        onValue={(aiProvider) => onChange({ aiProvider, aiModel: '' })}
        choices={vendors.map(({ value, label }) => ({
          value,
          label: value === '' || stored === null ? label : `${label} (${said(value)})`,
        }))}
      />
      {isMissing && (
        <Notice
          tone="warn"
          action={
            <TextLink to="/settings" search={{ tab: 'credentials' }}>
              Store a key under Settings
            </TextLink>
          }
        >
          Until a key is stored, each run ends without keeping a post.
        </Notice>
      )}
      {hasFilter && <FormFields fields={aiFields} form={draft} onChange={onChange} />}
    </Card>
  )
}

export function SettingCards({ draft, onChange }: PartProps) {
  const card = (title: string, fields: readonly Field[]) => (
    <Card title={title}>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormFields fields={fields} form={draft} onChange={onChange} />
      </div>
    </Card>
  )
  return (
    <>
      <Targeting draft={draft} onChange={onChange} />
      {card('What to capture', captureFields)}
      <AiFilter draft={draft} onChange={onChange} />
      {card('When it runs', scheduleFields)}
    </>
  )
}
