import { describe, expect, it } from 'vitest'
import { kindsOf } from './post-kinds.ts'
import { wordsOf } from './words.ts'

const judge = (text: string): string[] => {
  const { leadMagnet, vacancy, personalNews } = kindsOf(wordsOf(text))
  return [
    ...(leadMagnet === null ? [] : ['lead magnet']),
    ...(vacancy === null ? [] : ['vacancy']),
    ...(personalNews === null ? [] : ['personal news']),
  ]
}

describe('a lead magnet is recognised [AGT-69]', () => {
  it.each([
    'I wrote a 40-page guide to outbound. Comment "GUIDE" and I\'ll send it over.',
    'Comment “growth” below to get the playbook',
    'Comment GROWTH below and I will DM you the template.',
    'Like and comment, then I’ll DM you the link',
    'Drop a "YES" in the comments',
    'Want it? DM me "PLAYBOOK".',
    'Kommentiere mit „Leitfaden“ und ich schicke dir das PDF.',
    'Schreib "JA" in die Kommentare',
    'Commentez « GUIDE » et je vous envoie le document',
    'Comenta "GUÍA" y te la envío',
    'Comente "QUERO" que eu te envio o material',
    'Commenta "GUIDA" e ti mando il PDF',
    'Reageer met "STUUR" en dan stuur ik hem',
    'Kommentera "JA" så skickar jag guiden',
  ])('%s', (text) => {
    expect(judge(text)).toContain('lead magnet')
  })
  it.each([
    'Her comment "from zero to one" made me think',
    'In one comment AI was called a fad',
    'How to build a lead magnet that converts',
    'I comment on ten posts a day. It works.',
    'The comment section is where deals begin',
    'Please do not DM me pitches',
    'Ein Kommentar zur Lage der Branche',
  ])('not: %s', (text) => {
    expect(judge(text)).toEqual([])
  })
})

describe('a vacancy is recognised [AGT-70]', () => {
  it.each([
    "We're hiring a Senior Growth Marketer in Berlin!",
    'We are hiring: head of sales',
    'Hiring! Backend engineers, remote',
    '#Hiring: senior engineer, remote',
    'We are #hiring an account executive',
    'Join our team as an account executive',
    'Open position: CMO. Apply now.',
    'Wir stellen ein: Vertriebsleiter (m/w/d)',
    'Wir suchen Verstärkung für unser Marketing',
    'Bewirb dich jetzt',
    'Nous recrutons un commercial à Lyon',
    'Rejoignez notre équipe !',
    'Estamos contratando vendedores',
    'Únete a nuestro equipo en Madrid',
    'Vagas abertas para vendas',
    'Stiamo assumendo a Milano',
    'Kom bij ons werken in Utrecht',
    'Vi söker en säljare till Stockholm',
    'Vi rekryterar',
  ])('%s', (text) => {
    expect(judge(text)).toContain('vacancy')
  })
  it.each([
    'Hiring a CMO too early kills startups',
    'Three tips you can apply today',
    'Companies that hire slowly win',
    'Wir suchen einen besseren Weg zum Kunden',
    'Buscamos un cambio de mentalidad en ventas',
    'We zoeken allemaal naar groei',
    'The job of a founder is selling',
    'Great news #hiring',
    'A good quarter. #sales #hiring #nowhiring #vacature',
    'A good quarter. #we #are #hiring',
    'We are not hiring',
    'We have no open positions, and never had an open role for long',
    'No estamos contratando',
    'Wir stellen nicht ein',
    'Vi rekryterar inte',
    'Are they hiring? Is Acme hiring a CMO?',
    'Who says we are hiring?',
    '"We are hiring" means little',
    'They wrote: “We are hiring!” and went silent',
    '« Rejoignez notre équipe » ne veut rien dire',
    'If we are hiring, we say so',
    'My boss said we are hiring',
  ])('not: %s', (text) => {
    expect(judge(text)).toEqual([])
  })
})

describe('personal news are recognised [AGT-70]', () => {
  it.each([
    "I'm happy to share that I’m starting a new position as Head of Sales at Acme!",
    'Today is my last day at Acme.',
    "I've joined Acme as CMO",
    'After ten years I got promoted',
    'Ich freue mich mitzuteilen: neue Position als Leiterin',
    'J’ai le plaisir d’annoncer que je rejoins les équipes d’Acme',
    'Me complace anunciar mi nuevo puesto',
    'Feliz em compartilhar que estou começando em um novo cargo',
    'Sono felice di annunciare il mio nuovo ruolo',
    'Trots om te delen dat ik begin',
    'Min nya roll börjar på måndag',
  ])('%s', (text) => {
    expect(judge(text)).toContain('personal news')
  })
  it.each([
    "I've joined 50 sales calls this month and learnt this",
    'Je rejoins ton avis sur la prospection',
    'Een nieuwe functie in ons product',
    "AI's role as a copilot is overrated",
    'Il nuovo ruolo del CFO nelle aziende',
    'We started a new podcast about pricing',
    'Looking around #OpenToWork',
    'When I was laid off, I learnt about cash flow',
    '"Today is my last day at Acme" is how such posts begin',
  ])('not: %s', (text) => {
    expect(judge(text)).toEqual([])
  })
})
