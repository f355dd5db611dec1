import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { exportAddress } from '../../api/api.ts'
import { buttonClass } from '../../ui/index.ts'
import { conflictsOf, leadInput, type Filters } from './filters.ts'

/** Downloads every lead that the filters choose as a table, however many there are. */
export function Export({ filters }: { readonly filters: Filters }): ReactNode {
  if (conflictsOf(filters).length > 0) return null
  return (
    <a
      href={exportAddress(leadInput(filters))}
      download
      title="Every lead that matches the filters, one row each"
      className={buttonClass('secondary')}
    >
      <Download aria-hidden="true" size={16} />
      Export CSV
    </a>
  )
}
