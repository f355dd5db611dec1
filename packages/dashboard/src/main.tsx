import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './app/arrival.ts'
import { client } from './app/client.ts'
import { stayKnown } from './api/me.ts'
import { fetchPages, savesData } from './app/lazy-page.tsx'
import { router } from './app/router.ts'
import './style.css'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)

// Prefetching waits for what the first page asks for.
setTimeout(() => {
  if (!savesData()) void fetchPages().catch(() => {})
  void stayKnown()
}, 3_000)
