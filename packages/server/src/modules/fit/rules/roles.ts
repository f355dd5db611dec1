/** Roles of employees, in the languages of the phrases. */

const roles = new Set(
  `engineer developer designer manager analyst marketer executive director head lead vp cmo cto cfo coo cro sdr bdr
   recruiter intern assistant copywriter
   writer consultant architect specialist scientist accountant officer supervisor coordinator representative
   salesperson controller associate administrator
   nurse technician strategist editor chief president teacher paralegal buyer planner bookkeeper receptionist
   leiter leiterin entwickler entwicklerin assistenz referent referentin berater beraterin sachbearbeiter kaufmann
   kauffrau mitarbeiter mitarbeiterin
   developpeur developpeuse responsable alternant alternante stagiaire ingenieur chef cheffe assistante comptable
   desarrollador desarrolladora vendedor vendedora analista ingeniero ingeniera disenador disenadora gerente
   coordinador ejecutivo asistente comercial
   desenvolvedor desenvolvedora engenheiro engenheira coordenador estagiario estagiaria assistente vendedores
   responsabile sviluppatore sviluppatrice impiegato impiegata addetto addetta tirocinante venditore progettista
   accountmanager marketeer ontwikkelaar adviseur medewerker verkoper stagiair
   saljare utvecklare ingenjor konsult ekonom projektledare saelger selger udvikler utvikler konsulent radgiver
   medarbetare medarbejder medarbeider`.split(/\s+/u),
)
/** The ends of compounds in languages that write them as one word (`Vertriebsleiter`). */
const compoundEnds = `leiter leiterin entwickler entwicklerin berater mitarbeiter manager referent
   medewerker adviseur
   saljare utvecklare ingenjor ledare konsulent sjef udvikler utvikler`.split(/\s+/u)

/** Whether a folded word names a role, in the singular or an English plural. */
export const isRole = (word: string): boolean =>
  roles.has(word) ||
  (word.endsWith('s') && roles.has(word.slice(0, -1))) ||
  compoundEnds.some((end) => word.endsWith(end))
