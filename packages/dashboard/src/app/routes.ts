/** Every page by its address; each is loaded when it is first shown. What a page keeps in its address is read by its own `search.ts`. */
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
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
import { search as operator } from '../pages/operator/search.ts'
import { search as outreach } from '../pages/outreach/search.ts'
import { search as requests } from '../pages/requests/search.ts'
import { search as settings } from '../pages/settings/search.ts'
import { search as sourceDetail } from '../pages/source-detail/search.ts'
import { search as sources } from '../pages/sources/search.ts'
import { search as webhooks } from '../pages/webhooks/search.ts'
import { Failed, NotFound } from './fallbacks.tsx'
import { Root } from './root.tsx'
import { lazyPage } from './lazy-page.tsx'
import { compact, only, open, text } from './search.ts'
import { Shell } from '../shell/shell.tsx'

const root = createRootRouteWithContext<{ readonly client: QueryClient }>()({
  component: Root,
  errorComponent: Failed,
  notFoundComponent: NotFound,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: only(open.signIn),
  component: lazyPage(() => import('../pages/sign-in/index.tsx')),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: only(open.to),
  component: lazyPage(() => import('../pages/sign-up/index.tsx')),
})
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot',
  component: lazyPage(() => import('../pages/forgot/index.tsx')),
})
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  validateSearch: only(open.token),
  component: lazyPage(() => import('../pages/reset/index.tsx')),
})
// Where the authorization server sends a browser whose app it does not answer.
const notConnected = createRoute({
  getParentRoute: () => root,
  path: '/not-connected',
  validateSearch: only(() => ({})),
  component: lazyPage(() => import('../pages/not-connected/index.tsx')),
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
  validateSearch: only(open.token),
  component: lazyPage(() => import('../pages/invite/index.tsx')),
})
const newTeam = createRoute({
  getParentRoute: () => signedIn,
  path: '/new-team',
  component: lazyPage(() => import('../pages/new-team/index.tsx')),
})
const device = createRoute({
  getParentRoute: () => signedIn,
  path: '/device',
  validateSearch: only((raw) => compact({ user_code: text(raw, 'user_code') })),
  component: lazyPage(() => import('../pages/device/index.tsx')),
})
// The authorization server signs the whole query: the page reads it from the address, unparsed.
const consent = createRoute({
  getParentRoute: () => signedIn,
  path: '/consent',
  component: lazyPage(() => import('../pages/consent/index.tsx')),
})

const shell = createRoute({
  getParentRoute: () => signedIn,
  id: 'team',
  beforeLoad: ({ context }) => {
    const team = pickTeam(context.me.teams, context.me.sampleTeam)
    if (team === undefined) throw redirect({ to: '/new-team', replace: true })
    chooseTeam(team.id)
  },
  component: Shell,
})
const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/home', replace: true })
  },
})
const homePage = createRoute({
  getParentRoute: () => shell,
  path: '/home',
  component: lazyPage(() => import('../pages/home/index.tsx')),
})
const leadsPage = createRoute({
  getParentRoute: () => shell,
  path: '/leads',
  validateSearch: only(leads),
  component: lazyPage(() => import('../pages/leads/index.tsx')),
})
const sourcesPage = createRoute({
  getParentRoute: () => shell,
  path: '/sources',
  validateSearch: only(sources),
  component: lazyPage(() => import('../pages/sources/index.tsx')),
})
const sourcePage = createRoute({
  getParentRoute: () => shell,
  path: '/sources/$id',
  validateSearch: only(sourceDetail),
  component: lazyPage(() => import('../pages/source-detail/index.tsx')),
})
const keywordPage = createRoute({
  getParentRoute: () => shell,
  path: '/keyword',
  validateSearch: only(keyword),
  component: lazyPage(() => import('../pages/keyword/index.tsx')),
})
const keywordNew = createRoute({
  getParentRoute: () => shell,
  path: '/keyword/new',
  validateSearch: only(keywordEdit),
  component: lazyPage(() => import('../pages/keyword-edit/index.tsx')),
})
const keywordOne = createRoute({
  getParentRoute: () => shell,
  path: '/keyword/$id',
  validateSearch: only(keywordEdit),
  // A search has the page that every source has; its own address of before leads there.
  beforeLoad: ({ params, search }) => {
    const { tab, posts, offset } = keywordEdit(search)
    throw redirect({ to: '/sources/$id', params, search: compact({ tab, posts, offset }), replace: true })
  },
})
const discoverPage = createRoute({
  getParentRoute: () => shell,
  path: '/discover',
  validateSearch: only(discover),
  component: lazyPage(() => import('../pages/discover/index.tsx')),
})
const discoverOne = createRoute({
  getParentRoute: () => shell,
  path: '/discover/$id',
  validateSearch: only(discoverRun),
  component: lazyPage(() => import('../pages/discover-run/index.tsx')),
})
const agentPage = createRoute({
  getParentRoute: () => shell,
  path: '/agent',
  validateSearch: only(agent),
  component: lazyPage(() => import('../pages/agent/index.tsx')),
})
const webhooksPage = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks',
  validateSearch: only(webhooks),
  component: lazyPage(() => import('../pages/webhooks/index.tsx')),
})
const outreachPage = createRoute({
  getParentRoute: () => shell,
  path: '/outreach',
  validateSearch: only(outreach),
  component: lazyPage(() => import('../pages/outreach/index.tsx')),
})
const creditsPage = createRoute({
  getParentRoute: () => shell,
  path: '/credits',
  validateSearch: only(credits),
  component: lazyPage(() => import('../pages/credits/index.tsx')),
})
const requestsPage = createRoute({
  getParentRoute: () => shell,
  path: '/requests',
  validateSearch: only(requests),
  component: lazyPage(() => import('../pages/requests/index.tsx')),
})
const settingsPage = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  validateSearch: only(settings),
  component: lazyPage(() => import('../pages/settings/index.tsx')),
})
const operatorPage = createRoute({
  getParentRoute: () => shell,
  path: '/operations',
  validateSearch: only(operator),
  component: lazyPage(() => import('../pages/operator/index.tsx')),
})

/** Whatever else is asked for: the frame with the navigation stays, so that there is a way on. */
const nowhere = createRoute({
  getParentRoute: () => shell,
  path: '$',
  validateSearch: only(() => ({})),
  component: NotFound,
})

export const routeTree = root.addChildren([
  signIn,
  signUp,
  forgot,
  reset,
  notConnected,
  signedIn.addChildren([
    invite,
    newTeam,
    device,
    consent,
    shell.addChildren([
      home,
      homePage,
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
      operatorPage,
      nowhere,
    ]),
  ]),
])
