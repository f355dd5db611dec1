import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Keyboard, LogOut, MonitorSmartphone, Moon, Plus, Search, Settings, Sun } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useMe, useTeam } from '../api/me.ts'
import { cx } from '../ui/index.ts'
import { Found, Line, useFound, type Act } from './palette-found.tsx'
import { argumentOf, fitOf, settingsPlaces } from './found.ts'
import { signOut, switchTeam } from './leave.ts'
import { places } from './navigation.ts'
import { chooseTheme } from './theme.ts'

function Places({ act }: { act: Act }) {
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

function TypedActs({ typed, act, can }: ActsProps & { typed: string }) {
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

function RoleActs({ act, can }: ActsProps) {
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
function Acts({ text, act, onKeys }: { text: string; act: Act; onKeys: () => void }) {
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

function OtherTeams({ act }: { act: Act }) {
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

/** The first line of what was found by the text that is asked about, as it is named in the palette; deliveries are of its leads. */
function firstOf({ text, leads, companies, sources, runs }: ReturnType<typeof useFound>): string | null {
  const lead = leads.by === text ? leads.rows[0] : undefined
  const company = companies.by === text ? companies.rows[0] : undefined
  return (
    (lead && `lead ${lead.id}`) ??
    (company && `company ${company}`) ??
    (sources[0] && `source ${sources[0].id}`) ??
    (runs[0] && `run ${runs[0].id}`) ??
    null
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

function useTyped() {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState('')
  const [moved, setMoved] = useState(false)
  const found = useFound(typed)
  const first = firstOf(found)
  // What is found comes later than what fits at once; Enter goes to the first line that is shown.
  useEffect(() => {
    if (first !== null && !moved) setChosen(first)
  }, [first, moved])
  return {
    ...{ typed, chosen, setChosen, found },
    move: () => setMoved(true),
    type: (text: string) => {
      setTyped(text)
      setMoved(false)
    },
  }
}

export default function Palette({
  open,
  onOpen,
  onKeys,
}: {
  open: boolean
  onOpen: (open: boolean) => void
  onKeys: () => void
}) {
  const { typed, type, chosen, setChosen, found, move } = useTyped()
  const act: Act = (action) => () => {
    onOpen(false)
    type('')
    action()
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
            filter={(value, text, beside) => fitOf(text, value, beside)}
            value={chosen}
            onValueChange={setChosen}
            onKeyDown={({ key }) => /^(?:Arrow|Home|End)/.test(key) && move()}
            onPointerMove={move}
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
              <Command.Empty className="px-3 py-6 text-center text-sm text-muted">
                Nothing is called that.
              </Command.Empty>
              <Found found={found} act={act} />
              <Places act={act} />
              <Acts text={typed.trim()} act={act} onKeys={onKeys} />
              <OtherTeams act={act} />
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
