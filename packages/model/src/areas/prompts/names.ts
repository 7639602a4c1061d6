/** Russian given names in all cases, and patronymics, for masking. Generated once from two short lists. */

import { plainWord as plain } from './lexicon.ts'

const MALE =
  'Александр Алексей Анатолий Андрей Антон Аркадий Артём Артур Арсений Богдан Борис Вадим Валентин Валерий Василий Виктор Виталий Владимир Владислав Всеволод Вячеслав Геннадий Георгий Герман Глеб Григорий Давид Даниил Данил Денис Дмитрий Евгений Егор Ефим Захар Иван Игнат Игорь Иосиф Кирилл Константин Лев Леонид Макар Максим Марат Марк Матвей Михаил Мурат Назар Николай Олег Павел Пётр Платон Прохор Рамиль Ренат Ринат Роберт Родион Роман Рустам Руслан Савелий Святослав Семён Сергей Спартак Станислав Степан Тарас Тимофей Тимур Фёдор Филипп Эдуард Эльдар Юрий Яков Ян Ярослав Айдар Азат Ильдар Ильнур Булат Айрат Шамиль Ахмед Магомед Мухаммед Ибрагим Карен Ашот Армен Тигран Вахтанг'
const FEMALE =
  'Агата Аделина Алевтина Александра Алина Алиса Алла Альбина Анастасия Ангелина Анжелика Анна Антонина Арина Варвара Валентина Валерия Василиса Вера Вероника Виктория Виолетта Галина Гульнара Дарья Диана Дина Ева Евгения Екатерина Елена Елизавета Жанна Зинаида Злата Зоя Инна Инга Ирина Камилла Карина Кира Клавдия Ксения Лариса Лейла Лидия Лилия Любовь Людмила Майя Маргарита Марина Мария Марьям Милана Мирослава Надежда Наталья Наталия Нина Нинель Оксана Олеся Ольга Пелагея Полина Раиса Регина Римма Роза Розалия Светлана Серафима София Софья Стефания Таисия Тамара Татьяна Ульяна Фаина Фатима Эвелина Элеонора Эльвира Эльмира Эмилия Юлия Яна Айгуль Алсу Динара Зульфия Гузель Лиана'
/** Short forms of both genders; endings of «а». */
const SHORT =
  'Аня Аня Маша Даша Саша Паша Миша Гриша Лена Таня Катя Настя Наташа Оля Юля Ира Света Лиза Вика Ксюша Люда Люба Надя Галя Валя Женя Серёжа Алёша Лёша Ваня Петя Вова Володя Дима Коля Толя Костя Боря Витя Федя Сеня Стёпа Никита Илья Фома Лука Кузьма Савва Данила Гоша Жора Слава Рома Гена Юра Лёня Лера Полинка Соня Тоня Рита Тома'

/** All singular cases of a name. */
function casesOf(name: string): string[] {
  const low = plain(name)
  const irregular: Record<string, string> = { павел: 'павл', лев: 'льв', петр: 'петр' }
  const stem = irregular[low]
  if (stem) return [low, ...['а', 'у', 'ом', 'е'].map((end) => stem + end)]
  if (low === 'любовь') return ['любовь', 'любови', 'любовью']
  const cut = low.slice(0, -1)
  const with_ = (...ends: string[]) => [low, ...ends.map((end) => cut + end)]
  switch (low.at(-1)) {
    case 'а':
      return with_('ы', 'и', 'е', 'у', 'ой', 'ою', 'ей')
    case 'я':
      return with_('и', 'е', 'ю', 'ей', 'ею')
    case 'й':
      return with_('я', 'ю', 'ем', 'е', 'и')
    case 'ь':
      return with_('я', 'ю', 'ем', 'е', 'и', 'ью')
    case 'о':
    case 'у':
      return [low]
    default:
      return [low, ...['а', 'у', 'ом', 'ем', 'е'].map((end) => low + end)]
  }
}

/** Stems of a name's patronymics: «Юрьев», «Никит», «Павлов». */
function patronymicStems(name: string): string[] {
  const low = plain(name)
  const irregular: Record<string, string[]> = {
    павел: ['павлов'],
    лев: ['львов'],
    михаил: ['михайлов'],
    яков: ['яковлев'],
    иосиф: ['иосифов', 'осипов'],
    даниил: ['даниилов', 'данилов'],
  }
  if (irregular[low]) return irregular[low]
  if (low.endsWith('ий')) return [`${low.slice(0, -2)}иев`, `${low.slice(0, -2)}ьев`]
  if (/[йь]$/.test(low)) return [`${low.slice(0, -1)}ев`]
  return [`${low}ов`]
}

const male = MALE.split(' ')
export const firstNames: ReadonlySet<string> = new Set(
  [...male, ...FEMALE.split(' '), ...SHORT.split(' ')].flatMap(casesOf),
)

const MASCULINE = ['ич', 'ича', 'ичу', 'ичем', 'иче']
const FEMININE = ['на', 'ны', 'не', 'ну', 'ной', 'ною']
/** Irregular forms, as «Никитична». */
const RARE = ['никит', 'ильин', 'кузьмин', 'лукин', 'фомин', 'саввин'].flatMap((stem) => [
  ...['ична', 'ичны', 'ичне', 'ичну', 'ичной'].map((end) => stem + end),
  ...(stem.endsWith('ин') ? [] : MASCULINE.map((end) => stem + end)),
])
export const patronymics: ReadonlySet<string> = new Set([
  ...male.flatMap(patronymicStems).flatMap((stem) => [...MASCULINE, ...FEMININE].map((end) => stem + end)),
  ...RARE,
  ...['ильич', 'кузьмич', 'лукич', 'фомич', 'саввич'].flatMap((low) => [
    low,
    ...['а', 'у', 'ем', 'е'].map((end) => low + end),
  ]),
])
