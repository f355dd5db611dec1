import { Dialog } from '@base-ui/react/dialog'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { cx } from '../ui/index.ts'
import { useFound } from './find.ts'
import { fitOf } from './found.ts'
import { Acts, OtherTeams, Places } from './palette-acts.tsx'
import { Found } from './palette-found.tsx'
import type { Act } from './palette-line.tsx'

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

/** What is typed, what that finds, and which line Enter goes to. */
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

function TextField({ typed, onType }: { readonly typed: string; readonly onType: (text: string) => void }): ReactNode {
  return (
    <div className="flex items-center gap-2 border-b border-line px-4">
      <Search aria-hidden="true" size={16} className="text-muted" />
      <Command.Input
        value={typed}
        onValueChange={onType}
        placeholder="Find a lead, a company, a source, a page, or start something…"
        className="h-12 flex-1 bg-transparent text-sm outline-none placeholder:text-muted"
      />
    </div>
  )
}

/** What was found, where one can go and what one can start. */
function Lines({
  found,
  typed,
  act,
  onKeys,
}: {
  readonly found: ReturnType<typeof useFound>
  readonly typed: string
  readonly act: Act
  readonly onKeys: () => void
}): ReactNode {
  return (
    <Command.List className={listClass}>
      <Command.Empty className="px-3 py-6 text-center text-sm text-muted">Nothing is called that.</Command.Empty>
      <Found found={found} act={act} />
      <Places act={act} />
      <Acts text={typed.trim()} act={act} onKeys={onKeys} />
      <OtherTeams act={act} />
    </Command.List>
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
            <TextField typed={typed} onType={type} />
            <Lines found={found} typed={typed} act={act} onKeys={onKeys} />
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
