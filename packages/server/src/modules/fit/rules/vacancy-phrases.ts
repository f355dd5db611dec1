/** Posts that look for somebody to employ, as they say so in eight languages. */
import { readPhrases, type Phrases } from './words.ts'

/** The phrases; how one is written stands at `readPhrases`. */
export const vacancies: Phrases = readPhrases(
  // English
  `we re hiring
   we are hiring
   i m hiring
   i am hiring
   is hiring
   who we re hiring
   now hiring
   hiring now
   we re looking to hire
   we are looking to hire
   i m looking to hire
   join our team
   join my team
   come work with
   come and work with
   open position
   open positions
   open role
   open roles
   job opening
   job openings
   job opportunity
   new vacancy
   we have a vacancy
   apply now
   apply here
   send your cv
   send me your cv
   send your resume
   send me your resume
   we re looking for a … to join
   we are looking for a … to join
   looking for a … to join our`,
  // German
  `wir stellen ein
   wir suchen verstarkung
   wir suchen dich
   suchen verstarkung
   stellenangebot
   stellenanzeige
   offene stelle
   offene stellen
   jetzt bewerben
   bewirb dich
   bewerbt euch
   komm in unser team
   werde teil unseres teams
   wir suchen ab sofort
   wir suchen zum
   wir suchen … fur unser team
   wir suchen … m w d
   wir sind auf der suche nach … verstarkung`,
  // French
  `nous recrutons
   on recrute
   je recrute
   recrute un
   recrute une
   recrutement en cours
   offre d emploi
   poste a pourvoir
   rejoignez notre equipe
   rejoins notre equipe
   rejoins nous
   envoyez votre cv
   postulez`,
  // Spanish
  `estamos contratando
   estamos buscando … para nuestro equipo
   estamos buscando … para unirse
   buscamos … para nuestro equipo
   buscamos … para unirse
   se busca
   oferta de empleo
   oferta de trabajo
   vacante
   vacantes
   unete a nuestro equipo
   envia tu cv
   aplica aqui
   postulate`,
  // Portuguese
  `estamos contratando
   estamos com vagas
   estamos a contratar
   vaga aberta
   vagas abertas
   oportunidade de emprego
   venha fazer parte
   faca parte do nosso time
   faz parte da nossa equipa
   candidate se
   candidata te
   envie seu curriculo
   envie o seu cv`,
  // Italian
  `stiamo assumendo
   stiamo cercando … per il nostro team
   stiamo cercando … da inserire
   cerchiamo … per il nostro team
   cerchiamo … da inserire
   offerta di lavoro
   posizione aperta
   posizioni aperte
   unisciti al nostro team
   entra nel nostro team
   invia il tuo cv
   candidati ora
   candidati qui`,
  // Dutch
  `wij zoeken een … collega
   we zoeken een … collega
   wij zoeken versterking
   we zoeken versterking
   op zoek naar een nieuwe collega
   op zoek naar versterking
   wij groeien en zoeken
   vacature
   vacatures
   solliciteer
   kom bij ons werken
   kom jij ons team
   versterk ons team
   word jij onze`,
  // Swedish, Norwegian, Danish
  `vi rekryterar
   vi soker en
   vi soker ett
   vi soker dig
   vi soker nu
   vi anstaller
   lediga tjanster
   ledig tjanst
   sok tjansten
   ansok har
   ansok nu
   vi ansetter
   vi ansaetter
   ledig stilling
   ledige stillinger
   sok stillingen
   bli en del av teamet
   vi leder efter en ny`,
)
