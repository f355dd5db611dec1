import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { LogOut, MonitorSmartphone, Moon, Plus, Search, Sun, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMe, useTeam } from '../api/me.ts'
import { signOut, switchTeam } from './leave.ts'
import { places } from './navigation.ts'
import { chooseTheme } from './theme.ts'

const line = 'flex cursor-default items-center gap-2.5 rounded-md px-3 py-2 text-sm data-[selected=true]:bg-sunken'

function Line({
  icon: Icon,
  label,
  words = '',
  onSelect,
}: {
  readonly icon: LucideIcon
  readonly label: string
  readonly words?: string
  readonly onSelect: () => void
}): ReactNode {
  return (
    <Command.Item value={label} keywords={words.split(' ')} onSelect={onSelect} className={line}>
      <Icon aria-hidden="true" size={16} className="text-muted" />
      {label}
    </Command.Item>
  )
}

/** Goes anywhere and starts the usual things by typing a few letters. */
export default function Palette({
  open,
  onOpen,
}: {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}): ReactNode {
  const navigate = useNavigate()
  const { teams } = useMe()
  const team = useTeam()
  const act = (action: () => unknown) => () => {
    onOpen(false)
    action()
  }
  return (
    <Dialog.Root open={open} onOpenChange={(next) => onOpen(next)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Popup className="fixed inset-x-4 top-[12dvh] z-40 mx-auto max-w-xl overflow-hidden rounded-xl border border-line bg-raised text-ink shadow-2xl outline-none">
          <Dialog.Title className="sr-only">Go to a page or start something</Dialog.Title>
          <Command label="Pages and actions" loop>
            <div className="flex items-center gap-2 border-b border-line px-4">
              <Search aria-hidden="true" size={16} className="text-muted" />
              <Command.Input
                placeholder="Go to a page, or start something…"
                className="h-12 flex-1 bg-transparent text-sm outline-none placeholder:text-muted"
              />
            </div>
            <Command.List className="max-h-[50dvh] overflow-y-auto p-1.5 **:[[cmdk-group-heading]]:px-3 **:[[cmdk-group-heading]]:py-1 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:text-muted">
              <Command.Empty className="px-3 py-6 text-center text-sm text-muted">
                Nothing is called that.
              </Command.Empty>
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
              <Command.Group heading="Actions">
                {team.can('member') && (
                  <Line
                    icon={Plus}
                    label="Track a new source"
                    words="add profile company post url"
                    onSelect={act(() => navigate({ to: '/sources', search: { track: true } as never }))}
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
                    onSelect={act(() => navigate({ to: '/settings', search: { tab: 'keys' } as never }))}
                  />
                )}
                <Line
                  icon={MonitorSmartphone}
                  label="Your sessions"
                  words="devices revoke"
                  onSelect={act(() => navigate({ to: '/settings', search: { tab: 'sessions' } as never }))}
                />
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
