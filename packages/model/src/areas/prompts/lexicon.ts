/**
 * Dictionary entries for masking: a word not listed as harmless is masked. The dictionaries
 * themselves are the server's (`areas/prompts/lexicon.ts`); a sense is a set of bits.
 */
export const sense = {
  /** A word of the language that is no name in some reading. */
  common: 1,
  /** A given name. */
  name: 2,
  surname: 4,
  patronymic: 8,
  /** A town, a river, a country. */
  place: 16,
  /** A word of medicine: diagnoses, services, analytes, medicines. */
  medical: 32,
  /** A word of the clinic's own public names. */
  public: 64,
  /** A common noun of a living being: it may be a surname beside a name («голубь», «гончар»). */
  animate: 128,
} as const

/** @param word lower case, «е» for «ё» @returns bits of `sense`; 0: unknown */
export type Lexicon = (word: string) => number

const PERSONAL = sense.name | sense.surname | sense.patronymic | sense.place
const HARMLESS = sense.common | sense.medical | sense.public

export const isPersonal = (bits: number): boolean => (bits & PERSONAL) !== 0
export const isHarmless = (bits: number): boolean => (bits & HARMLESS) !== 0

/** The words of a text that a lexicon is asked about: whole ones, and the parts of compound ones. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>()
  for (const [word] of text.matchAll(/\p{L}+(?:[-’']\p{L}+)*/gu)) {
    const low = plainWord(word)
    words.add(low)
    if (/[-’']/.test(low)) for (const part of low.split(/[-’']/)) words.add(part)
    const rest = unprefixed(low)
    if (rest) words.add(rest)
  }
  return [...words]
}

export const plainWord = (word: string): string => word.toLowerCase().replaceAll('ё', 'е')

/** Endings of words of medicine that no name has. */
const MEDICAL =
  /(?:ирова(?:н|нн)|ическ|грамм|графи|скопи|томи|терапи|метри|пати|еми|ури|алги|енност|изаци|логич|генн|тропн|циллин|мицин|циклин|флоксацин|сартан|статин|празол|зепам|фибрат|дипин|оидн|озн|итн|альн|арн|яционн|ационн|овани|ивани)(?:а|ы|о|у|е|и|я|ю|ей|ой|ый|ий|ая|ое|ые|ие|ого|ому|ым|ом|ых|ыми|ую|ем|ию|ии|ия|ью)?$/
export const isMedicalForm = (low: string): boolean => low.length > 7 && MEDICAL.test(low)

const PREFIX =
  /^(?:не|наи|пере|под|над|сверх|супер|анти|гипер|гипо|пост|пред|меж|внутри|около|суб|экстра|микро|макро|мульти|поли|моно|псевдо|нейро|кардио|гастро|дермато|эндо|ультра|видео|электро|ангио|гемо|гепато|нефро|остео|артро|крио|фото|лазеро|радио|рентгено|цито|гисто|био|мио|пульмо|рино|отори?но|стомато|уро|гинеко|эзофаго|фиброго?|фибро|дуодено|колоно|ректо|ларинго|фаринго|бронхо|тиреои?до?|лимфо|лейко|тромбо|эритро|само|авто|двух|трех|четырех|пяти|одно|много|мало|право|лево|верхне|нижне|средне|передне|задне|внутрь?)(?=\p{L}{4,})/u

/** The word without a productive prefix: «гиперпигментация» → «пигментация». */
export const unprefixed = (low: string): string | undefined => {
  const rest = low.replace(PREFIX, '').replace(/^[-о](?=\p{L}{4,})/u, '')
  return rest === low ? undefined : rest
}
