/** Posts that look for somebody to employ, as they say so in eight languages. */
import { readPhrases, type Phrases } from './phrases.ts'

/** The phrases; how one is written stands at `readPhrases`. */
export const vacancies: Phrases = readPhrases(
  // English
  {
    before:
      'not no never nobody none without stop stopped neither nor hardly cannot t if when whether unless says ' +
      'said saying claims claimed phrase sentence words',
    after: 'nobody nothing',
    phrases: `
      we re hiring
      we re now hiring
      we re also hiring
      we re actively hiring
      we are hiring
      we are now hiring
      we are also hiring
      we are currently hiring
      we are actively hiring
      we re recruiting
      we re actively recruiting
      we are recruiting
      we are actively recruiting
      i m recruiting
      i am recruiting
      on the hunt for a … ROLE
      on the hunt for an … ROLE
      i m hiring
      i am hiring
      @is hiring
      @are hiring
      @is recruiting
      @is now hiring
      @is looking for a … ROLE
      @is looking for an … ROLE
      now hiring
      hiring now
      :hiring … ROLE
      we re looking to hire
      we are looking to hire
      i m looking to hire
      i m looking for a … ROLE
      i m looking for an … ROLE
      i am looking for a … ROLE
      i am looking for an … ROLE
      we re looking for a … ROLE
      we re looking for an … ROLE
      we are looking for a … ROLE
      we are looking for an … ROLE
      we re looking for a … to join
      we are looking for a … to join
      looking for a … to join our
      looking for someone to join
      seeking a … ROLE
      seeking an … ROLE
      i need a … ROLE
      i need an … ROLE
      we need a … ROLE
      we need an … ROLE
      and need a … ROLE
      and need an … ROLE
      help me find a … ROLE
      help us find a … ROLE
      be our new … ROLE
      be our next … ROLE
      ?want to join our team
      ?ready to join our team
      ?love to join our team
      ?like to join our team
      to join our … team
      to join my team
      !join our … team as
      !join our team $
      !join our growing team
      !join my team
      !join us as a
      !join us as an
      !come work with me
      !come work with us
      !come and work with me
      !come and work with us
      :open position
      :open positions
      :open role
      :open roles
      :job opening
      :job openings
      :job opportunity
      :job alert
      :new opening
      :vacancy
      :vacancy alert
      :the role
      we have … open roles
      we have … open positions
      we have … openings
      we ve got … open roles
      we ve got … open positions
      we have an open role
      we have an open position
      we have an opening
      on our careers page
      new vacancy
      we have a vacancy
      immediate joiner
      immediate joiners
      visa sponsorship available
      !apply now $
      !apply now for
      !apply here $
      !apply via
      !apply through
      applications close
      applications for … close
      send your cv
      send me your cv
      send us your cv
      send your resume
      send me your resume
      send us your resume
      share your resume
      share your cv
      send your portfolio
      send me your portfolio`,
  },
  // German
  {
    before: 'nicht kein keine keinen keiner nie niemand wenn falls warum weder',
    after: 'nicht niemand',
    phrases: `
      wir stellen ein
      wir stellen … ein $
      wir suchen verstarkung
      wir suchen dich
      suchen verstarkung
      suchen … verstarkung
      :stellenangebot
      :stellenanzeige
      :offene stelle
      :offene stellen
      offene stelle bei uns
      offene stellen bei uns
      wir haben … offene stellen
      jetzt bewerben
      bewirb dich
      bewerbt euch
      bewerbungen an
      komm in unser team
      werde teil unseres … teams
      wir suchen ab sofort
      suchen wir ab sofort
      wir suchen zum
      zum nachstmoglichen zeitpunkt
      wir suchen … fur unser team
      wir suchen … m w d
      wir sind auf der suche nach … verstarkung`,
  },
  // French
  {
    before: 'ne n pas aucun aucune jamais quand si pourquoi sans',
    after: 'pas plus',
    phrases: `
      nous recrutons
      on recrute
      je recrute
      @recrute un
      @recrute une
      recrutement en cours
      :offre d emploi
      poste a pourvoir
      postes a pourvoir
      je recherche … alternant
      je recherche … alternante
      je recherche … stagiaire
      nous cherchons … ROLE
      nous recherchons … ROLE
      !rejoignez notre equipe
      !rejoins notre equipe
      !rejoins nous
      !rejoignez nous
      envoyez votre cv
      envoyez nous votre cv
      envoie moi ton cv
      !postulez`,
  },
  // Spanish
  {
    before: 'no nunca ningun ninguna nadie sin si cuando',
    phrases: `
      estamos contratando
      estamos buscando … para nuestro equipo
      estamos buscando … para unirse
      buscamos … para nuestro equipo
      buscamos … para unirse
      buscamos … ROLE
      se busca … ROLE
      :oferta de empleo
      :oferta de trabajo
      :vacante
      :vacantes
      vacante disponible
      tenemos una vacante
      tenemos vacantes
      abrimos … plazas
      !unete a nuestro equipo
      !envia tu cv
      !envianos tu cv
      mandar cv
      enviar cv
      !aplica aqui
      !postulate`,
  },
  // Portuguese
  {
    before: 'nao nunca nenhum nenhuma ninguem sem se quando',
    phrases: `
      estamos contratando
      estamos com vagas
      estamos a contratar
      temos uma vaga
      temos vagas
      vaga aberta
      vagas abertas
      :vaga
      oportunidade de emprego
      !venha fazer parte
      !vem trabalhar com
      !venha trabalhar com
      !faca parte do nosso time
      !faz parte da nossa equipa
      !candidate se
      !candidata te
      !envie seu curriculo
      !envie o seu cv`,
  },
  // Italian
  {
    before: 'non mai nessun nessuno nessuna senza se quando',
    phrases: `
      stiamo assumendo
      stiamo cercando … per il nostro team
      stiamo cercando … da inserire
      stiamo cercando … ROLE
      cerchiamo … per il nostro team
      cerchiamo … da inserire
      cerchiamo … ROLE
      :offerta di lavoro
      :posizione aperta
      :posizioni aperte
      !unisciti al nostro team
      !entra nel nostro team
      !invia il tuo cv
      !candidati ora
      !candidati qui`,
  },
  // Dutch
  {
    before: 'niet geen nooit niemand als wanneer zonder waarom',
    after: 'niet',
    phrases: `
      wij zoeken een … collega
      we zoeken een … collega
      wij zoeken een … ROLE
      we zoeken een … ROLE
      zoeken versterking
      op zoek naar een nieuwe collega
      op zoek naar versterking
      wij groeien en zoeken
      :vacature
      :vacatures
      !solliciteer
      ?kom bij ons werken
      ?kom jij ons team
      ?versterk ons team
      ?word jij onze`,
  },
  // Swedish, Norwegian, Danish
  {
    before: 'inte ikke icke ej inga ingen inget aldrig aldri aldrig utan uden uten om nar varfor hvorfor',
    after: 'inte ikke icke ej',
    phrases: `
      vi rekryterar
      vi rekrutterer
      vi soker en … ROLE
      vi soker … medarbetare
      vi soker dig
      vi soker nu
      vi soger en … ROLE
      vi soger dig
      vi anstaller
      lediga tjanster
      ledig tjanst
      sok tjansten
      tjansten ar pa
      !ansok har
      !ansok nu
      !ansok senast
      send en ansogning
      soknadsfrist
      ansogningsfrist
      vi ansetter
      vi ansaetter
      :ledig stilling
      :ledige stillinger
      ledige stillinger hos
      sok stillingen
      !bli en del av teamet
      vi leder efter en ny`,
  },
)
