/** Every page by its address; each is loaded when it is first shown. What a page keeps in its address is read by its own `search.ts`. */
import { createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '../api/me.ts'
import { chooseTeam, pickTeam } from '../api/team.ts'
import { search as agent } from '../pages/agent/search.ts'
import { search as credits } from '../pages/credits/search.ts'
import { search as discover } from '../pages/discover/search.ts'
import { search as discoverRun } from '../pages/discover-run/search.ts'
import { search as keyword } from '../pages/keyword/search.ts'
import { search as keywordEdit } from '../pages/keyword-edit/search.ts'
import { search as leads } from '../pages/leads/search.ts'
import { search as outreach } from '../pages/outreach/search.ts'
import { search as requests } from '../pages/requests/search.ts'
import { search as settings } from '../pages/settings/search.ts'
import { search as sourceDetail } from '../pages/source-detail/search.ts'
import { search as sources } from '../pages/sources/search.ts'
import { search as webhooks } from '../pages/webhooks/search.ts'
import { Failed, NotFound } from './fallbacks.tsx'
import { Root } from './root.tsx'
import { compact, text, type Raw } from './search.ts'
import { Shell } from '../shell/shell.tsx'

const root = createRootRouteWithContext<{ readonly client: QueryClient }>()({
  component: Root,
  errorComponent: Failed,
  notFoundComponent: NotFound,
})

const open = {
  to: (raw: Raw) => compact({ to: text(raw, 'to') }),
  signIn: (raw: Raw) => compact({ to: text(raw, 'to'), verify: text(raw, 'verify') }),
  token: (raw: Raw) => compact({ token: text(raw, 'token'), error: text(raw, 'error') }),
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: open.signIn,
  component: lazyRouteComponent(() => import('../pages/sign-in/index.tsx'), 'Page'),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: open.to,
  component: lazyRouteComponent(() => import('../pages/sign-up/index.tsx'), 'Page'),
})
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot',
  component: lazyRouteComponent(() => import('../pages/forgot/index.tsx'), 'Page'),
})
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  validateSearch: open.token,
  component: lazyRouteComponent(() => import('../pages/reset/index.tsx'), 'Page'),
})

/** Pages of somebody signed in, with or without a team. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const me = await context.client.ensureQueryData({ ...meQuery, revalidateIfStale: true })
    if (me === null) throw redirect({ to: '/sign-in', search: { to: location.href }, replace: true })
    return { me }
  },
})
const invite = createRoute({
  getParentRoute: () => signedIn,
  path: '/invite',
  validateSearch: open.token,
  component: lazyRouteComponent(() => import('../pages/invite/index.tsx'), 'Page'),
})
const newTeam = createRoute({
  getParentRoute: () => signedIn,
  path: '/new-team',
  component: lazyRouteComponent(() => import('../pages/new-team/index.tsx'), 'Page'),
})
const device = createRoute({
  getParentRoute: () => signedIn,
  path: '/device',
  validateSearch: (raw: Raw) => compact({ user_code: text(raw, 'user_code') }),
  component: lazyRouteComponent(() => import('../pages/device/index.tsx'), 'Page'),
})
// The authorization server signs the whole query: the page reads it from the address, unparsed.
const consent = createRoute({
  getParentRoute: () => signedIn,
  path: '/consent',
  component: lazyRouteComponent(() => import('../pages/consent/index.tsx'), 'Page'),
})

/** Pages of a team, in the frame with the navigation. */
const shell = createRoute({
  getParentRoute: () => signedIn,
  id: 'team',
  beforeLoad: ({ context }) => {
    const team = pickTeam(context.me.teams)
    if (team === undefined) throw redirect({ to: '/new-team', replace: true })
    chooseTeam(team.id)
  },
  component: Shell,
})
const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/leads', replace: true })
  },
})
const leadsPage = createRoute({
  getParentRoute: () => shell,
  path: '/leads',
  validateSearch: leads,
  component: lazyRouteComponent(() => import('../pages/leads/index.tsx'), 'Page'),
})
const sourcesPage = createRoute({
  getParentRoute: () => shell,
  path: '/sources',
  validateSearch: sources,
  component: lazyRouteComponent(() => import('../pages/sources/index.tsx'), 'Page'),
})
const sourcePage = createRoute({
  getParentRoute: () => shell,
  path: '/sources/$id',
  validateSearch: sourceDetail,
  component: lazyRouteComponent(() => import('../pages/source-detail/index.tsx'), 'Page'),
})
const keywordPage = createRoute({
  getParentRoute: () => shell,
  path: '/keyword',
  validateSearch: keyword,
  component: lazyRouteComponent(() => import('../pages/keyword/index.tsx'), 'Page'),
})
const keywordNew = createRoute({
  getParentRoute: () => shell,
  path: '/keyword/new',
  validateSearch: keywordEdit,
  component: lazyRouteComponent(() => import('../pages/keyword-edit/index.tsx'), 'Page'),
})
const keywordOne = createRoute({
  getParentRoute: () => shell,
  path: '/keyword/$id',
  validateSearch: keywordEdit,
  component: lazyRouteComponent(() => import('../pages/keyword-edit/index.tsx'), 'Page'),
})
const discoverPage = createRoute({
  getParentRoute: () => shell,
  path: '/discover',
  validateSearch: discover,
  component: lazyRouteComponent(() => import('../pages/discover/index.tsx'), 'Page'),
})
const discoverOne = createRoute({
  getParentRoute: () => shell,
  path: '/discover/$id',
  validateSearch: discoverRun,
  component: lazyRouteComponent(() => import('../pages/discover-run/index.tsx'), 'Page'),
})
const agentPage = createRoute({
  getParentRoute: () => shell,
  path: '/agent',
  validateSearch: agent,
  component: lazyRouteComponent(() => import('../pages/agent/index.tsx'), 'Page'),
})
const webhooksPage = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks',
  validateSearch: webhooks,
  component: lazyRouteComponent(() => import('../pages/webhooks/index.tsx'), 'Page'),
})
const outreachPage = createRoute({
  getParentRoute: () => shell,
  path: '/outreach',
  validateSearch: outreach,
  component: lazyRouteComponent(() => import('../pages/outreach/index.tsx'), 'Page'),
})
const creditsPage = createRoute({
  getParentRoute: () => shell,
  path: '/credits',
  validateSearch: credits,
  component: lazyRouteComponent(() => import('../pages/credits/index.tsx'), 'Page'),
})
const requestsPage = createRoute({
  getParentRoute: () => shell,
  path: '/requests',
  validateSearch: requests,
  component: lazyRouteComponent(() => import('../pages/requests/index.tsx'), 'Page'),
})
const settingsPage = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  validateSearch: settings,
  component: lazyRouteComponent(() => import('../pages/settings/index.tsx'), 'Page'),
})

/** The tree of all pages. */
export const routeTree = root.addChildren([
  signIn,
  signUp,
  forgot,
  reset,
  signedIn.addChildren([
    invite,
    newTeam,
    device,
    consent,
    shell.addChildren([
      home,
      leadsPage,
      sourcesPage,
      sourcePage,
      keywordPage,
      keywordNew,
      keywordOne,
      discoverPage,
      discoverOne,
      agentPage,
      webhooksPage,
      outreachPage,
      creditsPage,
      requestsPage,
      settingsPage,
    ]),
  ]),
])
