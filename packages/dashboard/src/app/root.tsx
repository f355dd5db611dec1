import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Toasts } from '../ui/toast.tsx'

/** What is around every page. */
export function Root(): ReactNode {
  return (
    <CSPProvider disableStyleElements>
      <Tooltip.Provider delay={400}>
        <Toasts>
          <Outlet />
        </Toasts>
      </Tooltip.Provider>
    </CSPProvider>
  )
}
