/** Masks every word that is not known to be harmless, and every long number without a harmless meaning. Pure. */
import { isHarmless, isMedicalForm, isPersonal, type Lexicon, plainWord, sense, unprefixed } from './lexicon.ts'

/** A word of a text, and its place. */
export interface Token {
  word: string
  /** Lower case, «е» for «ё». */
  low: string
  from: number
  to: number
  isCapital: boolean
  /** First word of a sentence: its capital letter is no evidence. */
  isFirst: boolean
}

export function tokensOf(text: string): Token[] {
  return [...text.matchAll(/\p{L}+(?:[-’']\p{L}+)*/gu)].map((match) => {
    const [word] = match
    const from = match.index
    return {
      word,
      low: plainWord(word),
      from,
      to: from + word.length,
      isCapital:
        /^\p{Lu}/u.test(word) && (word.length === 1 || /^\p{Lu}(?:\p{Ll}|.*-\p{Lu})/u.test(word) || word.length > 3),
      isFirst: isFirstAt(text, from),
    }
  })
}

/** Begins a sentence; a title with a dot ends none. */
function isFirstAt(text: string, from: number): boolean {
  const before = text.slice(Math.max(0, from - 8), from)
  return (
    /(?:^|[.!?…:\n«"—–-]\s*)$/u.test(before) &&
    !/(?:^|[^\p{L}])(?:dr|mr|mrs|ms|prof|проф|д-р|г-н|г-жа|гр|акад)\.\s*$/iu.test(before)
  )
}

/** Terms followed by an eponym: «рефлекс Павлова». */
const EPONYM =
  /^(?:болезн|синдром|симптом|проб|рефлекс|реакци|операци|метод|шкал|тест|индекс|способ|лини|треугольник|мышц|желез|пал[оа]ч|тельц|киш|аппарат|кольц|перелом|грыж|триад|пятн|узл|госпитал|больниц|институт|клиник|зон|точк|област|повязк|рентген|раствор|формул|диет|тиреоидит|зоб|анеми|лимфом|саркома?|контрактур|паралич|хоре|феномен|пункци|классификаци|критери|градаци|степен|резекци|доступ|шов|шва|катетер|трубк|зонд|маз|жидкост|калькулятор|опросник|анкет|прием|круг|бляшк|эндокардит|диатез|пурпур|язв|пищевод|дивертикул)/

/** «Первомайской 2», but not «Лозартан 50 мг». */
const HOUSE_NUMBER =
  /^,?\s\d{1,3}(?![\d:%]|[.,]\d|\s?(?:мг|мкг|г|мл|ед|ме|%|таб|капс|капл|раз|дн|день|дня|нед|мес|лет|год|час|мин|мм|см|руб|₽|р|степен|стади|тип|ст)(?![\p{L}]|\.\p{L})|\s?(?:дн|раз|степен|стади|недел|месяц|таблет|капсул))/iu
/** A masked part ends here; mask.ts replaces it by this character. */
const PLACE = /\uE000[ \t]$/u

/** A person follows: «звонил дмитрий», «у доктора мороза». */
const ROLE =
  /^(?:звонил[аи]?|перезвонил[аи]?|мам[аеуы]|пап[аеуы]|муж[ауем]*|жен[аеуы]|сын[ауом]*|дочь|дочери|дочк[аеиу]|брат[ауом]*|сестр[аеуы]|баб(?:ушк[аеиу]|[аеуы])|дедушк[аеиу]|т[её]т[яеию]|дяд[яеию]|внук[ау]?|внучк[аеиу]|доктор[ауоме]*|врач[ауоме]*|пациентк?[ауеойи]*|господин[ау]?|госпож[аеиу]|гражданин[ау]?|гражданк[аеиу]|зовут|фамилия|имя|директор[ау]?|сосед[ау]?|соседк[аеиу]|подруг[аеиу]|друг[ау]?|девушк[аеиу]|мальчик[ау]?|девочк[аеиу]|медсестр[аеуы]|оператор[ау]?|администратор[ау]?|коллег[аеиу])$/
/** «спросите у …», «записаться к …»: the preposition alone proves nothing. */
const TOWARDS = /^(?:у|к|ко|от|для|с|со|про|о|об)$/
const MEETS =
  /^(?:спрос\p{L}*|узна\p{L}*|запис\p{L}*|запиш\p{L}*|был[аи]?|приход\p{L}*|пришл[аи]|наблюда\p{L}*|леч\p{L}*|хочу|хочет|передай\p{L}*|переда[лтй]\p{L}*|сказал\p{L}*|договор\p{L}*|посовет\p{L}*|при[её]м\p{L}*|направл?\p{L}*|скажи\p{L}*|позвони\p{L}*)$/u
const SPEECH =
  /^(?:звонил|просил|пришел|пришла|пришли|сказал|спрашивал|записал|записан|хочет|ждет|перезвон|ответил|уточн|жалу|обрат|интерес|написал|оплат|отказал|приедет|придет|приходил|просит|говорит|родил|умер|болеет|заболел)/
/** A name follows at once: «запишите романа», «это вера». */
const DIRECT = /^(?:запиш(?:и|ите)|передай(?:те)?|это|позовите|пригласите|позови|зовут|встретьте)$/
/** Living beings that are no surnames in a clinic's conversations. */
const PEOPLE =
  /^(?:пациент\p{L}*|больн\p{L}*|реб[её]н\p{L}*|дет\p{L}*|человек\p{L}*|люд\p{L}*|мужчин\p{L}*|женщин\p{L}*|мам\p{L}*|пап\p{L}*|родител\p{L}*|специалист\p{L}*|врач\p{L}*|доктор\p{L}*|\p{L}+(?:олог|иатр|вед|ург|апевт|ионер|евт|тивист)\p{L}{0,3}|медсестр\p{L}*|сестр\p{L}*|клиент\p{L}*|гост\p{L}*|собак\p{L}*|кош\p{L}*|кот\p{L}{0,2}|животн\p{L}*|новорожд\p{L}*|младен\p{L}*|подрост\p{L}*|взросл\p{L}*|супруг\p{L}*|родственни\p{L}*|сотрудни\p{L}*|заказчик\p{L}*|исполнител\p{L}*|плательщик\p{L}*|представител\p{L}*|оператор\p{L}*|администратор\p{L}*|регистратор\p{L}*)$/u
const GREETING =
  /^(?:здравствуйте|привет|добрый|доброе|доброго|спасибо|благодарю|уважаемая|уважаемый|дорогая|дорогой|вы|вам|вас|скажите|подскажите|подождите|извините|простите|слушайте|алло|ало)$/

const isLatin = (word: string): boolean => /^[a-z][a-z’'-]*$/i.test(word)

/**
 * Words to mask: unknown ones, names, and words that are both by their surroundings.
 * @param text in which masked parts are placeholders without letters
 * @returns positions, with the kind
 */
export function unknownWords(text: string, lexicon: Lexicon): { kind: 'name' | 'address'; from: number; to: number }[] {
  const tokens = tokensOf(text)
  const found: { kind: 'name' | 'address'; from: number; to: number }[] = []
  const isClose = (at: number): boolean =>
    at >= 0 &&
    at + 1 < tokens.length &&
    /^[ \t\u00a0«"]+$/.test(text.slice((tokens[at] as Token).to, (tokens[at + 1] as Token).from))
  const bitsAt = (at: number): number => (tokens[at] ? lexicon((tokens[at] as Token).low) : 0)
  const followsMask = (at: number): boolean => {
    const { from } = tokens[at] as Token
    return PLACE.test(text.slice(Math.max(0, from - 2), from))
  }
  /** A word that is a name and nothing else. */
  const isPlainName = (at: number): boolean => {
    const bits = bitsAt(at)
    return isPersonal(bits) && !isHarmless(bits)
  }
  const isEponym = (at: number): boolean =>
    [1, 2].some((back) => {
      const before = tokens[at - back]
      return (
        before !== undefined &&
        EPONYM.test(before.low) &&
        Array.from({ length: back }, (_, n) => at - back + n).every((n) =>
          /^[ \t\u00a0«"(–—-]+$/.test(text.slice((tokens[n] as Token).to, (tokens[n + 1] as Token).from)),
        )
      )
    })
  /** A patient's own sentence is about a person here. */
  const isAboutPerson = (at: number, bits: number): boolean => {
    const [before, after] = [tokens[at - 1], tokens[at + 1]]
    if (isClose(at - 1) && before && ROLE.test(before.low)) return true
    if (isClose(at - 1) && before && (bits & sense.name) !== 0 && DIRECT.test(before.low)) return true
    if (isClose(at - 1) ? masked.has(at - 1) : followsMask(at)) return true
    if (
      isClose(at - 1) &&
      before &&
      TOWARDS.test(before.low) &&
      isClose(at - 2) &&
      MEETS.test(tokens[at - 2]?.low ?? '')
    )
      return true
    if (isClose(at - 1) && isPlainName(at - 1)) return true
    if (isClose(at) && isPlainName(at + 1)) return true
    if ((bits & sense.name) === 0) return false
    const near = [at - 2, at - 1, at + 1, at + 2].map((n) => tokens[n])
    const comma = (from: number, to: number): boolean => text.slice(from, to).includes(',')
    return near.some(
      (one) =>
        one !== undefined &&
        GREETING.test(one.low) &&
        (one.from > (tokens[at] as Token).to
          ? comma((tokens[at] as Token).to, one.from)
          : after === undefined ||
            comma((tokens[at] as Token).to, after.from) ||
            comma(one.to, (tokens[at] as Token).from)),
    )
  }
  /** A common noun that is a surname here: beside a name, after a role, or as the speaker. */
  const isSurnameHere = (at: number, token: Token, bits: number): boolean => {
    if ((bits & sense.animate) === 0 || (bits & (sense.medical | sense.public)) !== 0) return false
    if (ROLE.test(token.low) || PEOPLE.test(token.low) || isEponym(at)) return false
    if (
      /^\p{Lu}\p{Ll}/u.test(token.word) &&
      (!token.isFirst || (isClose(at) && SPEECH.test(tokens[at + 1]?.low ?? '')))
    )
      return true
    const before = tokens[at - 1]
    if (!isClose(at - 1) || !before) return followsMask(at)
    return /^(?:доктор\p{L}*|зовут|фамилия|звонил\p{L}?|врач\p{L}{0,2})$/u.test(before.low) || masked.has(at - 1)
  }
  const isBoth = (at: number, token: Token, bits: number): boolean => {
    const isTitled = /^\p{Lu}\p{Ll}/u.test(token.word)
    if (isTitled && HOUSE_NUMBER.test(text.slice(token.to)) && (bits & sense.medical) === 0) return true
    if (isTitled && !token.isFirst) return !isEponym(at) && (bits & (sense.medical | sense.public)) === 0
    if (isTitled && (bits & sense.name) !== 0 && (bits & (sense.medical | sense.public)) === 0) return true
    if (isTitled && isClose(at) && SPEECH.test(tokens[at + 1]?.low ?? '')) return true
    return (bits & (sense.name | sense.surname)) !== 0 && isAboutPerson(at, bits)
  }
  /** Indexes of the words masked so far. */
  const masked = new Set<number>()
  for (const [at, token] of tokens.entries()) {
    const { word, low, from, to } = token
    if (word.length === 1) continue
    if (isLatin(word)) {
      if (isForeign(token, lexicon)) found.push({ kind: 'name', from, to })
      continue
    }
    const bits = lexicon(low)
    let isMasked: boolean
    if (isPersonal(bits)) isMasked = isHarmless(bits) ? isBoth(at, token, bits) : !isEponym(at) && !isAbbreviation(word)
    else if (isHarmless(bits)) isMasked = isSurnameHere(at, token, bits) || isStreet(token, text, bits)
    else
      isMasked =
        !isEponym(at) && !isAbbreviation(word) && !isMedicalForm(low) && !isCompound(low, lexicon) && !isDosed(text, to)
    if (!isMasked) continue
    masked.add(at)
    found.push({
      kind: (bits & (sense.place | sense.name | sense.surname)) === sense.place ? 'address' : 'name',
      from,
      to,
    })
  }
  return found
}

/** A medicine that no list has: a dose follows, «Нольпаза 40 мг». */
const isDosed = (text: string, to: number): boolean =>
  /^\s\d{1,4}(?:[.,]\d+)?\s?(?:мг|мкг|г|мл|ед|ме|%|mg|ml)(?!\p{L})/iu.test(text.slice(to, to + 16))

/** «на Первомайской 2»: a capital inside a sentence and a house. */
const isStreet = ({ word, isFirst, to }: Token, text: string, bits: number): boolean =>
  !isFirst &&
  /^\p{Lu}\p{Ll}{3,}/u.test(word) &&
  (bits & (sense.medical | sense.public)) === 0 &&
  HOUSE_NUMBER.test(text.slice(to))

/** «УЗИ», «ФГДС»: three to five capitals, and a dot or a digit may follow. */
const isAbbreviation = (word: string): boolean => /^\p{Lu}{2,5}$/u.test(word)

/** «сердечно-сосудистый», «гиперпигментация»: of known parts. */
function isCompound(low: string, lexicon: Lexicon): boolean {
  const isKnown = (part: string): boolean => {
    const bits = lexicon(part)
    return isHarmless(bits) && !isPersonal(bits) && ((bits & sense.animate) === 0 || PEOPLE.test(part))
  }
  if (/[-’']/.test(low)) {
    const parts = low.split(/[-’']/)
    return parts.every(
      (part) => part.length < 2 || isKnown(part) || isKnown(`${part.replace(/о$/, '')}ый`) || isLinking(part, lexicon),
    )
  }
  const rest = unprefixed(low)
  return rest !== undefined && isKnown(rest)
}

/** «сердечно»: the first part of a compound adjective is an adverb of it. */
const isLinking = (part: string, lexicon: Lexicon): boolean =>
  /[ое]$/.test(part) && ['ый', 'ий', 'ой'].some((end) => lexicon(part.slice(0, -1) + end) === sense.common)

/** A Latin word that is no English word, abbreviation or code; capitals inside a sentence are names. */
function isForeign({ word, low, isFirst }: Token, lexicon: Lexicon): boolean {
  if (/^[A-Z]{1,6}$/.test(word) || word === 'I' || /^i’?'?(?:m|d|ll|ve)?$/.test(low)) return false
  const bits = lexicon(low)
  if ((bits & (sense.medical | sense.public)) !== 0) return false
  const isWord = (bits & sense.common) !== 0 || /^\p{L}+['’](?:s|t|re|ve|ll|d|m)$/u.test(low)
  if (!isWord || (/^\p{Lu}/u.test(word) && !isFirst)) return true
  return (bits & sense.name) !== 0 && /^\p{Lu}/u.test(word)
}

/** Five digits and more, with any separators between them. */
const RUN = /(?<![\d,])\d(?:[\s().\-–—‑/№:]{0,3}\d){4,}/gu
const UNIT =
  'мг|мкг|г|гр|кг|мл|л|дл|ед|ме|мме|тыс|млн|млрд|%|‰|мм|см|м|км|мкм|нм|сут|час|ч|мин|сек|с|дн|дней|недел|лет|год|раз|капл|таб|капс|шт|рубл?[а-яё]*|р\\.|₽|коп|ммоль|мкмоль|нмоль|моль|пг|нг|мсм|гц|дб|ккал|кдж|клет|копий|кое|iu|u|ml|mg|mcg|g|kg|мм рт|ударов|уд'
const VISIT =
  /(?:операц|при[её]м|визит|запис|осмотр|контрол|анализ|выпис|госпитал|поступ|явк|мрт|кт|узи|экг|рентген|исследован|прививк|вакцин|консультац|обслед|дата|справк|направлен|больничн|лист|назнач|с|до|от|по|на|в)\p{L}{0,6}[\s:.,()]{0,3}(?:от|на|до|с|в|по)?\s*$/iu

/** Long numbers without a harmless meaning beside them. @returns positions */
export function longNumbers(text: string): [number, number][] {
  const found: [number, number][] = []
  for (const match of text.matchAll(RUN)) {
    const from = match.index
    const to = from + match[0].length
    if (!isHarmlessNumber(match[0], text.slice(Math.max(0, from - 40), from), text.slice(to, to + 24)))
      found.push([from, to])
  }
  return found
}

function isHarmlessNumber(run: string, before: string, after: string): boolean {
  if (run.replace(/\D/g, '').length < 5) return true
  if (isOneHarmless(run, before, after)) return true
  // Several numbers in a row: «12.03.2026 в 14:30», «на 10:00 12 мая».
  for (const gap of run.matchAll(/\s+/g)) {
    const [head, tail] = [run.slice(0, gap.index), run.slice(gap.index + gap[0].length)]
    if (isOneHarmless(head, before, ` ${tail}`) && isHarmlessNumber(tail, `${before}${head} `, after)) return true
  }
  return false
}

function isOneHarmless(run: string, before: string, after: string): boolean {
  const unit = new RegExp(`^(?:[.,]\\d+)?\\s?(?:[-–×x*/]\\s?\\d+\\s?)?(?:${UNIT})(?![а-яё])`, 'iu')
  // Sums, doses and measures: one number with its unit.
  if (/^\d{1,3}(?:[\s\u00a0.]\d{3})*$|^\d+(?:[.,]\d+)?$/.test(run) && unit.test(after))
    return run.replace(/\D/g, '').length <= 9
  // Pressure, sizes, ranges: «120/80», «12-15», «140/90-150/95».
  if (/^\d{2,3}\/\d{2,3}(?:\s?[-–—]\s?\d{2,3}\/\d{2,3})?$/.test(run)) return true
  if (/^\d{1,3}\s?[-–—]\s?\d{1,3}$/.test(run)) return true
  if (/^\d{1,4}(?:[.,]\d+)?\s?[-–—]\s?\d{1,4}$/.test(run) && unit.test(after)) return true
  // A time: «14:30», «с 09:00 до 18:00», «09:00-18:00».
  if (/^\d{1,2}:\d{2}(?::\d{2})?(?:\s?[-–—]\s?\d{1,2}:\d{2})?$/.test(run)) return true
  // A moment written by a machine: «2026-11-29T12:00».
  if (/^(?:19|20)\d{2}-\d{2}-\d{2}$/.test(run) && /^T\d/.test(after)) return true
  // A range of years, and a day of a visit by its words.
  if (/^(?:19|20)\d{2}\s?[-–—/]\s?(?:19|20)\d{2}$/.test(run)) return true
  const day = /^(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|(?:19|20)\d{2}-\d{2}-\d{2})(?:\s+\d{1,2}:\d{2})?$/
  return (
    day.test(run) &&
    (VISIT.test(before) ||
      /^\s*(?:г\.?|года)?[\s,)]*(?:прове|выпол|сдела|опер|при[её]м|осмотр|поступ|выпис|в\s+\d)/iu.test(after))
  )
}
