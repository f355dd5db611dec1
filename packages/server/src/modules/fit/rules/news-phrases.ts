/** Posts about the poster's own life or career, as they say so in eight languages. */
import { readPhrases, type Phrases } from './words.ts'

/** The phrases; how one is written stands at `readPhrases`. */
export const personalNews: Phrases = readPhrases(
  // English
  `happy to share that i
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
   i m starting a new position
   i am starting a new position
   starting a new position
   starting a new role
   started a new position
   started a new role
   my new role
   in a new role as
   a new role at
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
   my last day at
   today is my last day
   today was my last day
   my first day at
   i m leaving
   i am leaving
   i was laid off
   i got laid off
   been laid off
   open to work
   work anniversary
   years ago today i joined
   i graduated
   i just graduated
   i passed my
   we got married
   i got married
   got engaged
   welcomed our
   welcome our baby
   became a father
   became a mother
   became a dad
   became a mum
   became a mom
   my birthday
   happy birthday`,
  // German
  `ich freue mich mitzuteilen
   ich freue mich bekannt zu geben
   ich freue mich zu verkunden
   meine neue rolle
   meine neue position
   neue position als
   neue stelle als
   neuer job als
   mein letzter tag
   mein erster tag
   ich wurde befordert
   ich starte als
   ich habe geheiratet
   wir haben geheiratet
   ich bin vater geworden
   ich bin mutter geworden
   arbeitsjubilaum
   mein geburtstag`,
  // French
  `j ai le plaisir d annoncer
   j ai le plaisir de vous annoncer
   j ai la joie de
   heureux de vous annoncer que je
   heureuse de vous annoncer que je
   ravi de vous annoncer
   ravie de vous annoncer
   mon nouveau poste
   nouveau poste de
   ma nouvelle aventure
   je rejoins l equipe
   je rejoins les equipes
   je rejoins … en tant que
   j ai rejoint … en tant que
   j ai rejoint l equipe
   mon dernier jour
   mon premier jour
   j ai ete promu
   j ai ete promue
   mon anniversaire`,
  // Spanish
  `me complace anunciar
   me complace compartir
   me alegra compartir que
   me alegra anunciar que
   feliz de compartir que
   mi nuevo puesto
   mi nuevo rol
   empiezo una nueva etapa
   comienzo una nueva etapa
   mi ultimo dia
   mi primer dia
   he sido ascendido
   he sido ascendida
   mi cumpleanos`,
  // Portuguese
  `feliz em compartilhar que
   feliz em anunciar que
   tenho o prazer de anunciar
   tenho o prazer de partilhar
   em um novo cargo
   meu novo cargo
   novo desafio profissional
   estou comecando em um novo cargo
   meu ultimo dia
   meu primeiro dia
   fui promovido
   fui promovida
   meu aniversario`,
  // Italian
  `sono felice di annunciare
   sono felice di condividere
   sono lieto di annunciare
   sono lieta di annunciare
   il mio nuovo ruolo
   la mia nuova posizione
   nuova posizione lavorativa
   il mio ultimo giorno
   il mio primo giorno
   sono stato promosso
   sono stata promossa
   il mio compleanno`,
  // Dutch
  `ik ben blij te kunnen delen
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
  // Swedish, Norwegian, Danish
  `glad att fa dela
   glad over att fa beratta att jag
   mitt nya jobb
   min nya roll
   ny roll som
   nytt jobb som
   min sista dag
   min forsta dag
   jag har blivit befordrad
   min nye rolle
   ny stilling som
   min siste dag
   min sidste dag
   min forste dag
   min fodelsedag
   min bursdag
   min fodselsdag`,
)
