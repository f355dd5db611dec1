import { useParams } from '@tanstack/react-router'
import { useAddress } from '../../app/address.ts'
import type { sourceTabs } from '../../app/searches.ts'
import { useRead } from '../../api/index.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { BackLink, PrimaryLink } from '../../ui/link.tsx'
import { PageFrame, Tabs, type Tab } from '../../ui/page.tsx'
import { Loaded } from '../../ui/show.tsx'
import { SafeLink } from '../../ui/text.tsx'
import { Face, Kind, sourceAddress } from '../sources/parts.tsx'
import { Actions, Header, LiveSync, OfSearch } from './header.tsx'
import { CriteriaEditor } from './criteria.tsx'
import { OutreachRule, SettingsForm } from './settings-form.tsx'
import { Posts, RawLeads, Runs } from './runs.tsx'
import type { Health } from './source.ts'
import { Webhook } from './webhook.tsx'

const Coverage = lazyPart(() => import('./coverage.tsx').then((module) => module.Coverage))

const back = <BackLink to="/sources">Sources</BackLink>

function Source({ source }: { source: Health }) {
  const { value: tab, onValue } = useAddress('/signed-in/team/sources/$id').tabs('runs')
  const isSearch = source.type === 'keyword'
  // Raw leads are never judged, delivered or sent; a source that stores only posts has no people.
  const hasLeads = (!source.raw && source.mode === 'engagers') || source.leads > 0
  const tabs: readonly (Tab<(typeof sourceTabs)[number]> | false)[] = [
    {
      value: 'runs',
      label: 'Runs',
      content: (
        <div className="flex flex-col gap-4">
          {isSearch && <OfSearch source={source} part="last-run" quiet />}
          <Runs source={source} />
        </div>
      ),
    },
    {
      value: 'settings',
      label: 'Settings',
      content: isSearch ? <OfSearch source={source} part="settings" /> : <SettingsForm source={source} />,
    },
    hasLeads && { value: 'fit', label: 'Who fits', content: <CriteriaEditor source={source} /> },
    { value: 'webhook', label: 'Webhook', content: <Webhook source={source} /> },
    hasLeads && { value: 'outreach', label: 'Outreach', content: <OutreachRule source={source} /> },
    isSearch && { value: 'posts', label: 'Posts', content: <OfSearch source={source} part="posts" /> },
    isSearch && { value: 'try', label: 'Try changes', content: <OfSearch source={source} part="try" /> },
    // For people and companies, only a source that stores posts keeps a list of them.
    !isSearch && source.mode === 'posts_only' && { value: 'posts', label: 'Posts', content: <Posts source={source} /> },
    source.mode === 'engagers' && { value: 'coverage', label: 'Coverage', content: <Coverage source={source} /> },
    (source.raw || source.rawLeads > 0) && { value: 'raw', label: 'Raw leads', content: <RawLeads source={source} /> },
  ]
  return (
    <>
      <Header source={source} />
      <LiveSync source={source} />
      <Tabs
        label="About this source"
        value={tabs.some((each) => each && each.value === tab) ? tab : 'runs'}
        onValue={onValue}
        tabs={tabs}
      />
    </>
  )
}

export function Page() {
  const { id } = useParams({ from: '/signed-in/team/sources/$id' })
  const query = useRead('getSourceHealth', { id }, { refetchInterval: 60_000 })
  const source = query.data?.source
  if (source === undefined)
    return (
      <PageFrame title="Source" back={back}>
        <Loaded
          query={query}
          lines={6}
          gone={{
            title: 'There is no such source',
            text: 'It may belong to another team.',
            action: <PrimaryLink to="/sources">All sources</PrimaryLink>,
          }}
        >
          {() => null}
        </Loaded>
      </PageFrame>
    )
  const address = sourceAddress(source)
  return (
    <PageFrame
      title={source.label}
      face={<Face source={source} />}
      back={back}
      text={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Kind kind={source.type} />
          {source.name !== null && source.name !== source.username && <span>{source.username}</span>}
          {address && <SafeLink href={address}>Open on the network</SafeLink>}
        </span>
      }
      actions={<Actions source={source} />}
    >
      <Source source={source} />
    </PageFrame>
  )
}
