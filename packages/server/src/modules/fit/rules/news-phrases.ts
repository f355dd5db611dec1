/** Posts about the poster's own life or career, as they say so in eight languages. */
import { readPhrases, type Phrases } from './phrases.ts'

/** The phrases; how one is written stands at `readPhrases`. */
export const personalNews: Phrases = readPhrases(
  // English
  {
    before: 'not never t if when whether what how why says said',
    after: 'any every here',
    phrases: `
      happy to share that i
      happy to share i
      excited to share that i
      excited to announce that i
      excited to announce i
      thrilled to share that i
      thrilled to announce that i
      thrilled to announce i
      proud to share that i
      proud to announce that i
      delighted to share that i
      delighted to announce that i
      pleased to share that i
      pleased to announce that i
      some personal news
      a personal update
      i m starting a new position
      i am starting a new position
      starting a new position
      starting a new role
      started a new position
      started a new role
      my new role
      in a new role as
      a new role at
      new chapter … i start
      i start as
      i ve joined … as
      i ve joined the team
      i have joined … as
      i have joined the team
      i m joining … as
      i m joining the team
      i am joining … as
      i am joining the team
      i ll be joining … as
      i ll be joining the team
      i got promoted
      i ve been promoted
      i have been promoted
      i ve been appointed
      i have been appointed
      i have accepted an offer
      i ve accepted an offer
      i accepted an offer
      my last day at
      is my last day
      was my last day
      my final day at
      was my final day
      is my final day
      my first day at
      i ve decided to leave
      i have decided to leave
      i ve handed in my notice
      i handed in my notice
      i resigned
      i ve resigned
      i m leaving
      i am leaving
      i was laid off
      i got laid off
      i ve been laid off
      i have been laid off
      my position was eliminated
      my role was eliminated
      i m open to work
      i m … and open to work
      i m the new
      i am the new
      i am open to work
      i m now open to work
      my … work anniversary
      years ago today i joined
      years at … today $
      i graduated
      i just graduated
      i passed my … exam
      i passed my … test
      i passed my … certification
      i completed my … certification
      i ran my first
      honoured to have received
      honored to have received
      to have been named
      we got married
      i got married
      got engaged
      welcomed our … daughter
      welcomed our … son
      welcomed our … baby
      our daughter was born
      our son was born
      our baby was born
      welcome our baby
      i m a dad
      i m a mom
      i m a mum
      i m a father
      i m a mother
      i became a father
      i became a mother
      i became a dad
      i became a mum
      i became a mom
      back from parental leave
      back from maternity leave
      back from paternity leave
      my birthday`,
  },
  // German
  {
    before: 'nicht kein keine keinen keiner nie niemand wenn falls warum weder wie',
    phrases: `
      ich freue mich mitzuteilen
      ich freue mich bekannt zu geben
      ich freue mich zu verkunden
      ich freue mich … mitteilen zu durfen
      meine neue rolle
      meine neue position
      neue position als
      neue stelle als
      neuer job als
      bin ich neuer
      bin ich neue
      mein letzter tag bei
      mein letzter arbeitstag
      heute ist mein letzter
      heute war mein letzter
      mein erster tag bei
      heute war mein erster
      heute ist mein erster
      ich habe gekundigt
      ich wurde befordert
      ich starte als
      ich habe geheiratet
      wir haben geheiratet
      ich bin vater geworden
      ich bin mutter geworden
      mein … arbeitsjubilaum
      mein geburtstag`,
  },
  // French
  {
    before: 'ne n pas aucun aucune jamais quand si pourquoi sans',
    phrases: `
      j ai le plaisir d annoncer
      j ai le plaisir de vous annoncer
      j ai la joie de
      heureux de vous annoncer que je
      heureuse de vous annoncer que je
      ravi de vous annoncer que je
      ravie de vous annoncer que je
      mon nouveau poste
      nouveau poste de
      ma nouvelle aventure
      j ai pris mes fonctions
      je rejoins l equipe
      je rejoins les equipes
      je rejoins … en tant que
      j ai rejoint … en tant que
      j ai rejoint l equipe
      mon dernier jour chez
      mon dernier jour au
      c etait mon dernier jour
      c est mon dernier jour
      mon premier jour chez
      c etait mon premier jour
      j ai ete promu
      j ai ete promue
      mon anniversaire`,
  },
  // Spanish
  {
    before: 'no nunca ningun ninguna nadie sin si cuando',
    phrases: `
      me complace anunciar que
      me complace compartir que
      me complace anunciar mi
      me alegra compartir que
      me alegra anunciar que
      feliz de compartir que
      mi nuevo puesto
      mi nuevo rol
      empiezo una nueva etapa
      comienzo una nueva etapa
      mi ultimo dia en
      es mi ultimo dia
      fue mi ultimo dia
      mi primer dia en
      fue mi primer dia
      hoy cumplo … anos en
      he sido ascendido
      he sido ascendida
      mi cumpleanos`,
  },
  // Portuguese
  {
    before: 'nao nunca nenhum nenhuma ninguem sem se quando',
    phrases: `
      feliz em compartilhar que
      feliz em anunciar que
      tenho o prazer de anunciar
      tenho o prazer de partilhar
      em um novo cargo
      meu novo cargo
      novo desafio profissional
      estou comecando em um novo cargo
      meu ultimo dia na
      meu ultimo dia no
      e meu ultimo dia
      foi meu ultimo dia
      meu primeiro dia na
      meu primeiro dia no
      fui promovido
      fui promovida
      meu aniversario`,
  },
  // Italian
  {
    before: 'non mai nessun nessuno nessuna senza se quando',
    phrases: `
      sono felice di annunciare
      sono felice di condividere
      sono lieto di annunciare
      sono lieta di annunciare
      il mio nuovo ruolo
      la mia nuova posizione
      nuova posizione lavorativa
      inizio un nuovo lavoro
      il mio ultimo giorno in
      e il mio ultimo giorno
      il mio primo giorno in
      sono stato promosso
      sono stata promossa
      il mio compleanno`,
  },
  // Dutch
  {
    before: 'niet geen nooit niemand als wanneer zonder waarom',
    phrases: `
      ik ben blij te kunnen delen
      blij om te delen dat ik
      trots om te delen dat ik
      met trots deel ik
      nieuwe functie als
      mijn nieuwe functie
      mijn nieuwe baan
      nieuwe baan als
      mijn laatste werkdag
      mijn eerste werkdag
      ik ben gepromoveerd
      ik start als
      mijn verjaardag`,
  },
  // Swedish, Norwegian, Danish
  {
    before: 'inte ikke icke ej inga ingen inget aldrig aldri aldrig utan uden uten om nar varfor hvorfor',
    phrases: `
      glad att fa dela att jag
      glad over att fa beratta att jag
      mitt nya jobb
      min nya roll
      ny roll som
      nytt jobb som
      min sista dag pa
      min sista dag hos
      min forsta dag pa
      min forsta dag hos
      jag har blivit befordrad
      min nye rolle
      ny stilling som
      min siste dag i
      min siste dag hos
      min sidste dag hos
      min sidste dag i
      min forste dag hos
      min forste dag i
      min fodelsedag
      min bursdag
      min fodselsdag`,
  },
)
