import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { useRead, useReadPages, type ResultOf } from '../../api/index.ts'
import { Button } from '../../ui/button.tsx'
import { column, TwoLines, type Column } from '../../ui/columns.tsx'
import { DetailDrawer } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { choicesOf } from '../../ui/form.tsx'
import { count } from '../../ui/format.ts'
import { PrimaryLink } from '../../ui/link.tsx'
import { ListCard, ListFilters } from '../../ui/list-card.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Badge, Facts, Section } from '../../ui/show.tsx'
import { CodeBlock, TimeAgo } from '../../ui/text.tsx'
import { useAddress, type Address } from '../../app/address.ts'
import { compact } from '../../app/search.ts'
import type { callStatuses } from '../../app/searches.ts'

type Call = ResultOf<'listRequests'>['requests'][number]

const wayIn: Readonly<Record<Call['surface'], string>> = { api: 'API', mcp: 'agent tools' }

const toneOf = (status: number): 'good' | 'warn' | 'bad' => (status < 300 ? 'good' : status < 500 ? 'warn' : 'bad')

type Detail = ResultOf<'getRequest'>

function Shown({ request, body, curl, les }: Detail) {
  return (
    <div className="flex flex-col gap-5">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={toneOf(request.status)}>{request.status}</Badge>
        {request.code && <code className="font-mono text-xs">{request.code}</code>}
        <span className="font-mono text-xs break-all">
          {request.method} {request.path}
        </span>
      </p>
      <Facts
        facts={[
          ['Operation', request.operation ?? 'no such endpoint'],
          ['By', request.caller.name],
          ['Through', wayIn[request.surface]],
          ['When', <TimeAgo key="at" at={request.at} />],
          ['Took', `${count(request.durationMs)} ms`],
          [
            'Request id',
            <code key="id" className="font-mono text-xs break-all">
              {request.requestId}
            </code>,
          ],
        ]}
      />
      {request.standsFor > 1 && (
        <p className="text-sm text-muted">
          Stands for {count(request.standsFor)} such calls: above a certain rate, reads are sampled.
        </p>
      )}
      {body && (
        <Section title="What was sent">
          <CodeBlock
            label="Without secrets, long texts shortened"
            code={JSON.stringify(body, null, 2)}
            maxHeight={320}
          />
        </Section>
      )}
      <Section title="Make it again">
        <CodeBlock label="As curl" code={curl} maxHeight={240} />
        <CodeBlock label="As les" code={les} maxHeight={240} />
      </Section>
    </div>
  )
}

const columnsOf = (onOpen: (call: Call) => void): readonly Column<Call>[] => [
  column('When', (call) => <TimeAgo at={call.at} />),
  column('Call', { phone: 'whole' }, (call) => (
    <div className="max-w-96 min-w-40">
      <button
        type="button"
        className="rounded text-start font-medium text-ink underline-offset-2 hover:underline"
        onClick={() => onOpen(call)}
      >
        {call.operation ?? 'No such endpoint'}
      </button>
      <p className="font-mono text-xs break-all text-muted">
        {call.method} {call.path}
      </p>
    </div>
  )),
  column('Answer', (call) => (
    <div className="flex flex-wrap items-center gap-1.5">
      <Badge tone={toneOf(call.status)}>{call.status}</Badge>
      {call.code && <span className="font-mono text-xs">{call.code}</span>}
    </div>
  )),
  column('Took', { align: 'end' }, (call) => `${count(call.durationMs)} ms`),
  column('By', (call) => <TwoLines plain first={call.caller.name} second={wayIn[call.surface]} />),
]

const answers: Readonly<Record<(typeof callStatuses)[number], string>> = {
  '2xx': 'Done (2xx)',
  '4xx': 'Refused (4xx)',
  '5xx': 'Failed (5xx)',
}

const filters = [
  { name: 'status', label: 'Answer', any: 'Any', choices: choicesOf(answers) },
  { name: 'surface', label: 'Through', any: 'Any', choices: choicesOf(wayIn) },
] as const

function FindById({ address: { search, change } }: { address: Address<'/signed-in/team/requests'> }) {
  const [asked, setAsked] = useState(search.requestId ?? '')
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        change({ requestId: asked.trim() === '' ? undefined : asked.trim() })
      }}
    >
      <TextField label="Request id" value={asked} onValue={setAsked} maxLength={128} />
      <Button type="submit">Find</Button>
    </form>
  )
}

export function Page() {
  const address = useAddress('/signed-in/team/requests')
  const { change } = address
  const { call: open, ...given } = address.search
  const query = useReadPages('listRequests', { ...compact(given), limit: '50' })
  const detail = useRead('getRequest', { id: open ?? '' }, { enabled: open !== undefined })
  return (
    <PageFrame
      of="/requests"
      actions={
        <Button busy={query.isRefetching} onClick={() => void query.refetch()}>
          Refresh
        </Button>
      }
    >
      <ListCard
        query={query}
        more="Show older calls"
        label="API calls"
        columns={columnsOf((call) => change({ call: call.id }))}
        rows={query.data?.pages.flatMap((page) => page.requests) ?? []}
        empty={{
          icon: ScrollText,
          title: 'No calls',
          text: 'Calls with an API key or by an agent tool are listed here within a second.',
          action: (
            <PrimaryLink to="/settings" search={{ tab: 'keys' }}>
              API keys
            </PrimaryLink>
          ),
        }}
      >
        <ListFilters address={address} filters={filters}>
          <FindById address={address} />
        </ListFilters>
      </ListCard>
      <DetailDrawer
        open={open !== undefined}
        onClose={() => change({ call: undefined })}
        title="Call"
        text="What was asked, and how it was answered."
        query={detail}
      >
        {(shown) => <Shown {...shown} />}
      </DetailDrawer>
    </PageFrame>
  )
}
