import {
  Ban,
  Bot,
  Coins,
  Compass,
  House,
  Plug,
  Radar,
  ScrollText,
  Search,
  Send,
  Settings,
  ShieldCheck,
  Target,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react'

export type Place = {
  readonly to:
    | '/home'
    | '/leads'
    | '/sources'
    | '/keyword'
    | '/discover'
    | '/agent'
    | '/webhooks'
    | '/outreach'
    | '/destinations'
    | '/results'
    | '/exclusions'
    | '/credits'
    | '/privacy'
    | '/requests'
    | '/settings'
  readonly label: string
  readonly icon: LucideIcon
  readonly words: string
  readonly text: string
}

/** The pages in the order of the navigation; `words` are found by the command palette. */
export const places: readonly Place[] = [
  {
    to: '/home',
    label: 'Home',
    icon: House,
    words: 'start today overview first steps',
    text: 'Who is worth a look today, what stopped and needs you, and what your credits brought.',
  },
  {
    to: '/leads',
    label: 'Leads',
    icon: Users,
    words: 'people engagers export csv',
    text: 'Everyone who engaged with what you track, the newest first.',
  },
  {
    to: '/sources',
    label: 'Sources',
    icon: Radar,
    words: 'track profile company post url sync',
    text: 'The people, company pages, posts and searches you track, and how well each of them goes.',
  },
  {
    to: '/keyword',
    label: 'Keyword searches',
    icon: Search,
    words: 'terms expression boolean topics',
    text: 'Find posts about a topic every day, and the people who engage with them.',
  },
  {
    to: '/discover',
    label: 'Discover',
    icon: Compass,
    words: 'influencers find people topic',
    text: 'Find, once, the people who post about a topic and draw the most engagement.',
  },
  {
    to: '/agent',
    label: 'Agent',
    icon: Bot,
    words: 'ai ranked website plan',
    text: 'Finds and ranks people for one website: who engages with the topics your buyers care about.',
  },
  {
    to: '/webhooks',
    label: 'Webhooks',
    icon: Webhook,
    words: 'deliveries endpoints signature replay',
    text: 'Where your leads are delivered, what was sent, and what came back.',
  },
  {
    to: '/outreach',
    label: 'Outreach',
    icon: Send,
    words: 'campaigns rules send',
    text: 'Leads handed to the campaigns of your outreach platform, by rules or by hand.',
  },
  {
    to: '/destinations',
    label: 'Destinations',
    icon: Plug,
    words: 'hubspot slack sheets s3 attio salesforce crm connect deliver',
    text: 'CRMs, channels, sheets and buckets that leads go to by themselves.',
  },
  {
    to: '/results',
    label: 'Results',
    icon: Target,
    words: 'replies meetings won funnel cost suggestions',
    text: 'What came of your leads, what a reply and a meeting have cost, and what to learn from it.',
  },
  {
    to: '/exclusions',
    label: 'Exclusions',
    icon: Ban,
    words: 'do not contact customers competitors block suppress list csv',
    text: 'Who is never delivered: people, companies, domains, titles and countries, on lists.',
  },
  {
    to: '/credits',
    label: 'Credits',
    icon: Coins,
    words: 'spend ledger burn forecast cost',
    text: 'What you spend, how long it lasts, and what you get for it.',
  },
  {
    to: '/privacy',
    label: 'Privacy',
    icon: ShieldCheck,
    words: 'gdpr erase delete person export objection retention receipt',
    text: 'What is held of a person: find, export, keep from going out, erase; and how long leads are kept.',
  },
  {
    to: '/requests',
    label: 'API calls',
    icon: ScrollText,
    words: 'requests log curl debug errors status',
    text: 'What keys and agent tools of the team asked in the last 30 days, newest first. Secrets are never kept.',
  },
  {
    to: '/settings',
    label: 'Settings',
    icon: Settings,
    words: 'team members api keys secret audit sessions',
    text: 'Your team, its members and keys, and your own account.',
  },
]
