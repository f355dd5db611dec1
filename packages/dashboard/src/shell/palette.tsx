import { Dialog } from '@base-ui/react/dialog'
import { useNavigate, type NavigateOptions } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Keyboard, LogOut, MonitorSmartphone, Moon, Plus, Search, Settings, Sun, type LucideIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useMe, useTeam } from '../api/me.ts'
import { cx } from '../ui/button.tsx'
import { useFound, type Group, type Line } from './palette-found.ts'
import { argumentOf, fitOf, settingsPlaces } from './found.ts'
import { signOut, switchTeam } from './leave.ts'
import { places } from './navigation.ts'
import { chooseTheme } from './theme.ts'

/** Pages and the usual actions that the role allows, some with the typed text as argument. */
function useUsual(typed: string, onKeys: () => void): readonly Group[] {
  const navigate = useNavigate()
  const { teams } = useMe()
  const team = useTeam()
  const text = argumentOf(typed)
  const forMembers = (lines: readonly Line[]) => (team.can('member') ? lines : [])
  const line = (icon: LucideIcon, label: string, run: Line['run'], words = ''): Line => ({ icon, label, run, words })
  const go = (place: NavigateOptions) => () => navigate(place)
  const own = typed.trim()
  const withText: readonly Line[] = [
    ...forMembers([
      line(Plus, `Track “${text}”`, go({ to: '/sources', search: { track: true, lines: text } }), own),
      line(Plus, `Search posts for “${text}” every day`, go({ to: '/keyword/new', search: { terms: text } }), own),
    ]),
    line(Search, `Leads whose title has “${text}”`, go({ to: '/leads', search: { jobTitle: text } }), own),
  ]
  const adding = (tab: 'members' | 'keys') => go({ to: '/settings', search: { tab, add: true } })
  const forOwners: readonly Line[] = [
    line(Plus, 'Invite a colleague', adding('members'), 'member invitation mail'),
    line(Plus, 'Make an API key', adding('keys'), 'developer token'),
  ]
  return [
    { heading: 'Pages', lines: places.map(({ to, icon, label, words }) => line(icon, label, go({ to }), words)) },
    {
      heading: 'Settings',
      lines: settingsPlaces.map(({ tab, label }) =>
        line(Settings, label, go({ to: '/settings', search: { tab } }), 'settings'),
      ),
    },
    {
      heading: 'Actions',
      lines: [
        ...(text === '' ? [] : withText),
        ...forMembers([
          line(
            Plus,
            'Track a new source',
            go({ to: '/sources', search: { track: true } }),
            'add profile company post url',
          ),
          line(Plus, 'New keyword search', go({ to: '/keyword/new' }), 'add terms'),
        ]),
        ...(team.can('owner') ? forOwners : []),
        line(
          MonitorSmartphone,
          'Your sessions',
          go({ to: '/settings', search: { tab: 'sessions' } }),
          'devices revoke',
        ),
        line(Keyboard, 'Keys', onKeys, 'shortcuts help'),
        line(Sun, 'Light theme', () => chooseTheme('light'), 'appearance'),
        line(Moon, 'Dark theme', () => chooseTheme('dark'), 'appearance'),
        line(LogOut, 'Sign out', signOut, 'log out leave'),
      ],
    },
    {
      heading: 'Teams',
      lines: teams
        .filter(({ id }) => id !== team.id)
        .map(({ id, name }) => ({ icon: Search, label: `Switch to ${name}`, run: () => switchTeam(id) })),
    },
  ]
}

type ItemProps = { line: Line; onRun: (run: Line['run']) => void }

function Item({ line: { icon: Icon, label, value = label, words = '', aside, run }, onRun }: ItemProps) {
  return (
    <Command.Item
      value={value}
      keywords={[label, ...words.split(' ')]}
      onSelect={() => onRun(run)}
      className="flex cursor-default items-center gap-2.5 rounded-md px-3 py-2 text-sm data-[selected=true]:bg-sunken"
    >
      <Icon aria-hidden="true" size={16} className="text-muted" />
      <span className="min-w-0 truncate">{label}</span>
      {aside && <span className="ml-auto min-w-0 max-w-[45%] truncate text-[0.8125rem] text-muted">{aside}</span>}
    </Command.Item>
  )
}

const windowClass = cx(
  'fixed inset-x-4 top-[12dvh] z-40 mx-auto max-w-xl overflow-hidden rounded-xl',
  'border border-line bg-raised text-ink shadow-2xl outline-none',
)
const listClass = cx(
  'max-h-[50dvh] overflow-y-auto p-1.5 **:[[cmdk-group-heading]]:px-3 **:[[cmdk-group-heading]]:py-1',
  '**:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:text-muted',
)

type PaletteProps = { open: boolean; onOpen: (open: boolean) => void; onKeys: () => void }

export default function Palette({ open, onOpen, onKeys }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState('')
  const [moved, setMoved] = useState(false)
  const found = useFound(typed)
  const usual = useUsual(typed, onKeys)
  // Results arrive later than the lines that match at once, and are shown above them; Enter then opens the first result.
  useEffect(() => {
    if (found.first !== undefined && !moved) setChosen(found.first)
  }, [found.first, moved])
  const type = (text: string) => {
    setTyped(text)
    setMoved(false)
  }
  const onRun = (run: Line['run']) => {
    onOpen(false)
    type('')
    run()
  }
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => onOpen(next)}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) type('')
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Popup className={windowClass}>
          <Dialog.Title className="sr-only">Find something, go to a page or start something</Dialog.Title>
          <Command
            label="Pages and actions"
            loop
            filter={(value, text, keywords) => fitOf(text, value, keywords)}
            value={chosen}
            onValueChange={setChosen}
            onKeyDown={({ key }) => /^(?:Arrow|Home|End)/.test(key) && setMoved(true)}
            onPointerMove={() => setMoved(true)}
          >
            <div className="flex items-center gap-2 border-b border-line px-4">
              <Search aria-hidden="true" size={16} className="text-muted" />
              <Command.Input
                value={typed}
                onValueChange={type}
                placeholder="Find a lead, a company, a source, a page, or start something…"
                className="h-12 flex-1 bg-transparent text-sm outline-none placeholder:text-muted"
              />
            </div>
            <Command.List className={listClass}>
              <Command.Empty className="px-3 py-6 text-center text-sm text-muted">Nothing has that name.</Command.Empty>
              {[...found.groups, ...usual]
                .filter(({ lines }) => lines.length > 0)
                .map(({ heading, lines }) => (
                  <Command.Group key={heading} heading={heading}>
                    {/* The list notices new lines, not changed ones; so a line found by another text needs another key. */}
                    {lines.map((line) => (
                      <Item key={`${line.value ?? line.label} ${line.words}`} line={line} onRun={onRun} />
                    ))}
                  </Command.Group>
                ))}
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
