/** Posts that give something away for a comment or a message, as they say so in eight languages. */
import { readPhrases, type Phrases } from './phrases.ts'

/** The phrases; how one is written stands at `readPhrases`. */
export const leadMagnets: Phrases = readPhrases(
  // English
  `!comment "X"
   !comment X and
   !comment X below
   !comment X to
   !comment X for
   comment the word
   comment below and i ll
   comment below and i will
   comment below to get
   comment yes
   comment … and i ll send
   comment … and i will send
   comment … and i ll dm
   comment … to get access
   !drop a "X"
   !drop "X"
   drop a comment and i ll
   drop a comment and i will
   !type "X" in the comments
   !type "X" below
   !say "X" in the comments
   !reply "X"
   reply with "X"
   !write "X" in the comments
   i ll send you the
   i ll send it to you
   i ll send it over
   i will send you the
   i will dm you
   i ll dm you
   i ll dm it
   dm me "X"
   dm me for the
   dm me the word
   dm you the
   message me "X"
   like and comment
   like comment and
   grab your free
   download the free
   get the free guide
   free template
   free playbook
   free checklist`,
  // German
  `!kommentiere "X"
   !kommentiere X
   kommentiere mit
   !kommentier "X"
   kommentier mit
   schreib "X" in die kommentare
   schreib mir "X"
   schreibe "X" in die kommentare
   schreib … in die kommentare und ich
   schreibt … in die kommentare und ich
   schicke ich dir
   sende ich dir
   ich schicke dir
   ich sende dir
   ich schicke es dir
   kostenlose vorlage
   kostenlose checkliste
   kostenloser leitfaden
   kostenlosen leitfaden`,
  // French
  `!commente "X"
   !commente X
   !commentez "X"
   !commentez X
   commente … et je t envoie
   commentez … et je vous envoie
   je t envoie le
   je t envoie la
   je vous envoie le
   je vous envoie la
   mets "X" en commentaire
   mettez "X" en commentaire
   ecris "X" en commentaire
   ecrivez "X" en commentaire
   en commentaire et je
   guide gratuit
   modele gratuit`,
  // Spanish
  `!comenta "X"
   !comenta X
   comenta … y te envio
   comenta … y te mando
   !comentad "X"
   escribe "X" en los comentarios
   deja "X" en los comentarios
   te envio la
   te envio el
   te lo envio
   te lo mando
   guia gratuita
   plantilla gratuita
   plantilla gratis`,
  // Portuguese
  `!comente "X"
   !comente X
   comenta aqui
   comente … que eu te envio
   comente … e eu te envio
   comente … que envio
   escreva "X" nos comentarios
   deixe "X" nos comentarios
   eu te envio
   te envio no direct
   guia gratuito
   modelo gratuito`,
  // Italian
  `!commenta "X"
   !commenta X
   commenta con
   commenta … e ti invio
   commenta … e ti mando
   scrivi "X" nei commenti
   ti invio la
   ti invio il
   ti mando la
   ti mando il
   guida gratuita
   modello gratuito`,
  // Dutch
  `reageer met
   !reageer "X"
   comment met "X"
   laat "X" achter
   typ "X" in de comments
   dan stuur ik
   ik stuur je
   gratis template
   gratis gids
   gratis checklist`,
  // Swedish, Norwegian, Danish
  `!kommentera "X"
   !kommentera X
   kommentera med
   skriv "X" i kommentaren
   skriv "X" i kommentarsfaltet
   sa skickar jag
   !kommenter "X"
   kommenter med
   sa sender jeg
   jeg sender deg
   jeg sender dig
   gratis mall
   gratis guide
   gratis skabelon`,
)
