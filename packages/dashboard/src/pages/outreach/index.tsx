import { Plug, PlugZap, Send } from 'lucide-react'
import { hasCode, useRead, useTeam, type ResultOf } from '../../api/index.ts'
import { Button } from '../../ui/button.tsx'
import { column, countColumn, TwoLines, whenColumn, type Column } from '../../ui/columns.tsx'
import { ActButton } from '../../ui/form.tsx'
import { count } from '../../ui/format.ts'
import { LinkButton, PrimaryLink, TextLink } from '../../ui/link.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { PageFrame, Tabs } from '../../ui/page.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { Badge, Card, EmptyState, Loaded } from '../../ui/show.tsx'
import { CopyField, Explained, TimeAgo } from '../../ui/text.tsx'
import { useAddress } from '../../app/address.ts'
import { toKeySettings } from '../../sends/index.ts'
import { Rules } from './rules.tsx'
import { campaignState, closedWords, type Campaign } from './words.ts'

/** The address to which the platform posts results; it contains a secret. */
function ResultsAddress({ address }: { address: string }) {
  return (
    <div className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
      <CopyField
        label="Address for results"
        value={address}
        hint={
          <>
            HeyReach: Integrations, Webhooks, Create webhook; paste it for every event. Replies then count at once under{' '}
            <TextLink to="/results">Results</TextLink>; without it they are looked up from time to time.
          </>
        }
      />
      <div>
        <ActButton
          size="sm"
          does="rotateResultsSecret"
          input={{}}
          done="A new address: paste it into HeyReach"
          asks={{
            title: 'Make a new address?',
            text: 'The current one stops working at once. Until you paste the new one, results are looked up from time to time.',
            confirm: 'Make a new address',
          }}
        >
          Replace the address
        </ActButton>
      </div>
    </div>
  )
}

function Connection({ connection }: { connection: ResultOf<'getOutreach'> }) {
  const { connected, connectedAt, keyRejected } = connection
  const { can } = useTeam()
  const isGood = connected && !keyRejected
  const Icon = isGood ? PlugZap : Plug
  const text = keyRejected
    ? 'The platform refused the stored key: nothing is sent until an owner stores a valid one.'
    : connected
      ? 'Leads can be sent to its campaigns, by rules or by hand from the list of leads.'
      : 'Store the key of your outreach platform, then send leads to its campaigns by rules or by hand. Once stored, the key is never shown again.'
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="flex min-w-0 items-start gap-3">
          <Icon aria-hidden="true" size={20} className="mt-0.5 shrink-0 text-muted" />
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-2 text-sm font-semibold">
              Outreach platform{' '}
              <Badge tone={keyRejected ? 'bad' : connected ? 'good' : 'neutral'}>
                {keyRejected ? 'Key refused' : connected ? 'Connected' : 'Not connected'}
              </Badge>
              {connected && connectedAt && (
                <span className="font-normal text-muted">
                  <TimeAgo at={connectedAt} />
                </span>
              )}
            </p>
            <p className="max-w-2xl text-sm text-muted">{text}</p>
          </div>
        </div>
        <LinkButton to="/settings" search={{ tab: 'credentials' }} variant={isGood ? 'secondary' : 'primary'}>
          {!can('owner') ? 'Where the key is kept' : connected ? 'Change the key' : 'Store the key'}
        </LinkButton>
      </div>
      {connection.resultsUrl !== null && <ResultsAddress address={connection.resultsUrl} />}
    </Card>
  )
}

const nameColumn = <T,>(nameOf: (row: T) => string, idOf: (row: T) => string): Column<T> =>
  column('Campaign', { sortBy: (row) => nameOf(row).toLowerCase() }, (row) => (
    <TwoLines first={nameOf(row)} second={idOf(row)} mono />
  ))

const columns: readonly Column<Campaign>[] = [
  nameColumn(
    ({ name }) => name,
    ({ id }) => id,
  ),
  column('State', (campaign) => (
    <Badge tone={campaign.status === 'IN_PROGRESS' ? 'good' : campaign.status === 'DRAFT' ? 'neutral' : 'info'}>
      {campaignState(campaign.status)}
    </Badge>
  )),
  column('Senders', { align: 'end' }, (campaign) => count(campaign.accountIds.length)),
  column('Takes leads', (campaign) => (campaign.canTakeLeads ? 'Yes' : `No: ${closedWords(campaign)}`)),
]

function Campaigns({ connected }: { connected: boolean }) {
  const query = useRead('listCampaigns', {}, { staleTime: 30_000, enabled: connected })
  const reload = (
    <Button
      size="sm"
      busy={query.isFetching}
      reason={!connected && 'Store the key of the platform under Settings first.'}
      onClick={() => void query.refetch()}
    >
      Read again
    </Button>
  )
  return (
    <Card title="Campaigns" text="As they are on the platform now, without those that are over." actions={reload} flush>
      {!connected || hasCode(query.error, 'not_connected') ? (
        <EmptyState
          title="Not connected"
          text="Once the key of the platform is stored under Settings, its campaigns are listed here."
          action={toKeySettings}
        />
      ) : (
        <RecordList
          query={query}
          label="Campaigns"
          columns={columns}
          rows={query.data?.campaigns ?? []}
          empty={{
            title: 'No campaign is running or planned',
            text: 'Make one on the outreach platform, with at least one sender.',
          }}
        />
      )}
    </Card>
  )
}

type Result = ResultOf<'listOutreachResults'>['campaigns'][number]

const resultColumns: readonly Column<Result>[] = [
  nameColumn(
    ({ name }) => name ?? 'Name unknown',
    ({ campaignId }) => campaignId,
  ),
  countColumn('Sent', (result) => result.sent),
  countColumn('Waiting', (result) => result.waiting),
  column('Refused', { align: 'end' }, (result) => (
    <Explained words="The platform did not take them">{count(result.refused)}</Explained>
  )),
  column('Being looked up', { align: 'end' }, (result) => (
    <Explained words="Sent, but the platform did not answer: looked up before anybody is sent again">
      {count(result.unknown)}
    </Explained>
  )),
  whenColumn('Last sent', (result) => result.lastSentAt),
]

export function Page() {
  const { tabs } = useAddress('/signed-in/team/outreach')
  const connection = useRead('getOutreach', {})
  const results = useRead('listOutreachResults', {})
  return (
    <PageFrame of="/outreach">
      <Loaded query={connection} lines={2}>
        {(data) => <Connection connection={data} />}
      </Loaded>
      <Tabs
        label="Outreach"
        {...tabs('results')}
        tabs={[
          {
            value: 'results',
            label: 'Results',
            content: (
              <ListCard
                title="What was sent"
                text="People handed to the platform. Nobody is sent twice to the same campaign."
                query={results}
                label="Results by campaign"
                columns={resultColumns}
                rows={results.data?.campaigns ?? []}
                rowId={(result) => result.campaignId}
                empty={{
                  icon: Send,
                  title: 'Nobody was sent to a campaign yet',
                  text: 'Choose people in the list of leads and send them, or make a rule on a source that sends automatically.',
                  action: <PrimaryLink to="/leads">Choose leads</PrimaryLink>,
                }}
              />
            ),
          },
          {
            value: 'rules',
            label: 'Rules',
            content: (
              <Loaded query={results}>
                {(data) => <Rules listed={data.rules} owned={connection.data?.autoPush ?? []} />}
              </Loaded>
            ),
          },
          {
            value: 'campaigns',
            label: 'Campaigns',
            content: <Campaigns connected={connection.data?.connected ?? false} />,
          },
        ]}
      />
    </PageFrame>
  )
}
