import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useRead, useTeam, useWrite } from '../../../api/index.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Card, Loaded, Notice } from '../../../ui/show.tsx'
import { Differ } from './apply.tsx'
import { EditDefault } from './edit.tsx'
import { ofWords, parts, valueWords, type Defaults, type Of, type Part } from './words.ts'

type Editing = { readonly of: Of; readonly part: Part }

type PartCardProps = (typeof parts)[number] & {
  defaults: readonly Defaults[]
  onEdit: (editing: Editing) => void
}

function PartCard({ part, label, text, defaults, onEdit }: PartCardProps) {
  const save = useWrite('saveDefaults', { done: 'Default taken away' })
  const set = defaults.filter((each) => valueWords(each, part) !== null)
  const unset = defaults.filter((each) => valueWords(each, part) === null)
  const menu = unset.length > 0 && (
    <Menu
      align="end"
      trigger={
        <Button size="sm" icon={Plus}>
          Set<span className="sr-only"> a default: {label}</span>
        </Button>
      }
      entries={unset.map(({ of }) => ({
        label: of === 'all' ? 'For all sources…' : `For ${ofWords[of].toLowerCase()}…`,
        onSelect: () => onEdit({ of, part }),
      }))}
    />
  )
  return (
    <Card title={label} text={text} actions={menu}>
      {set.length === 0 ? (
        <p className="text-sm text-muted">No default: each source has its own setting.</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line text-sm">
          {set.map((each) => (
            <li key={each.of} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 first:pt-0 last:pb-0">
              <span className="w-36 shrink-0 text-muted">{ofWords[each.of]}</span>
              <span className="min-w-40 flex-1 break-words">{valueWords(each, part)}</span>
              <div className="flex gap-1">
                <Button size="sm" variant="ghost" onClick={() => onEdit({ of: each.of, part })}>
                  Edit<span className="sr-only"> {`${label}: ${ofWords[each.of]}`}</span>
                </Button>
                <Button
                  size="sm"
                  variant="ghost"
                  busy={save.isPending}
                  onClick={() => save.mutate({ of: each.of, [part]: null })}
                >
                  Remove<span className="sr-only"> {`${label}: ${ofWords[each.of]}`}</span>
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

export function TeamDefaults() {
  const { can } = useTeam()
  const [editing, setEditing] = useState<Editing | null>(null)
  const query = useRead('getDefaults', {}, { enabled: can('member') })
  if (!can('member'))
    return (
      <Notice title="Only members see and set the team’s defaults">
        They name the addresses that leads are delivered to. Ask an owner of the team for the role.
      </Notice>
    )
  return (
    <div className="flex flex-col gap-5">
      <p className="max-w-3xl text-sm text-muted">
        Sources you track here start with these settings, unless you choose others while tracking. The default of a kind
        overrides that of all sources. Sources tracked with an API key start as the API documentation says.
      </p>
      <Loaded query={query} lines={8}>
        {({ defaults }) => (
          <>
            <div className="grid gap-4 lg:grid-cols-2">
              {parts.map((each) => (
                <PartCard key={each.part} {...each} defaults={defaults} onEdit={setEditing} />
              ))}
            </div>
            {defaults.some((each) => parts.some(({ part }) => valueWords(each, part) !== null)) && <Differ />}
            {editing && (
              <EditDefault
                key={`${editing.of} ${editing.part}`}
                part={editing.part}
                defaults={defaults.find(({ of }) => of === editing.of)!}
                onClose={() => setEditing(null)}
              />
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}
