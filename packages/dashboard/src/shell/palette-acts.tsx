import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Keyboard, LogOut, MonitorSmartphone, Moon, Plus, Search, Settings, Sun } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMe, useTeam } from '../api/me.ts'
import { argumentOf, settingsPlaces } from './found.ts'
import { signOut, switchTeam } from './leave.ts'
import { places } from './navigation.ts'
import { Line, type Act } from './palette-line.tsx'
import { chooseTheme } from './theme.ts'

/** Every page, and the tabs of the settings. */
export function Places({ act }: { readonly act: Act }): ReactNode {
  const navigate = useNavigate()
  return (
    <>
      <Command.Group heading="Pages">
        {places.map((place) => (
          <Line
            key={place.to}
            icon={place.icon}
            label={place.label}
            words={place.words}
            onSelect={act(() => navigate({ to: place.to }))}
          />
        ))}
      </Command.Group>
      <Command.Group heading="Settings">
        {settingsPlaces.map(({ tab, label }) => (
          <Line
            key={tab}
            icon={Settings}
            label={label}
            words="settings"
            onSelect={act(() => navigate({ to: '/settings', search: { tab } }))}
          />
        ))}
      </Command.Group>
    </>
  )
}

type ActsProps = { readonly act: Act; readonly can: ReturnType<typeof useTeam>['can'] }

/** What can be done with what was typed. */
function TypedActs({ typed, act, can }: ActsProps & { readonly typed: string }): ReactNode {
  const navigate = useNavigate()
  const text = argumentOf(typed)
  if (text === '') return null
  return (
    <>
      {can('member') && (
        <>
          <Line
            icon={Plus}
            label={`Track “${text}”`}
            words={typed}
            onSelect={act(() => navigate({ to: '/sources', search: { track: true, lines: text } }))}
          />
          <Line
            icon={Plus}
            label={`Search posts for “${text}” every day`}
            words={typed}
            onSelect={act(() => navigate({ to: '/keyword/new', search: { terms: text } }))}
          />
        </>
      )}
      <Line
        icon={Search}
        label={`Leads whose title has “${text}”`}
        words={typed}
        onSelect={act(() => navigate({ to: '/leads', search: { jobTitle: text } }))}
      />
    </>
  )
}

/** What members and owners begin. */
function RoleActs({ act, can }: ActsProps): ReactNode {
  const navigate = useNavigate()
  return (
    <>
      {can('member') && (
        <>
          <Line
            icon={Plus}
            label="Track a new source"
            words="add profile company post url"
            onSelect={act(() => navigate({ to: '/sources', search: { track: true } }))}
          />
          <Line
            icon={Plus}
            label="New keyword search"
            words="add terms"
            onSelect={act(() => navigate({ to: '/keyword/new' }))}
          />
        </>
      )}
      {can('owner') && (
        <>
          <Line
            icon={Plus}
            label="Invite a colleague"
            words="member invitation mail"
            onSelect={act(() => navigate({ to: '/settings', search: { tab: 'members', add: true } }))}
          />
          <Line
            icon={Plus}
            label="Make an API key"
            words="developer token"
            onSelect={act(() => navigate({ to: '/settings', search: { tab: 'keys', add: true } }))}
          />
        </>
      )}
    </>
  )
}

/** The usual things to start, as far as one's role goes; `text` is what was typed. */
export function Acts({
  text,
  act,
  onKeys,
}: {
  readonly text: string
  readonly act: Act
  readonly onKeys: () => void
}): ReactNode {
  const navigate = useNavigate()
  const { can } = useTeam()
  return (
    <Command.Group heading="Actions">
      {/* Each text has lines of its own: the list notices lines that come, not what changes in one. */}
      <TypedActs key={text} typed={text} act={act} can={can} />
      <RoleActs act={act} can={can} />
      <Line
        icon={MonitorSmartphone}
        label="Your sessions"
        words="devices revoke"
        onSelect={act(() => navigate({ to: '/settings', search: { tab: 'sessions' } }))}
      />
      <Line icon={Keyboard} label="Keys" words="shortcuts help" onSelect={act(onKeys)} />
      <Line icon={Sun} label="Light theme" words="appearance" onSelect={act(() => chooseTheme('light'))} />
      <Line icon={Moon} label="Dark theme" words="appearance" onSelect={act(() => chooseTheme('dark'))} />
      <Line icon={LogOut} label="Sign out" words="log out leave" onSelect={act(() => signOut())} />
    </Command.Group>
  )
}

/** One's other teams. */
export function OtherTeams({ act }: { readonly act: Act }): ReactNode {
  const { teams } = useMe()
  const team = useTeam()
  if (teams.length < 2) return null
  return (
    <Command.Group heading="Teams">
      {teams
        .filter((each) => each.id !== team.id)
        .map((each) => (
          <Line
            key={each.id}
            icon={Search}
            label={`Switch to ${each.name}`}
            onSelect={act(() => switchTeam(each.id))}
          />
        ))}
    </Command.Group>
  )
}
