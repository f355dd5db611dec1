import { CSPProvider } from '@base-ui/react/csp-provider'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Tips } from '../ui/tips.tsx'
import { Toasts } from '../ui/toast.tsx'

/** What is around every page. */
export function Root(): ReactNode {
  return (
    <CSPProvider disableStyleElements>
      <Toasts>
        <Outlet />
      </Toasts>
      <Tips />
    </CSPProvider>
  )
}
