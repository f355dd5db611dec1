import type { Random } from './random.ts'

const HOOKS = [
  'We lost our biggest customer last year.',
  'Unpopular opinion:',
  'Three years ago I almost quit.',
  'I interviewed 40 buyers this quarter.',
  'Stop optimising the wrong metric.',
  'Our best hire had no experience.',
  'Nobody talks about the second year of a startup.',
  'I was wrong about remote work.',
  'A small change doubled our reply rate.',
  'Today we are shipping something we have worked on for months.',
  'The best advice I ever got was five words long.',
  'Hiring? Read this first.',
  'What does good onboarding look like?',
  'Yesterday I deleted 12,000 contacts.',
  'My team asked me to stop doing this.',
  'Here is what nobody tells you about pricing.',
]
const BODIES = [
  'It taught me that trust is built in the boring weeks, not in the launch week.',
  'Most dashboards answer questions nobody asked. We cut ours to four numbers.',
  'People do not buy software. They buy a quieter Monday.',
  'We wrote down every promise we made to a customer and checked which we kept.',
  'The lesson: talk to ten customers before you write one line of code.',
  'It is not about working more hours. It is about fewer open loops.',
  'We stopped sending templates and started sending one good question.',
  'The market did not change. Our patience did.',
  'Good managers remove work. Great managers remove worry.',
  'If your process needs a meeting to explain it, it is not a process.',
  'We shared our roadmap in public and got better feedback in a day than in a year.',
  'Our pipeline was full and our forecast was still wrong.',
]
const ENDS = [
  'What would you add?',
  'Agree or disagree?',
  'Curious how others handle this.',
  'Link in the comments.',
  'Tag someone who needs this today.',
  'More on this next week.',
  '',
]
const TAGS = [
  '#sales',
  '#leadership',
  '#startups',
  '#marketing',
  '#hiring',
  '#product',
  '#ai',
  '#growth',
  '#futureofwork',
  '#saas',
]
const COMMENTS = [
  'Great insight, thanks for sharing!',
  'Could not agree more.',
  'This hits home.',
  'Interesting take. How did you measure it?',
  'We saw exactly the same in our team last quarter.',
  'Saving this one.',
  'Strong point about trust.',
  'Would love to hear more about how you got there.',
  'Respectfully disagree: context matters a lot here.',
  'Congrats to the whole team! 🎉',
  'So true 👏',
  'We are looking for a tool that does this. Any recommendation?',
  'Thanks! Sent you a message.',
  'Sharing with my team right now.',
  'Which size of company does this work for?',
  'Love this.',
  'How long did it take to see results?',
  'The part about the second year is spot on.',
  'Been there. It gets better.',
  'Brilliant, and well said.',
  'Do you have a template for this?',
  'Any chance of a longer write-up?',
  '❤️',
  'Exactly what I needed to read today.',
]
const REPLIES = [
  'Thank you!',
  'Good question, roughly six weeks.',
  'Happy to share, I will message you.',
  'Same here!',
  'Appreciate it 🙏',
  'Fair point.',
  'Mostly mid-size teams so far.',
  'Exactly.',
  'It depends on the segment, but yes.',
  'Following this thread.',
]
const AUTHOR_NOTES = [
  'Full write-up is linked in my profile.',
  'Wow, did not expect this response. Thank you all!',
  'Adding one thing: start small.',
]

/** The text of a post. */
export function postText(random: Random): string {
  const paragraphs = [random.pick(HOOKS), random.pick(BODIES)]
  if (random.chance(0.5)) paragraphs.push(random.pick(BODIES))
  const end = random.pick(ENDS)
  if (end) paragraphs.push(end)
  if (random.chance(0.6))
    paragraphs.push([...new Set([random.pick(TAGS), random.pick(TAGS), random.pick(TAGS)])].join(' '))
  return [...new Set(paragraphs)].join('\n\n')
}

/** The text of a comment by a reader. */
export function commentText(random: Random): string {
  return random.pick(COMMENTS)
}

/** The text of a reply. */
export function replyText(random: Random): string {
  return random.pick(REPLIES)
}

/** The text of a comment an author leaves under their own post. */
export function authorNote(random: Random): string {
  return random.pick(AUTHOR_NOTES)
}
