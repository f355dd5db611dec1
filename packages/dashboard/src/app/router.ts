import { createRouter } from '@tanstack/react-router'
import { client } from './client.ts'
import { Failed, Loading, NotFound } from './fallbacks.tsx'
import { routeTree } from './routes.ts'

export const router = createRouter({
  routeTree,
  context: { client },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: Loading,
  defaultPendingMs: 150,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
