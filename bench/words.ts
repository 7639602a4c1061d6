/** Russian text that resembles a clinic's, from a seeded generator: the same on every run. */

export interface Random {
  /** An integer from 0 to n - 1. */
  below(n: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** mulberry32. */
export function seeded(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number) => Math.floor(next() * n)
  return { below, chance: (p) => next() < p, pick: (list) => list[below(list.length)] as never }
}

const list = (text: string): string[] => text.split(',').map((part) => part.trim())

/** Masculine forms; the feminine adds an «а». */
export const surnames = list(
  `Иванов,Смирнов,Кузнецов,Попов,Васильев,Петров,Соколов,Михайлов,Новиков,Фёдоров,Морозов,Волков,Алексеев,Лебедев,
  Семёнов,Егоров,Павлов,Козлов,Степанов,Николаев,Орлов,Андреев,Макаров,Никитин,Захаров,Зайцев,Соловьёв,Борисов,
  Яковлев,Григорьев,Романов,Воробьёв,Сергеев,Кузьмин,Фролов,Александров,Дмитриев,Королёв,Гусев,Киселёв,Ильин,
  Максимов,Поляков,Сорокин,Виноградов,Ковалёв,Белов,Медведев,Антонов,Тарасов`,
)
const women = list('Мария,Анна,Елена,Ольга,Наталья,Татьяна,Ирина,Светлана,Юлия,Екатерина,Людмила,Галина,Дарья,Алина')
const men = list('Александр,Сергей,Дмитрий,Алексей,Андрей,Михаил,Иван,Николай,Максим,Павел,Роман,Виктор,Олег,Артём')
const fathers = list('Александр,Сергеев,Дмитриев,Алексеев,Андреев,Михайлов,Иванов,Николаев,Павлов,Викторов').map(
  (name) => name.replace(/ев$|ов$/, ''),
)

export interface Name {
  surname: string
  name: string
  middleName: string
  sex: 'male' | 'female'
}

export function personName(random: Random): Name {
  const surname = random.pick(surnames)
  const father = random.pick(fathers)
  const stem = /[йе]$/.test(father) ? father.slice(0, -1) : father
  const soft = /^(Серге|Алексе|Андре|Дмитри|Никола)/.test(father)
  return random.chance(0.7)
    ? { surname: `${surname}а`, name: random.pick(women), middleName: `${stem}${soft ? 'ев' : 'ов'}на`, sex: 'female' }
    : { surname, name: random.pick(men), middleName: `${stem}${soft ? 'ев' : 'ов'}ич`, sex: 'male' }
}

const doings = list(
  `Позвонить пациенту,Согласовать план лечения,Подготовить договор,Перенести запись,Проверить результаты анализов,
  Заказать расходные материалы,Оформить больничный лист,Отправить напоминание,Разобрать жалобу,Обновить прайс,
  Внести оплату,Подписать согласие,Выдать справку,Назначить повторный приём,Сверить остатки склада,
  Записать на консультацию,Провести обучение,Обновить график врача,Проверить страховой полис,Подготовить выписку`,
)
export const matters = list(
  `кардиология,стоматология,УЗИ брюшной полости,общий анализ крови,биохимия,МРТ коленного сустава,ДМС,профосмотр,
  вакцинация,физиотерапия,лазерная коррекция,ортодонтия,педиатрия,эндокринология,гинекология,приём терапевта,
  хирургия,рентген,флюорография,массаж`,
)
const places = list('филиал на Ленина,филиал на Садовой,филиал у вокзала,регистратура,процедурный кабинет,лаборатория')
const sentences = list(
  `Пациент просил перезвонить после шести вечера,Документы лежат в регистратуре,Уточнить у старшей медсестры,
  Оплата прошла не полностью,Нужна подпись заведующего,Срок согласован с пациентом,Результаты придут из лаборатории завтра,
  Повторный приём через две недели,Проверить наличие противопоказаний,Сообщить лечащему врачу,
  Предупредить о подготовке к исследованию,Аппарат на обслуживании до пятницы`,
)

export const taskName = (random: Random): string =>
  `${random.pick(doings)}: ${random.pick(surnames)}${random.chance(0.6) ? 'а' : ''}, ${random.pick(matters)}${
    random.chance(0.3) ? ` (${random.pick(places)})` : ''
  }`

/** The subject of a deal. */
export const wishName = (random: Random): string => {
  const matter = random.pick(matters)
  return `${matter.charAt(0).toUpperCase()}${matter.slice(1)}: ${random.pick(surnames)}${random.chance(0.6) ? 'а' : ''}`
}

export function paragraph(random: Random): string {
  const count = 1 + random.below(4)
  return Array.from({ length: count }, () => `${random.pick(sentences)}.`).join(' ')
}

/** A typical search text: the beginnings of two adjacent words, rarely the same twice. */
export function searchText(random: Random): string {
  const name = taskName(random)
  const from = name.indexOf(': ') + 2
  return name.slice(from, from + 7 + random.below(12)).trim()
}

export const tagNames = list('Срочно,Жалоба,ДМС,Перезвонить,Документы,Оплата,Повторный приём,VIP,Анализы,Склад')
export const posts = list('Врач-терапевт,Медсестра,Администратор,Кладовщик,Лаборант,Бухгалтер,Хирург,Кардиолог')
