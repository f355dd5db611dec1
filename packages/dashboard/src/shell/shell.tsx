import { cx, IconButton } from '../ui/button.tsx'
import { useMedia } from '../ui/windows.ts'
import { Dialog } from '@base-ui/react/dialog'
import { Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { onlineManager, useQuery } from '@tanstack/react-query'
import { Command as CommandIcon, Menu as MenuIcon, X } from 'lucide-react'
import {
  lazy,
  Suspense,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
  type RefObject,
} from 'react'
import { useEvents } from '../api/events.ts'
import { meQuery, useMe, useTeam } from '../api/me.ts'
import { SendTray } from '../sends/tray.tsx'
import { useKeptFocus } from './keep-focus.ts'
import { places } from './navigation.ts'
import { isTyping, useKeys, usePageKeys } from './page-keys.ts'
import { Outage } from './outage.tsx'
import { SampleNote } from './sample-note.tsx'
import { Sidebar } from './sidebar.tsx'

const Palette = lazy(() => import('./palette.tsx'))
const Keys = lazy(() => import('./keys.tsx'))

const listenOnline = (listener: () => void) => onlineManager.subscribe(listener)
const isOnline = () => onlineManager.isOnline()

/** Which helper is open: Ctrl K and / open the palette, ? the list of keys. */
function useHelpers() {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  const [isPaletteWanted, setPaletteWanted] = useState(false)
  useKeys((event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)
    const isCommandK =
      event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    if (!isCommandK && !(isPlain && (event.key === '?' || event.key === '/'))) return
    event.preventDefault()
    const wanted = event.key === '?' ? 'keys' : 'palette'
    setOpen((before) => (isCommandK && before === 'palette' ? null : wanted))
  })
  // Stays rendered once it was open, so that closing is animated.
  if (open === 'palette' && !isPaletteWanted) setPaletteWanted(true)
  return { open, setOpen, isPaletteWanted }
}

type TopBarProps = { onNavigation: () => void; onPalette: () => void; children?: ReactNode }

function TopBar({ onNavigation, onPalette, children }: TopBarProps) {
  const { sandbox } = useMe()
  const { pathname } = useLocation()
  const here = places.find((place) => pathname.startsWith(place.to))?.label
  return (
    <header className="sticky top-0 z-20 print:hidden flex h-12 items-center gap-2 border-b border-line bg-surface px-3 sm:px-6">
      <span className="md:hidden">
        <IconButton label="Open navigation" icon={MenuIcon} iconSize={20} onClick={onNavigation} />
      </span>
      <span className="truncate text-sm font-medium md:hidden">
        {here ?? (pathname === '/operations' && 'Operations')}
      </span>
      {sandbox && (
        <span
          className="rounded-full bg-info-soft px-2 py-0.5 text-xs font-medium text-info-text"
          title="People and posts come from a synthetic network: nobody here is real"
        >
          Sandbox
        </span>
      )}
      {children}
      <button
        type="button"
        onClick={onPalette}
        className={cx(
          'ml-auto flex h-8 shrink-0 pointer-coarse:h-11 pointer-coarse:min-w-11 items-center justify-center gap-2 rounded-md',
          'border border-line px-2.5 text-[0.8125rem] text-muted hover:bg-sunken hover:text-ink',
        )}
      >
        <CommandIcon aria-hidden="true" size={14} />
        <span className="max-sm:sr-only">Search or go to…</span>
        <kbd className="hidden font-mono text-xs sm:inline">Ctrl K</kbd>
      </button>
    </header>
  )
}

/** A new page starts at its top, with the focus in its content. */
function useArrival(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    main.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [pathname])
  return main
}

function Framed() {
  const team = useTeam()
  const live = useEvents(team.id)
  const online = useSyncExternalStore(listenOnline, isOnline)
  const [drawer, setDrawer] = useState(false)
  const { open, setOpen, isPaletteWanted } = useHelpers()
  const main = useArrival()
  const hasRoom = useMedia('(min-width: 1280px)')
  useKeptFocus()
  usePageKeys()
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 border-r border-line bg-surface md:block print:hidden!">
        <Sidebar live={live} />
      </aside>
      <Dialog.Root open={drawer} onOpenChange={(next) => setDrawer(next)}>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/45 md:hidden" />
          <Dialog.Popup
            className={cx(
              'fixed inset-y-0 left-0 z-40 w-72 max-w-[85vw] border-r border-line bg-surface text-ink shadow-xl',
              'outline-none md:hidden',
            )}
          >
            <Dialog.Title className="sr-only">Navigation</Dialog.Title>
            <div className="flex justify-end px-3 pt-3">
              <IconButton tip={false} label="Close navigation" icon={X} onClick={() => setDrawer(false)} />
            </div>
            <div className="h-[calc(100%-3rem)]">
              <Sidebar live={live} onNavigate={() => setDrawer(false)} />
            </div>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar onNavigation={() => setDrawer(true)} onPalette={() => setOpen('palette')}>
          {team.isSample && hasRoom && <SampleNote inBar />}
        </TopBar>
        {!online && (
          <p role="alert" className="bg-warn-soft px-6 py-2 text-sm text-warn-text">
            You are offline. What you see may be out of date; changes will fail until the connection is back.
          </p>
        )}
        {team.isSample && !hasRoom && <SampleNote inBar={false} />}
        {online && <Outage live={live} />}
        <main id="main" ref={main} tabIndex={-1} className="flex-1 outline-none">
          <Outlet />
        </main>
      </div>
      <SendTray />
      <Suspense fallback={null}>
        {isPaletteWanted && (
          <Palette
            open={open === 'palette'}
            onOpen={(isOpen) => setOpen((before) => (isOpen ? 'palette' : before === 'palette' ? null : before))}
            onKeys={() => setOpen('keys')}
          />
        )}
        {open === 'keys' && <Keys onClose={() => setOpen(null)} />}
      </Suspense>
    </div>
  )
}

function Ended() {
  const navigate = useNavigate()
  const router = useRouter()
  useEffect(() => {
    // Read once: an effect that follows the address would follow its own redirect.
    void navigate({ to: '/sign-in', search: { to: router.state.location.href }, replace: true })
  }, [navigate, router])
  return null
}

/** The frame around a team's pages; goes to the sign-in page when the session ends. */
export function Shell() {
  const { data: me } = useQuery(meQuery)
  return me === null ? <Ended /> : <Framed />
}
