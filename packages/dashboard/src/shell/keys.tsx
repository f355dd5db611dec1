import { Dialog } from '../ui/dialog.tsx'

const keys: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Anywhere',
    [
      ['Ctrl K or /', 'Search everything, go anywhere, start something'],
      ['?', 'This list'],
      ['Ctrl Enter', 'Press the main button of what you are in'],
      ['j', 'Go to the list of the page'],
      ['Esc', 'Close what is open'],
    ],
  ],
  [
    'In a list',
    [
      ['j, k or Down, Up', 'Next, previous row'],
      ['Enter or o', 'Open the row'],
      ['x or Space', 'Choose the row'],
      ['Shift and Down, Up or Space', 'Choose a range'],
      ['Ctrl A', 'Choose all rows that are loaded'],
      ['Home, End, Page Up, Page Down', 'Go far'],
      ['Right, Left', 'To what can be pressed in the row, and back; Esc: back to the row'],
      ['Up in the first row', 'To the headers, which sort'],
    ],
  ],
  ['In the panel of a lead', [['j, k', 'Next, previous lead']]],
]

export default function Keys({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keys" size="sm">
      <div className="flex flex-col gap-4">
        {keys.map(([place, rows]) => (
          <section key={place}>
            <h3 className="mb-1 text-sm font-semibold">{place}</h3>
            <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
              {rows.map(([key, meaning]) => (
                <div key={key} className="contents">
                  <dt>
                    <kbd className="rounded border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs">{key}</kbd>
                  </dt>
                  <dd className="text-muted">{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
