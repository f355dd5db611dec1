import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import {
  Building2,
  Compass,
  Keyboard,
  LogOut,
  MonitorSmartphone,
  Moon,
  Plus,
  Radar,
  Search,
  Settings,
  Sun,
  User,
  Webhook,
  type LucideIcon,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useMe, useTeam } from '../api/me.ts'
import { useFound } from './find.ts'
import { settingsPlaces } from './found.ts'
import { signOut, switchTeam } from './leave.ts'
import { places } from './navigation.ts'
import { chooseTheme } from './theme.ts'

const line = 'flex cursor-default items-center gap-2.5 rounded-md px-3 py-2 text-sm data-[selected=true]:bg-sunken'

function Line({
  icon: Icon,
  label,
  words = '',
  value,
  aside,
  onSelect,
}: {
  readonly icon: LucideIcon
  readonly label: string
  readonly words?: string
  /** What it is told from others of the same name by. */
  readonly value?: string
  readonly aside?: string | null
  readonly onSelect: () => void
}): ReactNode {
  return (
    <Command.Item value={value ?? label} keywords={[label, ...words.split(' ')]} onSelect={onSelect} className={line}>
      <Icon aria-hidden="true" size={16} className="text-muted" />
      <span className="min-w-0 truncate">{label}</span>
      {aside && <span className="ml-auto min-w-0 max-w-[45%] truncate text-[0.8125rem] text-muted">{aside}</span>}
    </Command.Item>
  )
}

/** Goes anywhere and starts the usual things by typing a few letters. */
export default function Palette({
  open,
  onOpen,
  onKeys,
}: {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  readonly onKeys: () => void
}): ReactNode {
  const [typed, setTyped] = useState('')
  const found = useFound(typed)
  const navigate = useNavigate()
  const { teams } = useMe()
  const team = useTeam()
  const act = (action: () => unknown) => () => {
    onOpen(false)
    setTyped('')
    action()
  }
  return (
    <Dialog.Root open={open} onOpenChange={(next) => onOpen(next)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Popup className="fixed inset-x-4 top-[12dvh] z-40 mx-auto max-w-xl overflow-hidden rounded-xl border border-line bg-raised text-ink shadow-2xl outline-none">
          <Dialog.Title className="sr-only">Find something, go to a page or start something</Dialog.Title>
          <Command label="Pages and actions" loop>
            <div className="flex items-center gap-2 border-b border-line px-4">
              <Search aria-hidden="true" size={16} className="text-muted" />
              <Command.Input
                value={typed}
                onValueChange={setTyped}
                placeholder="Find a lead, a company, a source, a page, or start something…"
                className="h-12 flex-1 bg-transparent text-sm outline-none placeholder:text-muted"
              />
            </div>
            <Command.List className="max-h-[50dvh] overflow-y-auto p-1.5 **:[[cmdk-group-heading]]:px-3 **:[[cmdk-group-heading]]:py-1 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:text-muted">
              <Command.Empty className="px-3 py-6 text-center text-sm text-muted">
                Nothing is called that.
              </Command.Empty>
              {found.leads.length > 0 && (
                <Command.Group heading="Leads">
                  {found.leads.map((lead) => (
                    <Line
                      key={lead.id}
                      icon={User}
                      label={lead.name ?? 'Name not known yet'}
                      value={`lead ${lead.id}`}
                      words={found.text}
                      aside={[lead.jobTitle, lead.companyName].filter(Boolean).join(', ')}
                      onSelect={act(() => navigate({ to: '/leads', search: { lead: lead.id } }))}
                    />
                  ))}
                </Command.Group>
              )}
              {found.companies.length > 0 && (
                <Command.Group heading="Companies">
                  {found.companies.map((company) => (
                    <Line
                      key={company}
                      icon={Building2}
                      label={company}
                      value={`company ${company}`}
                      words={found.text}
                      aside="its leads"
                      onSelect={act(() => navigate({ to: '/leads', search: { company } }))}
                    />
                  ))}
                </Command.Group>
              )}
              {found.sources.length > 0 && (
                <Command.Group heading="Sources">
                  {found.sources.map((source) => (
                    <Line
                      key={source.id}
                      icon={source.type === 'keyword' ? Search : Radar}
                      label={source.label}
                      value={`source ${source.id}`}
                      words={found.text}
                      aside={source.status === 'inactive' ? 'stopped' : null}
                      onSelect={act(() => navigate({ to: '/sources/$id', params: { id: source.id } }))}
                    />
                  ))}
                </Command.Group>
              )}
              {found.runs.length > 0 && (
                <Command.Group heading="Discover runs">
                  {found.runs.map((run) => (
                    <Line
                      key={run.id}
                      icon={Compass}
                      label={run.keywords.join(', ')}
                      value={`run ${run.id}`}
                      words={found.text}
                      onSelect={act(() => navigate({ to: '/discover/$id', params: { id: run.id } }))}
                    />
                  ))}
                </Command.Group>
              )}
              {found.delivery !== null && (
                <Command.Group heading="By id">
                  <Line
                    icon={Webhook}
                    label={`Delivery ${found.delivery}`}
                    words={found.text}
                    onSelect={act(() =>
                      navigate({ to: '/webhooks', search: { tab: 'log', delivery: found.delivery! } }),
                    )}
                  />
                  <Line
                    icon={User}
                    label={`Lead ${found.delivery}`}
                    words={found.text}
                    onSelect={act(() => navigate({ to: '/leads', search: { lead: found.delivery! } }))}
                  />
                </Command.Group>
              )}
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
              <Command.Group heading="Actions">
                {team.can('member') && found.text !== '' && (
                  <Line
                    icon={Plus}
                    label={`Track “${found.text}”`}
                    words={found.text}
                    onSelect={act(() => navigate({ to: '/sources', search: { track: true, lines: found.text } }))}
                  />
                )}
                {team.can('member') && (
                  <Line
                    icon={Plus}
                    label="Track a new source"
                    words="add profile company post url"
                    onSelect={act(() => navigate({ to: '/sources', search: { track: true } }))}
                  />
                )}
                {team.can('member') && (
                  <Line
                    icon={Plus}
                    label="New keyword search"
                    words="add terms"
                    onSelect={act(() => navigate({ to: '/keyword/new' }))}
                  />
                )}
                {team.can('owner') && (
                  <Line
                    icon={Plus}
                    label="Make an API key"
                    words="developer token"
                    onSelect={act(() => navigate({ to: '/settings', search: { tab: 'keys' } }))}
                  />
                )}
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
              {teams.length > 1 && (
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
              )}
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
