import { Link, useNavigate } from '@tanstack/react-router'
import {
  ChevronsUpDown,
  CircleUser,
  FlaskConical,
  LogOut,
  Monitor,
  MonitorSmartphone,
  Moon,
  Plus,
  Sun,
  Gauge,
} from 'lucide-react'
import { teamStates } from '@les/contract'
import { useMe, useTeam } from '../api/me.ts'
import type { LiveState } from '../api/events.ts'
import { planName, timeZone } from '../ui/format.ts'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import { Explained } from '../ui/text.tsx'
import { toast } from '../ui/toast.tsx'
import { places } from './navigation.ts'
import { openSampleTeam, signOut, switchTeam } from './leave.ts'
import { chooseTheme, themes, useTheme } from './theme.ts'

const markClass =
  'flex size-7 shrink-0 items-center justify-center rounded-md bg-accent text-xs font-bold text-accent-ink'
const rowClass =
  'flex w-full items-center gap-2.5 rounded-md px-2.5 py-2 text-sm text-ink hover:bg-sunken text-left pointer-coarse:min-h-11'

function TeamSwitcher() {
  const navigate = useNavigate()
  const { teams } = useMe()
  const team = useTeam()
  const entries: MenuEntry[] = [
    { heading: 'Teams' },
    ...teams.map((each) => ({
      label: each.name,
      checked: each.id === team.id,
      onSelect: () => each.id !== team.id && switchTeam(each.id),
    })),
    'separator',
    {
      label: 'Look around in a sample team',
      icon: FlaskConical,
      checked: team.isSample,
      onSelect: () => void openSampleTeam().catch(() => toast.bad('The sample team did not open', 'Try again.')),
    },
    { label: 'New team', icon: Plus, onSelect: () => void navigate({ to: '/new-team' }) },
  ]
  return (
    <Menu
      align="start"
      entries={entries}
      trigger={
        <button type="button" className={rowClass}>
          <span className="sr-only">Switch team. Now: </span>
          <span aria-hidden="true" className={markClass}>
            {[...team.name][0]?.toUpperCase()}
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{team.name}</span>
            <span className="block truncate text-xs text-muted">
              {team.isSample
                ? 'Made-up data'
                : team.status === 'active'
                  ? planName(team.plan)
                  : teamStates[team.status].text}{' '}
              · {team.role}
            </span>
          </span>
          <ChevronsUpDown aria-hidden="true" size={16} className="shrink-0 text-muted" />
        </button>
      }
    />
  )
}

const themeIcons = { light: Sun, dark: Moon, system: Monitor }
const themeWords = { light: 'Light', dark: 'Dark', system: 'Like the system' }

function UserMenu() {
  const navigate = useNavigate()
  const { user } = useMe()
  const theme = useTheme()
  const entries: MenuEntry[] = [
    {
      label: 'Your sessions',
      icon: MonitorSmartphone,
      onSelect: () => void navigate({ to: '/settings', search: { tab: 'sessions' } }),
    },
    'separator',
    { heading: 'Theme' },
    ...themes.map((each) => ({
      label: themeWords[each],
      icon: themeIcons[each],
      checked: each === theme,
      onSelect: () => chooseTheme(each),
    })),
    'separator',
    { label: 'Sign out', icon: LogOut, onSelect: () => void signOut() },
  ]
  return (
    <Menu
      align="start"
      entries={entries}
      trigger={
        <button type="button" className={rowClass}>
          <span className="sr-only">Account: </span>
          <CircleUser aria-hidden="true" size={20} className="shrink-0 text-muted" />
          <span className="min-w-0 flex-1">
            <span className="block truncate">{user.name}</span>
            <span className="block truncate text-xs text-muted">{user.email}</span>
          </span>
        </button>
      }
    />
  )
}

function PageLinks({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const { operator } = useMe()
  const link = {
    ...(onNavigate ? { onClick: onNavigate } : {}),
    className: `${rowClass} no-underline`,
    activeProps: { className: 'bg-accent-soft! text-accent-text! font-semibold', 'aria-current': 'page' as const },
  }
  return (
    <ul className="flex flex-col gap-0.5">
      {places.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link to={to} {...link}>
            <Icon aria-hidden="true" size={18} className="shrink-0" />
            {label}
          </Link>
        </li>
      ))}
      {operator && (
        <li>
          <Link to="/operations" {...link}>
            <Gauge aria-hidden="true" size={18} className="shrink-0" />
            Operations
          </Link>
        </li>
      )}
    </ul>
  )
}

const liveWords: Record<LiveState, string> = { connecting: 'Connecting', live: 'Live', waiting: 'Reconnecting' }

/** The navigation: team, pages, account, and the state of live updates. */
export function Sidebar({ live, onNavigate }: { live: LiveState; onNavigate?: () => void }) {
  return (
    <div className="flex h-full flex-col gap-3 p-3">
      <TeamSwitcher />
      <nav aria-label="Pages of the dashboard" className="flex-1 overflow-y-auto">
        <PageLinks onNavigate={onNavigate} />
      </nav>
      <div className="flex flex-col gap-1 border-t border-line pt-2">
        <p className="flex items-center gap-2 px-2.5 text-xs text-muted">
          <span
            aria-hidden="true"
            className={`size-2 rounded-full ${live === 'live' ? 'bg-accent' : 'bg-line-strong'}`}
          />
          <span role="status">{liveWords[live]}</span>
          <Explained className="ml-auto truncate" words="Times are shown in this time zone">
            {timeZone}
          </Explained>
        </p>
        <UserMenu />
      </div>
    </div>
  )
}
