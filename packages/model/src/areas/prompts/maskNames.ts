/** Names of persons in a text, by their forms and by the words around them. */

import { firstNames, patronymics } from './names.ts'
import { type Token, tokensOf } from './unknownWords.ts'

const SURNAME =
  /(?:ов|ев|ёв|ин|ын)(?:а|у|ым|ой|е|ы|ых)?$|(?:ск|цк)(?:ий|ого|ому|им|ом|ая|ой|ую|ие|их)$|(?:енко|швили|дзе|янц|ян|ян[ау]|ук|юк|ич|ко|ых|их)$/
/** Endings that mark a single word as a surname; no medical term has them. */
const LONE_SURNAME = /^.{2,}(?:(?:ов|ев|ёв)(?:а|у|ым|ой)?|(?:овск|евск|инск)(?:ий|ого|ому|им|ом|ая|ой|ую)|енко|швили)$/
/** Terms followed by an eponym: «рефлекс Павлова». */
const EPONYM =
  /^(?:болезн|синдром|симптом|проб|рефлекс|реакци|операци|метод|шкал|тест|индекс|способ|лини|треугольник|мышц|желез|пал[оа]ч|тельц|киш|аппарат|кольц|перелом|грыж|триад|пятн|узл|госпитал|больниц|институт|клиник|зон|точк|област|повязк|рентген|раствор|формул|диет)/
const STOP = new Set(
  'доктор врач пациент пациентка здравствуйте да нет алло добрый доброе добрая уважаемая уважаемый это меня мне вы я он она мы они и а но в на с к по за из от до у о об что как где когда клиника администратор оператор спасибо пожалуйста сегодня завтра вчера хорошо так вот ну если для при или не ни очень здесь там тут жалобы анамнез диагноз осмотр приём прием рекомендации назначения телефон паспорт снилс полис адрес дата мой моя моё ваш ваша ваше записать записаться хочу можно нужно слушаю говорит говорите приходите есть был была будет'.split(
    ' ',
  ),
)
const STRONG =
  /(?:меня|её|ее|его|как\s+вас|пациентк?[ауеи]*)\s+зовут|(?<![\p{L}])(?:фамилия|фио|ф\.\s?и\.\s?о\.?|имя|отчество|на\s+имя|зовут)(?![\p{L}])/giu
const WEAK =
  /(?<![\p{L}])(?:пациентк?[ауеойи]*|доктор[ауоме]*|врач[ауоме]*|господин[ау]?|госпож[аеиу]|гражданин[ау]?|гражданк[аеиу]|мам[аеуы]|пап[аеуы]|муж[ауем]*|жен[аеуы]|сын[ауом]*|доч(?:ь|ери))(?![\p{L}])/giu

const GENERIC_PATRONYMIC = /^\p{Lu}[\p{Ll}]+(?:ович|евич|ьич)(?:а|у|ем|е)?$|^\p{Lu}[\p{Ll}]+(?:овн|евн)(?:а|ы|е|у)$/u
const NOT_PATRONYMIC =
  /^(?:основн|виновн|невиновн|условн|духовн|греховн|верховн|кровн|любовн|дневн|ежедневн|плачевн|душевн|царевн|королевн|древн|ключев|бескровн|ревн|деревн|сыновн|равн|полн|ровн|харчевн|коровн)/
const isPatronymic = ({ word, low }: Token): boolean =>
  patronymics.has(low) || (GENERIC_PATRONYMIC.test(word) && !NOT_PATRONYMIC.test(low)) || /^(?:оглы|кызы)$/.test(low)

/** Positions of names: pairs of start and end. */
export function namesIn(text: string): [number, number][] {
  const tokens = tokensOf(text)
  const isName = new Array<boolean>(tokens.length).fill(false)
  const gap = (at: number): string => text.slice((tokens[at] as Token).to, tokens[at + 1]?.from ?? text.length)
  const joins = (at: number): boolean => at >= 0 && at + 1 < tokens.length && /^[ \t\u00a0]+$/.test(gap(at))
  const isFree = ({ low }: Token): boolean => !STOP.has(low)
  for (const [at, token] of tokens.entries()) {
    if (isPatronymic(token)) {
      isName[at] = true
      const before = tokens[at - 1]
      // «мария ивановна»: a transcript without capitals.
      if (before && joins(at - 1) && (firstNames.has(before.low) || (before.isCapital && isFree(before))))
        isName[at - 1] = true
    } else if (token.isCapital && firstNames.has(token.low)) isName[at] = true
    else if (token.isCapital && !token.isFirst && LONE_SURNAME.test(token.low) && isFree(token)) {
      const before = tokens[at - 1]
      if (!(before && EPONYM.test(before.low))) isName[at] = true
    }
  }
  // Surnames next to names.
  for (const [at, token] of tokens.entries()) {
    if (!isName[at] || LONE_SURNAME.test(token.low)) continue
    const before = tokens[at - 1]
    const after = tokens[at + 1]
    if (before && joins(at - 1) && !isName[at - 1] && isFree(before)) {
      const isSurname = SURNAME.test(before.low) && before.low.length > 3
      if (before.isCapital ? isSurname || !before.isFirst : isSurname && !token.isCapital) isName[at - 1] = true
    }
    if (
      after &&
      joins(at) &&
      !isName[at + 1] &&
      isFree(after) &&
      (after.isCapital ||
        (SURNAME.test(after.low) && !token.isCapital && after.low.length > 3 && isPatronymicOrFirst(token)))
    )
      isName[at + 1] = true
  }
  // Persons introduced by a title or a phrase.
  for (const match of text.matchAll(STRONG)) introduce(match.index + match[0].length, true)
  for (const match of text.matchAll(WEAK)) introduce(match.index + match[0].length, false)
  function introduce(end: number, isStrong: boolean) {
    let at = tokens.findIndex(({ from }) => from >= end)
    if (at < 0 || !/^[\s:—–"«-]{1,4}$/.test(text.slice(end, (tokens[at] as Token).from))) return
    for (let count = 0; count < 3; count++, at++) {
      const token = tokens[at] as Token
      if (!isFree(token) || token.word.length < 2) return
      const isLike =
        token.isCapital || firstNames.has(token.low) || isPatronymic(token) || (count > 0 && SURNAME.test(token.low))
      if (isStrong ? !isLike && count > 0 : !(token.isCapital && /^\p{Lu}\p{Ll}/u.test(token.word))) return
      isName[at] = true
      if (!joins(at)) return
    }
  }
  const spans: [number, number][] = []
  for (const [at, token] of tokens.entries()) {
    if (!isName[at]) continue
    const last = spans.at(-1)
    if (last && isName[at - 1] && joins(at - 1)) last[1] = token.to
    else spans.push([token.from, token.to])
  }
  // «И. П. Иванов», «Иванов И. П.».
  const byInitials = [
    /(?<![\p{L}])\p{Lu}\.\s?\p{Lu}\.\s?(?<surname>\p{Lu}\p{Ll}+(?:-\p{Lu}\p{Ll}+)?)/gu,
    /(?<![\p{L}])\p{Lu}\p{Ll}+(?:-\p{Lu}\p{Ll}+)?\s+\p{Lu}\.\s?\p{Lu}\.?(?![\p{L}])/gu,
    /(?<![\p{L}])\p{Lu}\p{Ll}+(?:ов|ев|ёв|ский|цкий|ова|ева|ёва|ская|цкая|енко)(?:а|у|ым|ой)?\s+\p{Lu}\.(?![\p{L}])/gu,
  ].flatMap((find) =>
    [...text.matchAll(find)]
      .filter(({ groups }) => groups?.surname === undefined || SURNAME.test(groups.surname))
      .map((match): [number, number] => [match.index, match.index + match[0].length]),
  )
  return [...byInitials, ...spans]
}

const isPatronymicOrFirst = (token: Token): boolean => firstNames.has(token.low) || isPatronymic(token)
